/** Small readings of addresses that the tests share. */

/** The path behind a file address, without a final slash being lost. */
export function fromFileUrl(url: URL): string {
  return decodeURIComponent(url.pathname);
}
