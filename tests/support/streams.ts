/** Owns small readings of streams and addresses that the tests share. */

/** The path behind a file address, without a final slash being lost. */
export function fromFileUrl(url: URL): string {
  return decodeURIComponent(url.pathname);
}

/** Whole lines of a byte stream; a last line without an end counts. */
export async function* lines(
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
): AsyncGenerator<string, void> {
  let rest = "";
  for await (const chunk of stream.pipeThrough(new TextDecoderStream())) {
    const parts = (rest + chunk).split("\n");
    rest = parts.pop()!;
    yield* parts;
  }
  if (rest !== "") yield rest;
}
