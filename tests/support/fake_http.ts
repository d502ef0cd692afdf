/** A small HTTP server on loopback that can misbehave: cut off, stay silent, say nothing new. */
import type { JsonObject } from "../../src/core/json.ts";

/** One scripted HTTP answer. */
export interface FakeAnswer {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  /** A plain body, sent whole; `content-type` is JSON for a body that starts with a brace. */
  readonly body?: string;
  /** The pieces of a streamed body, sent as they are. */
  readonly pieces?: readonly (string | Uint8Array)[];
  /** After the pieces: close (default), break the connection off, or stay silent. */
  readonly ending?: "close" | "cut" | "hang";
  /** Sent again and again while the answer hangs. */
  readonly keepAlive?: string;
  /** Called when the reader goes while the answer hangs. */
  readonly gone?: () => void;
  /** Waited for before the status line goes out. */
  readonly before?: Promise<void>;
}

export interface RecordedRequest {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly text: string;
  /** The parsed body; an empty object where it is no JSON object. */
  readonly body: JsonObject;
}

export interface FakeServer {
  readonly port: number;
  close(): Promise<void>;
}

/** Answers each connection's one request with what `handle` gives. */
export function listenHttp(
  handle: (request: RecordedRequest) => FakeAnswer | Promise<FakeAnswer>,
): FakeServer {
  const stop = new AbortController();
  const serve = async (connection: Deno.TcpConn) => {
    const recorded = await record(connection);
    if (recorded === undefined) return;
    const answer = await handle(recorded);
    await answer.before;
    await respond(answer, connection, stop.signal);
  };
  const listener = Deno.listen({ port: 0, hostname: "127.0.0.1" });
  const open = new Set<Promise<void>>();
  const accepting = (async () => {
    for await (const connection of listener) {
      // A reader that goes away in the middle is a case of its own, not a fault of the server.
      const served = serve(connection).catch(() => {}).finally(() => {
        connection.close();
        open.delete(served);
      });
      open.add(served);
    }
  })();
  return {
    port: listener.addr.port,
    close: async () => {
      stop.abort();
      listener.close();
      await accepting.catch(() => {});
      await Promise.all(open);
    },
  };
}

/** Reads one request; undefined where the connection ends before it does. */
async function record(connection: Deno.TcpConn): Promise<RecordedRequest | undefined> {
  let bytes = new Uint8Array();
  const more = async () => {
    const buffer = new Uint8Array(65_536);
    const count = await connection.read(buffer);
    if (count === null) return false;
    const joined = new Uint8Array(bytes.length + count);
    joined.set(bytes);
    joined.set(buffer.subarray(0, count), bytes.length);
    bytes = joined;
    return true;
  };
  const latin = new TextDecoder("latin1");
  let end = -1;
  while ((end = latin.decode(bytes).indexOf("\r\n\r\n")) < 0) if (!await more()) return undefined;
  const [first = "", ...fields] = latin.decode(bytes.subarray(0, end)).split("\r\n");
  const [method = "", path = ""] = first.split(" ");
  const headers = Object.fromEntries(fields.map((field) => {
    const colon = field.indexOf(":");
    return [field.slice(0, colon).toLowerCase(), field.slice(colon + 1).trim()];
  }));
  const length = Number(headers["content-length"] ?? 0);
  while (bytes.length < end + 4 + length) if (!await more()) return undefined;
  const text = new TextDecoder().decode(bytes.subarray(end + 4, end + 4 + length));
  return { method, path, headers, text, body: parsed(text) };
}

function parsed(text: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value as JsonObject : {};
  } catch {
    return {}; // the text is recorded as it is
  }
}

async function respond(
  answer: FakeAnswer,
  connection: Deno.TcpConn,
  stopped: AbortSignal,
): Promise<void> {
  const plain = answer.body !== undefined;
  const type = !plain
    ? "text/event-stream"
    : /^\s*[{[]/.test(answer.body)
    ? "application/json"
    : "text/plain";
  const headers = { "content-type": type, connection: "close", ...answer.headers };
  const framing = plain
    ? `content-length: ${encoder.encode(answer.body).length}`
    : "transfer-encoding: chunked";
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `HTTP/1.1 ${answer.status ?? 200} Scripted\r\n${lines.join("")}${framing}\r\n\r\n`;
  await write(connection, encoder.encode(head + (answer.body ?? "")));
  if (plain) return;
  for (const piece of answer.pieces ?? []) await writeChunk(connection, piece);
  switch (answer.ending ?? "close") {
    case "close":
      await write(connection, encoder.encode("0\r\n\r\n"));
      return;
    case "cut":
      return;
    case "hang":
      await hang(connection, answer, stopped);
  }
}

/** Stays silent, or says the same again and again, until the reader or the test is over. */
async function hang(
  connection: Deno.TcpConn,
  { keepAlive, gone: onGone }: FakeAnswer,
  stopped: AbortSignal,
): Promise<void> {
  const gone = connection.read(new Uint8Array(1)).catch(() => null);
  const over = new Promise<void>((resolve) => {
    if (stopped.aborted) resolve();
    stopped.addEventListener("abort", () => resolve(), { once: true });
    gone.then(() => {
      if (!stopped.aborted) onGone?.();
      resolve();
    });
  });
  let ended = false;
  over.then(() => ended = true);
  while (!ended) {
    if (keepAlive === undefined) {
      await over;
      return;
    }
    await writeChunk(connection, keepAlive);
    let timer: ReturnType<typeof setTimeout> | undefined;
    await Promise.race([over, new Promise<void>((resolve) => timer = setTimeout(resolve, 20))]);
    clearTimeout(timer);
  }
}

const encoder = new TextEncoder();

async function writeChunk(connection: Deno.TcpConn, piece: string | Uint8Array): Promise<void> {
  const bytes = typeof piece === "string" ? encoder.encode(piece) : piece;
  if (bytes.length === 0) return;
  const framed = new Uint8Array(bytes.length + 20);
  const head = encoder.encode(`${bytes.length.toString(16)}\r\n`);
  framed.set(head);
  framed.set(bytes, head.length);
  framed.set([13, 10], head.length + bytes.length);
  await write(connection, framed.subarray(0, head.length + bytes.length + 2));
}

async function write(connection: Deno.TcpConn, bytes: Uint8Array): Promise<void> {
  for (let done = 0; done < bytes.length;) done += await connection.write(bytes.subarray(done));
}
