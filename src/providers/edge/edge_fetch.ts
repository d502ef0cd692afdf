/** The `fetch` that stands between an SDK package and a provider: request body in, stream out. */
import { isJsonObject, type JsonObject } from "../../core/json.ts";
import { shownEndpoint } from "../endpoint.ts";
import { answerReader } from "./answer_reader.ts";
import { type BodyPiece, type BodyReader, bodyReader } from "./body_reader.ts";
import type { AnswerFacts } from "./fault.ts";
import { OversizedEvent } from "./sse_decoder.ts";
import type { StreamMender } from "./stream_mender.ts";

export interface Edge {
  readonly fetch: typeof fetch;
  readonly facts: AnswerFacts;
  readonly mender: StreamMender;
  /** Changes the request body just before it is sent; without it the body goes as it is. */
  readonly shapeBody?: (body: JsonObject) => JsonObject;
  /** Goes to every address that the SDK package asks; "" for none. */
  readonly query: string;
  /** Set last, over what the SDK package sends. */
  readonly headers: Readonly<Record<string, string>>;
}

/** How much is kept of an answer that is no stream. */
const maxErrorBodyBytes = 64 * 1024;
/** How long usage may still follow the finish on a connection that nobody closes. */
const afterFinishMs = 2000;
/** How long the end of a body may take to follow its last event. */
const afterEndMs = 250;

/**
 * A fetch for one request. What goes wrong is told in `facts`; a stream that breaks off is closed
 * in an orderly way, so that the SDK package hands on everything that came before.
 */
export function edgeFetch(edge: Edge): typeof fetch {
  return async (input, init) => {
    let response: Response;
    try {
      response = await fetchMoved(edge, withQuery(input, edge.query), shapedInit(edge, init));
    } catch (error) {
      edge.facts.fault ??= { type: "connection", error, started: false };
      throw error;
    }
    const { status, headers } = response;
    if (!response.ok) {
      const text = await startOf(response, maxErrorBodyBytes);
      const moved = movedTo(response, input);
      const body = moved === undefined ? text : `moved to ${shownEndpoint(moved.href)}`;
      edge.facts.fault ??= { type: "http", status, headers, body };
      return new Response(body, { status, headers });
    }
    if (response.body === null) {
      edge.facts.fault ??= { type: "protocol", problem: "is empty" };
      return new Response("", { status: 200, headers: streamHeaders });
    }
    return new Response(mended(edge, response.body), { status, headers: streamHeaders });
  };
}

const streamHeaders = { "content-type": "text/event-stream" };
const encoder = new TextEncoder();

const maxMoves = 3;

/**
 * Follows an address within the same server where the method stays (307, 308). All else is told:
 * the request would become another one, or the key would go to somebody else.
 */
async function fetchMoved(
  edge: Edge,
  input: string | URL | Request,
  init: RequestInit,
): Promise<Response> {
  let url = input;
  for (let moves = 0;; moves++) {
    const response = await edge.fetch(url, { ...init, redirect: "manual" });
    if (response.status !== 307 && response.status !== 308) return response;
    const next = movedTo(response, url);
    if (next === undefined || moves === maxMoves) return response;
    if (next.origin !== new URL(String(url)).origin) return response;
    await response.body?.cancel();
    url = next;
  }
}

/** Undefined where the answer names no address that can be read. */
function movedTo(response: Response, from: string | URL | Request): URL | undefined {
  const location = response.headers.get("location");
  return location === null ? undefined : URL.parse(location, String(from)) ?? undefined;
}

function withQuery(input: string | URL | Request, query: string): string | URL | Request {
  if (query === "" || input instanceof Request) return input;
  const url = new URL(input);
  for (const [name, value] of new URLSearchParams(query)) url.searchParams.set(name, value);
  return url;
}

function shapedInit(edge: Edge, init: RequestInit | undefined): RequestInit {
  const headers = new Headers(init?.headers);
  // A package without a key sends an empty one, which some servers take for a wrong one.
  for (const name of ["authorization", "x-api-key", "x-goog-api-key"]) {
    if (/^(bearer)?\s*$/i.test(headers.get(name) ?? "-")) headers.delete(name);
  }
  for (const [name, value] of Object.entries(edge.headers)) headers.set(name, value);
  if (typeof init?.body !== "string" || edge.shapeBody === undefined) return { ...init, headers };
  const body: unknown = JSON.parse(init.body);
  const shaped = isJsonObject(body) ? edge.shapeBody(body) : body;
  return { ...init, headers, body: JSON.stringify(shaped) };
}

/** The body's events, mended. Reads on only as the SDK package takes. */
function mended(edge: Edge, body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const reader = bodyReader(body);
  const events = answerReader(edge);
  let over = false;
  let usage = edge.facts.usage;
  let quietFrom = 0;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      while (!over) {
        let out = "";
        try {
          const { done, value } = edge.mender.finished
            ? await readUntil(reader, (quietFrom ||= performance.now()) + afterFinishMs)
            : await reader.read();
          if (value !== undefined) out = events.push(value);
          over = done || events.ended();
          // keep-alives are no more than silence
          if (out !== "" || edge.facts.usage !== usage) quietFrom = 0;
          usage = edge.facts.usage;
        } catch (error) {
          if (error instanceof OversizedEvent) {
            edge.facts.fault ??= { type: "protocol", problem: "holds an event without an end" };
          } else if (!edge.mender.finished) {
            edge.facts.fault ??= { type: "connection", error, started: true };
          }
          over = true;
        }
        if (over) out += events.end();
        if (out !== "") controller.enqueue(encoder.encode(out));
        if (over) {
          controller.close();
          finishReading(reader);
        }
        if (out !== "") return;
      }
    },
    cancel: (reason) => {
      if (over) return; // the rest is being read
      over = true;
      return reader.cancel(reason);
    },
  }, { highWaterMark: 0 });
}

/**
 * Reads what follows the answer's end, for a moment and not much of it: a body that was read to its
 * end leaves the connection for the next request.
 */
async function finishReading(reader: BodyReader): Promise<void> {
  const stop = () => void reader.cancel().catch(() => {}); // what still comes concerns nobody
  const timer = setTimeout(stop, afterEndMs);
  try {
    for (let bytes = 0; bytes < maxErrorBodyBytes;) {
      const { done, value } = await reader.read();
      if (done) return;
      bytes += value?.length ?? 0;
    }
  } catch {
    // The connection broke off: it is of no more use.
  } finally {
    clearTimeout(timer);
    stop();
  }
}

/** Reads on, but takes silence until `endMs` for the end. */
async function readUntil(reader: BodyReader, endMs: number): Promise<BodyPiece> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<BodyPiece>((resolve) => {
    timer = setTimeout(() => resolve({ done: true }), Math.max(0, endMs - performance.now()));
  });
  try {
    const read = reader.read();
    read.catch(() => {}); // a break after the silence concerns nobody
    return await Promise.race([read, silence]);
  } finally {
    clearTimeout(timer);
  }
}

async function startOf(response: Response, maxBytes: number): Promise<string> {
  const decoder = new TextDecoder();
  let text = "", bytes = 0;
  if (response.body === null) return text;
  try {
    for await (const chunk of response.body) {
      text += decoder.decode(chunk.subarray(0, maxBytes - bytes), { stream: true });
      bytes += chunk.length;
      if (bytes >= maxBytes) break;
    }
  } catch {
    // A body that breaks off still says what it said.
  }
  return text + decoder.decode();
}
