/** Owns a fake provider on loopback: scripted answers for every wire, recorded requests. */
import type { Json, JsonObject } from "../../src/core/json.ts";

export type FakeWire = "chat" | "responses" | "anthropic" | "google";

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

type Scripted = FakeAnswer | ((request: RecordedRequest) => FakeAnswer | Promise<FakeAnswer>);

export interface FakeProvider {
  /** Base address without a slash at the end, e.g. `http://127.0.0.1:40001/v1`. */
  readonly url: string;
  readonly requests: readonly RecordedRequest[];
  /** Adds answers to the end of the script. */
  add(...answers: Scripted[]): void;
  /** Resolves when `count` requests have come; rejects after ten seconds. */
  waitFor(count: number): Promise<void>;
  close(): Promise<void>;
}

/**
 * Starts a provider that gives its answers in order, whatever path is asked for. With
 * `repeatLast` the last one is given for ever; else a request beyond the script gets a 400.
 */
export function startFakeProvider(
  answers: readonly Scripted[] = [],
  options: { repeatLast?: boolean } = {},
): FakeProvider {
  const script = [...answers];
  const requests: RecordedRequest[] = [];
  const waiting = new Set<() => void>();
  const stop = new AbortController();
  let next = 0;

  const serve = async (connection: Deno.TcpConn) => {
    const recorded = await record(connection);
    if (recorded === undefined) return;
    requests.push(recorded);
    for (const check of waiting) check();
    const at = options.repeatLast ? Math.min(next, script.length - 1) : next;
    next++;
    const scripted = script[at] ?? errorAnswer(400, "the fake provider's script is over");
    const answer = typeof scripted === "function" ? await scripted(recorded) : scripted;
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
    url: `http://127.0.0.1:${listener.addr.port}/v1`,
    requests,
    add: (...more) => void script.push(...more),
    waitFor: (count) =>
      new Promise((resolve, reject) => {
        const check = () => {
          if (requests.length < count) return;
          clearTimeout(timer);
          waiting.delete(check);
          resolve();
        };
        const timer = setTimeout(() => {
          waiting.delete(check);
          reject(new Error(`expected ${count} requests, got ${requests.length}`));
        }, 10_000);
        waiting.add(check);
        check();
      }),
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
      await hang(connection, answer.keepAlive, stopped);
  }
}

