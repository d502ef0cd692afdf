/** Addresses of providers: what is asked, and what may be shown of it. */

/** `endpoint` without credentials, query and fragment, for messages. */
export function shownEndpoint(endpoint: string): string {
  try {
    const url = new URL(endpoint);
    url.username =
      url.password =
      url.search =
      url.hash =
        "";
    return url.href.replace(/\/+$/, "");
  } catch (error) {
    if (error instanceof TypeError) return "an address that is not a URL";
    throw error;
  }
}

export interface ParsedEndpoint {
  /** Without a slash at the end, credentials and query. */
  readonly base: string;
  /** The query, which goes with every request; "" where there is none. */
  readonly query: string;
  /** The value of a basic authorization header, from credentials in the address. */
  readonly authorization?: string;
}

/** Undefined where `endpoint` is no http or https address. */
export function parseEndpoint(endpoint: string): ParsedEndpoint | undefined {
  let url: URL;
  try {
    url = new URL(endpoint.trim());
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
  if (url.protocol !== "http:" && url.protocol !== "https:") return undefined;
  const { username, password, search } = url;
  url.username =
    url.password =
    url.search =
    url.hash =
      "";
  // People copy the address of the interface's one method, too.
  const base = url.href.replace(/\/+$/, "").replace(
    /\/(chat\/completions|responses|messages)$/,
    "",
  );
  if (username === "" && password === "") return { base, query: search };
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  const bytes = new TextEncoder().encode(credentials);
  return { base, query: search, authorization: `Basic ${btoa(String.fromCharCode(...bytes))}` };
}
