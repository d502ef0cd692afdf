/** Sends a request, follows it within the same server, and reads the start of an answer. */
import { shownEndpoint } from "./endpoint.ts";
import type { Fault } from "./fault.ts";

const maxMoves = 3;
/** How much is kept of an answer that is no success. */
const maxErrorBodyBytes = 64 * 1024;

/**
 * Follows an address within the same server where the method stays (307, 308). All else is reported:
 * the request would become another one, or the key would go to somebody else.
 */
export async function fetchMoved(
  fetchIt: typeof fetch,
  first: URL,
  request: RequestInit,
): Promise<Response> {
  let url = first;
  for (let moves = 0;; moves++) {
    const response = await fetchIt(url, { ...request, redirect: "manual" });
    if (response.status !== 307 && response.status !== 308) return response;
    const next = movedTo(response, url);
    if (next === undefined || moves === maxMoves || next.origin !== url.origin) return response;
    await response.body?.cancel();
    url = next;
  }
}

/** The fault of an answer that is no success. */
export async function unsuccessful(response: Response, asked: URL): Promise<Fault> {
  const { status, headers } = response;
  const { text } = await startOf(response, maxErrorBodyBytes);
  const moved = movedTo(response, asked);
  const body = moved === undefined ? text : `moved to ${shownEndpoint(moved.href)}`;
  return { type: "http", status, headers, body };
}

/** The text of a body, up to so many bytes; `failure` where it broke off before. */
export async function startOf(
  response: Response,
  maxBytes: number,
): Promise<{ readonly text: string; readonly isWhole: boolean; readonly failure?: unknown }> {
  const decoder = new TextDecoder();
  let text = "", bytes = 0;
  try {
    for await (const chunk of response.body ?? []) {
      text += decoder.decode(chunk.subarray(0, maxBytes - bytes), { stream: true });
      bytes += chunk.length;
      if (bytes > maxBytes) break;
    }
  } catch (failure) {
    // what came still says what it said
    return { text: text + decoder.decode(), isWhole: false, failure };
  }
  return { text: text + decoder.decode(), isWhole: bytes <= maxBytes };
}

/** Undefined where the answer names no address that can be read. */
function movedTo(response: Response, from: URL): URL | undefined {
  const location = response.headers.get("location");
  return location === null ? undefined : URL.parse(location, from) ?? undefined;
}