/** Stays silent, or says the same again and again, until the reader or the test is over. */
async function hang(
  connection: Deno.TcpConn,
  keepAlive: string | undefined,
  stopped: AbortSignal,
): Promise<void> {
  const gone = connection.read(new Uint8Array(1)).catch(() => null);
  const over = new Promise<void>((resolve) => {
    if (stopped.aborted) resolve();
    stopped.addEventListener("abort", () => resolve(), { once: true });
    gone.then(() => resolve());
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

/** The server-sent events of JSON objects, as the wire's own server sends them. */
export function eventPieces(wire: FakeWire, events: readonly Json[]): string[] {
  const named = wire === "anthropic" || wire === "responses";
  const pieces = events.map((event) => {
    const name = named ? `event: ${(event as JsonObject).type}\n` : "";
    return `${name}data: ${JSON.stringify(event)}\n\n`;
  });
  return wire === "chat" ? [...pieces, "data: [DONE]\n\n"] : pieces;
}

/** An answer made of JSON events. */
export function streamAnswer(wire: FakeWire, events: readonly Json[]): FakeAnswer {
  return { pieces: eventPieces(wire, events) };
}

/** A plain answer that ends the turn. */
export function textAnswer(wire: FakeWire, text: string): FakeAnswer {
  return streamAnswer(wire, answerEvents(wire, text, []));
}

export interface FakeCall {
  readonly id?: string;
  readonly name: string;
  /** Argument text; an object is written as JSON. */
  readonly input: JsonObject | string;
}

/** An answer that asks for tools, with `text` before them. */
export function callAnswer(wire: FakeWire, calls: readonly FakeCall[], text = ""): FakeAnswer {
  return streamAnswer(wire, answerEvents(wire, text, calls));
}

/** An error body in the usual form. */
export function errorAnswer(
  status: number,
  message: string,
  headers: Record<string, string> = {},
): FakeAnswer {
  return { status, headers, body: JSON.stringify({ error: { message, type: "error" } }) };
}

function answerEvents(wire: FakeWire, text: string, calls: readonly FakeCall[]): Json[] {
  const made = calls.map((call, index) => ({
    id: call.id ?? `call_${crypto.randomUUID().slice(0, 8)}_${index}`,
    name: call.name,
    text: typeof call.input === "string" ? call.input : JSON.stringify(call.input),
  }));
  switch (wire) {
    case "chat":
      return [
        {
          choices: [{ index: 0, delta: { role: "assistant", content: text }, finish_reason: null }],
        },
        ...made.map(({ id, name, text }, index): Json => ({
          choices: [{
            index: 0,
            delta: {
              tool_calls: [{ index, id, type: "function", function: { name, arguments: text } }],
            },
            finish_reason: null,
          }],
        })),
        {
          choices: [{
            index: 0,
            delta: {},
            finish_reason: made.length > 0 ? "tool_calls" : "stop",
          }],
        },
        { choices: [], usage: { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 } },
      ];
    case "responses": {
      const response = { id: "resp_1", created_at: 1, model: "fake" };
      const message: Json[] = text === "" ? [] : [
        {
          type: "response.output_item.added",
          output_index: 0,
          item: { type: "message", id: "msg_1", role: "assistant", content: [] },
        },
        { type: "response.output_text.delta", item_id: "msg_1", output_index: 0, delta: text },
        {
          type: "response.output_item.done",
          output_index: 0,
          item: {
            type: "message",
            id: "msg_1",
            role: "assistant",
            content: [{ type: "output_text", text, annotations: [] }],
          },
        },
      ];
      const first = text === "" ? 0 : 1;
      return [
        { type: "response.created", response },
        ...message,
        ...made.flatMap(({ id, name, text }, index): Json[] => {
          const item = { type: "function_call", id: `fc_${index}`, call_id: id, name };
          const output_index = first + index;
          return [
            {
              type: "response.output_item.added",
              output_index,
              item: { ...item, arguments: "" },
            },
            {
              type: "response.function_call_arguments.delta",
              item_id: item.id,
              output_index,
              delta: text,
            },
            {
              type: "response.output_item.done",
              output_index,
              item: { ...item, arguments: text, status: "completed" },
            },
          ];
        }),
        {
          type: "response.completed",
          response: {
            ...response,
            usage: { input_tokens: 11, output_tokens: 7, total_tokens: 18 },
          },
        },
      ];
    }
    case "anthropic":
      return [
        {
          type: "message_start",
          message: {
            id: "msg_1",
            type: "message",
            role: "assistant",
            model: "fake",
            content: [],
            stop_reason: null,
            usage: { input_tokens: 11, output_tokens: 1 },
          },
        },
        ...text === "" ? [] : [
          { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
          { type: "content_block_delta", index: 0, delta: { type: "text_delta", text } },
          { type: "content_block_stop", index: 0 },
        ],
        ...made.flatMap(({ id, name, text: input }, at): Json[] => {
          const index = at + (text === "" ? 0 : 1);
          return [
            {
              type: "content_block_start",
              index,
              content_block: { type: "tool_use", id, name, input: {} },
            },
            {
              type: "content_block_delta",
              index,
              delta: { type: "input_json_delta", partial_json: input },
            },
            { type: "content_block_stop", index },
          ];
        }),
        {
          type: "message_delta",
          delta: { stop_reason: made.length > 0 ? "tool_use" : "end_turn", stop_sequence: null },
          usage: { output_tokens: 7 },
        },
        { type: "message_stop" },
      ];
    case "google":
      return [{
        candidates: [{
          content: {
            role: "model",
            parts: [
              ...text === "" ? [] : [{ text }],
              ...made.map(({ name, text }): Json => ({
                functionCall: { name, args: JSON.parse(text === "" ? "{}" : text) },
              })),
            ],
          },
          finishReason: "STOP",
          index: 0,
        }],
        usageMetadata: { promptTokenCount: 11, candidatesTokenCount: 7, totalTokenCount: 18 },
      }];
  }
}
