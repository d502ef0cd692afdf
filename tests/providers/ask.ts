/** Asking a model once: what the tests of providers share. */
import type { Json, JsonObject } from "../../src/core/json.ts";
import type { AssistantMessage, Message } from "../../src/core/message.ts";
import {
  type ChatModel,
  ModelError,
  type ModelEvent,
  type ModelRequest,
  type ToolDefinition,
} from "../../src/core/model.ts";
import { createModel, type ModelSpec } from "../../src/providers/create_model.ts";
import { createFold } from "../../src/agent/fold.ts";
import {
  eventPieces,
  type FakeProvider,
  type FakeWire,
  type Scripted,
  startFakeProvider,
} from "../support/fake_provider.ts";

export const providerOfWire: Record<FakeWire, string> = {
  chat: "openai-compatible",
  responses: "openai",
  anthropic: "anthropic",
  google: "google",
};

export interface Answer {
  readonly events: ModelEvent[];
  readonly text: string;
  readonly thinking: string;
  readonly notices: string[];
  readonly calls: { readonly id: string; readonly name: string; readonly text: string }[];
  /** The last event. */
  readonly finish: ModelEvent & { type: "finish" };
  /** As the loop would keep it. */
  readonly message: AssistantMessage;
}

export function user(text: string): Message {
  return { role: "user", content: [{ type: "text", text }] };
}

export const readTool: ToolDefinition = {
  name: "read",
  description: "Reads a file.",
  inputSchema: {
    type: "object",
    properties: { path: { type: "string" } },
    required: ["path"],
    additionalProperties: false,
  },
};

export function request(more: Partial<ModelRequest> = {}): ModelRequest {
  return {
    system: "You are a test.",
    messages: [user("hi")],
    tools: [readTool],
    maxOutputTokens: 1000,
    ...more,
  };
}

/** Asks `model` and collects its answer. */
export async function ask(
  model: ChatModel,
  more: Partial<ModelRequest> = {},
  signal: AbortSignal = new AbortController().signal,
): Promise<Answer> {
  const events: ModelEvent[] = [];
  const fold = createFold();
  for await (const batch of model.stream(request(more), signal)) {
    for (const event of batch) {
      events.push(event);
      fold.add(event);
    }
  }
  const finish = events.at(-1);
  if (finish?.type !== "finish") throw new Error("the stream ended without a finish");
  const textOf = (type: "text" | "thinking") =>
    events.map((event) => event.type === type ? event.delta : "").join("");
  return {
    events,
    text: textOf("text"),
    thinking: textOf("thinking"),
    notices: events.flatMap((event) => event.type === "notice" ? [event.message] : []),
    calls: events.flatMap((event) =>
      event.type === "tool_call" ? [{ id: event.id, name: event.name, text: event.inputText }] : []
    ),
    finish,
    message: {
      role: "assistant",
      content: fold.parts(),
      provider: model.provider,
      model: model.model,
      finish: finish.reason,
    },
  };
}

/** The failure of asking `model`; fails where there is none. */
export async function failureOf(
  model: ChatModel,
  more: Partial<ModelRequest> = {},
): Promise<ModelError> {
  try {
    await ask(model, more);
  } catch (error) {
    if (error instanceof ModelError) return error;
    throw error;
  }
  throw new Error("expected a failure, got an answer");
}

/** Runs `use` with a fake provider that gives `answers`, and a model that asks it. */
export async function withProvider<T>(
  provider: string,
  answers: readonly Scripted[],
  use: (model: ChatModel, fake: FakeProvider) => Promise<T>,
  spec: Partial<ModelSpec> = {},
): Promise<T> {
  const fake = startFakeProvider(answers);
  try {
    const model = await createModel({
      provider,
      model: "test-model",
      endpoint: fake.url,
      apiKey: "sk-secret-key-1234",
      fetch, // whatever the environment says of proxies and certificates
      ...spec,
    });
    return await use(model, fake);
  } finally {
    await fake.close();
  }
}

/** The answer that one stream of events gives. */
export function answerTo(
  wire: FakeWire,
  events: readonly Json[],
  provider: string = providerOfWire[wire],
): Promise<Answer> {
  return answerToPieces(provider, eventPieces(wire, events));
}

export function answerToPieces(
  provider: string,
  pieces: readonly (string | Uint8Array)[],
): Promise<Answer> {
  return withProvider(provider, [{ pieces }], (model) => ask(model));
}

export function failureTo(
  wire: FakeWire,
  events: readonly Json[],
  provider: string = providerOfWire[wire],
): Promise<ModelError> {
  return withProvider(
    provider,
    [{ pieces: eventPieces(wire, events) }],
    (model) => failureOf(model),
  );
}

/** A chat-completions chunk with one delta. */
export function delta(value: Json, finish: string | null = null): JsonObject {
  return { choices: [{ index: 0, delta: value, finish_reason: finish }] };
}

/** A delta with pieces of tool calls. */
export function pieces(...calls: JsonObject[]): JsonObject {
  return delta({ tool_calls: calls });
}
