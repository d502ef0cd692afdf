/** Owns a fake provider on loopback: scripted answers for every wire, recorded requests. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
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
export async function startFakeProvider(
  answers: readonly Scripted[] = [],
  options: { repeatLast?: boolean } = {},
): Promise<FakeProvider> {
  const script = [...answers];
  const requests: RecordedRequest[] = [];
  const waiting = new Set<() => void>();
  const stop = new AbortController();
  let next = 0;

  const take = async (incoming: IncomingMessage, response: ServerResponse) => {
    const recorded = await record(incoming);
    requests.push(recorded);
    for (const check of waiting) check();
    const at = options.repeatLast ? Math.min(next, script.length - 1) : next;
    next++;
    const scripted = script[at] ?? errorAnswer(400, "the fake provider's script is over");
    const answer = typeof scripted === "function" ? await scripted(recorded) : scripted;
    await answer.before;
    await respond(answer, response, stop.signal);
  };
  const server = createServer((incoming, response) => {
    // A reader that goes away in the middle is a case of its own, not a fault of the server.
    take(incoming, response).catch(() => response.destroy());
  });
  const port = await new Promise<number>((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port));
  });
  return {
    url: `http://127.0.0.1:${port}/v1`,
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
    close: () => {
      stop.abort();
      return new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
}

async function record(incoming: IncomingMessage): Promise<RecordedRequest> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Uint8Array);
  const text = await new Response(new Blob(chunks as BlobPart[])).text();
  let body: JsonObject = {};
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null) body = value as JsonObject;
  } catch {
    // The text is recorded as it is.
  }
  const headers = Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]);
  return {
    method: incoming.method ?? "",
    path: incoming.url ?? "",
    headers: Object.fromEntries(headers),
    text,
    body,
  };
}

async function respond(
  answer: FakeAnswer,
  response: ServerResponse,
  stopped: AbortSignal,
): Promise<void> {
  const status = answer.status ?? 200;
  if (answer.body !== undefined) {
    const type = /^\s*[{[]/.test(answer.body) ? "application/json" : "text/plain";
    response.writeHead(status, { "content-type": type, ...answer.headers });
    response.end(answer.body);
    return;
  }
  response.writeHead(status, { "content-type": "text/event-stream", ...answer.headers });
  response.flushHeaders();
  for (const piece of answer.pieces ?? []) await send(response, piece);
  switch (answer.ending ?? "close") {
    case "close":
      response.end();
      return;
    case "cut":
      response.destroy();
      return;
    case "hang":
      while (!stopped.aborted && !response.destroyed) {
        await pause(answer.keepAlive === undefined ? 3_600_000 : 50, response, stopped);
        if (answer.keepAlive !== undefined) await send(response, answer.keepAlive);
      }
      response.destroy();
  }
}

/** Resolves when the piece has left, or can no longer leave. */
function send(response: ServerResponse, piece: string | Uint8Array): Promise<void> {
  return new Promise((resolve) => response.write(piece, () => resolve()));
}

/** Waits `ms`, or until the reader or the test is over. */
function pause(ms: number, response: ServerResponse, stopped: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const over = () => {
      clearTimeout(timer);
      stopped.removeEventListener("abort", over);
      response.off("close", over);
      resolve();
    };
    const timer = setTimeout(over, ms);
    stopped.addEventListener("abort", over, { once: true });
    response.once("close", over);
  });
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
