/** A fake provider on loopback: scripted answers for every wire, recorded requests. */
import type { Json, JsonObject } from "../../src/core/json.ts";
import { type FakeAnswer, listenHttp, type RecordedRequest } from "./fake_http.ts";

export type FakeWire = "chat" | "responses" | "anthropic" | "google";

export type Scripted =
  | FakeAnswer
  | ((request: RecordedRequest) => FakeAnswer | Promise<FakeAnswer>);

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
  let next = 0;

  const server = listenHttp(async (request) => {
    requests.push(request);
    for (const check of waiting) check();
    const at = options.repeatLast ? Math.min(next, script.length - 1) : next;
    next++;
    const scripted = script[at] ?? errorAnswer(400, "the fake provider's script is over");
    return typeof scripted === "function" ? await scripted(request) : scripted;
  });
  return {
    url: `http://127.0.0.1:${server.port}/v1`,
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
    close: () => server.close(),
  };
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
