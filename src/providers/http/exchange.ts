/** One request over HTTP and the bytes of its answer, with bounds on what follows the answer's end. */
import { bodyWasSent } from "../../host/sent_bodies.ts";
import type { AnswerBuilder } from "../wires/answer.ts";
import type { ByteReader } from "./answer_bytes.ts";
import { fetchMoved, unsuccessful } from "./fetch_moved.ts";

export interface Exchange {
  readonly fetch: typeof fetch;
  readonly url: URL;
  readonly headers: Headers;
  readonly body: Uint8Array<ArrayBuffer>;
}

/** How much is read of what follows the answer's end. */
const maxRestBytes = 64 * 1024;
/** How long usage may still follow the finish on a connection that nobody closes. */
const afterFinishMs = 2000;
/** How long the end of a body may take to follow its last event. */
const afterEndMs = 250;

/** Sends the request; undefined where the answer is no success, which goes to `answer.fail`. */
export async function send(
  exchange: Exchange,
  answer: AnswerBuilder,
  signal: AbortSignal,
): Promise<ReadableStream<Uint8Array> | undefined> {
  let response: Response;
  try {
    const { headers, body } = exchange;
    response = await fetchMoved(exchange.fetch, exchange.url, {
      method: "POST",
      headers,
      body,
      signal,
    });
  } catch (error) {
    answer.fail({ type: "connection", error, started: false });
    return undefined;
  }
  bodyWasSent(exchange.body.length);
  if (!response.ok) {
    answer.fail(await unsuccessful(response, exchange.url));
    return undefined;
  }
  if (response.body === null) answer.fail({ type: "protocol", problem: "is empty" });
  return response.body ?? undefined;
}

/** Reads the body to the end of the answer; yields after each piece that brought something. */
export async function* receive(
  body: ReadableStream<Uint8Array>,
  answer: AnswerBuilder,
  bytes: ByteReader,
): AsyncGenerator<void> {
  const reader = bodyReader(body);
  let quietFrom = 0;
  let over = false;
  try {
    while (!over && !answer.ended) {
      try {
        const { done, value } = answer.reason === undefined
          ? await reader.read()
          : await readUntil(reader, (quietFrom ||= performance.now()) + afterFinishMs);
        if (value !== undefined) bytes.push(value);
        over = done;
      } catch (error) {
        if (answer.reason === undefined) answer.fail({ type: "connection", error, started: true });
        over = true;
      }
      yield;
    }
    bytes.end();
  } finally {
    if (over || answer.ended) finishReading(reader);
    else reader.cancel().catch(() => {}); // whoever asked has gone
  }
}

/**
 * Reads what follows the answer's end, for a moment and not much of it: a body that was read to its
 * end leaves the connection for the next request.
 */
async function finishReading(reader: BodyReader): Promise<void> {
  const stop = () => void reader.cancel().catch(() => {}); // what still comes concerns nobody
  const timer = setTimeout(stop, afterEndMs);
  try {
    for (let bytes = 0; bytes < maxRestBytes;) {
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

interface BodyPiece {
  readonly done: boolean;
  /** Good until the next read. */
  readonly value?: Uint8Array | undefined;
}

interface BodyReader {
  read(): Promise<BodyPiece>;
  cancel(reason?: unknown): Promise<void>;
}

const bufferBytes = 64 * 1024;

/**
 * The runtime makes a buffer of this size for each piece, however small: an answer of many pieces
 * leaves hundreds of them to be collected. Bodies that do not read into buffers are read as they are.
 */
function bodyReader(body: ReadableStream<Uint8Array>): BodyReader {
  let reader: ReadableStreamBYOBReader;
  try {
    reader = body.getReader({ mode: "byob" });
  } catch (error) {
    if (error instanceof TypeError) return body.getReader();
    throw error;
  }
  let spare: ArrayBuffer | undefined;
  return {
    async read() {
      const buffer = spare ?? new ArrayBuffer(bufferBytes);
      spare = undefined; // the stream's until it gives it back
      const { done, value } = await reader.read(new Uint8Array(buffer));
      spare = value?.buffer as ArrayBuffer | undefined;
      return done ? { done } : { done, value };
    },
    cancel: (reason) => reader.cancel(reason),
  };
}
