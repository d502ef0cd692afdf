/** The model that plays a cassette: offline, step by step, with its expectations checked. */
import type { JsonObject } from "../../core/json.ts";
import { type FinishReason, textOf } from "../../core/message.ts";
import {
  type ChatModel,
  ModelError,
  modelErrorKinds,
  type ModelEvent,
  type ModelRequest,
} from "../../core/model.ts";
import type { Usage } from "../../core/usage.ts";
import { delay } from "../../lib/delay.ts";
import type { ModelSpec } from "../create_model.ts";
import { failureOf, type RequestContext } from "../http/failure.ts";
import { type CassetteStep, readCassette } from "./cassette.ts";

/** Reads the cassette whole, so that what is wrong with it is reported before anything runs. */
export function replayModel(spec: ModelSpec & { readonly model: string }): ChatModel {
  const path = spec.model;
  const steps = readCassette(path);
  let next = 0;

  async function* stream(
    request: ModelRequest,
    signal: AbortSignal,
  ): AsyncIterable<readonly ModelEvent[]> {
    signal.throwIfAborted();
    const step = steps[next];
    if (step === undefined) {
      throw refused(
        `The cassette ${path} has no step ${
          next + 1
        }: it holds ${steps.length}, and the run asks for more`,
      );
    }
    next++;
    checkExpectations(step, request, path);
    yield* playedEvents(step, contextOf(path, request), signal);
  }
  return {
    provider: "replay",
    model: path,
    contextWindow: spec.contextWindow ?? 0,
    hasPrices: true,
    stream,
  };
}

/** A step without a finish gets one. */
async function* playedEvents(
  { events }: CassetteStep,
  context: RequestContext,
  signal: AbortSignal,
): AsyncIterable<readonly ModelEvent[]> {
  let calls = 0, blocks = 0;
  let before: JsonObject | undefined;
  for (const event of events) {
    signal.throwIfAborted();
    const metadata = event.metadata === undefined ? {} : { metadata: event.metadata as JsonObject };
    switch (event.type) {
      case "text":
      case "thinking": {
        const { type } = event;
        if (event.block === undefined && before?.type !== type) blocks++;
        const block = String(event.block ?? `unnamed-${blocks}`);
        const [first, ...others] = piecesOf(event);
        yield [{ type, block, delta: first!, ...metadata }];
        for (const delta of others) yield [{ type, block, delta }];
        break;
      }
      case "tool_call": {
        const { id, name, input = "" } = event;
        yield [{
          type: "tool_call",
          id: typeof id === "string" ? id : `call_${++calls}`,
          name: String(name),
          inputText: typeof input === "string" ? input : JSON.stringify(input),
          ...metadata,
        }];
        break;
      }
      case "notice":
        yield [{ type: "notice", message: String(event.message) }];
        break;
      case "wait":
        await delay(Number(event.ms), signal);
        break;
      case "error":
        throw playedFailure(event, context);
      case "finish":
        yield [finish(event, events)];
        return;
    }
    before = event;
  }
  yield [finish({}, events)];
}

/** The deltas that a recorded text came in; the text alone where it was written by hand. */
function piecesOf(event: JsonObject): string[] {
  const text = String(event.delta);
  const lengths = Array.isArray(event.pieces) ? event.pieces.map(Number) : [];
  const total = lengths.reduce((sum, length) => sum + length, 0);
  if (lengths.length === 0 || total !== text.length) return [text];
  let at = 0;
  return lengths.map((length) => text.slice(at, at += length));
}

function finish(event: JsonObject, events: readonly JsonObject[]): ModelEvent {
  const reason = event.reason ??
    (events.some(({ type }) => type === "tool_call") ? "tool_calls" : "stop");
  return {
    type: "finish",
    reason: reason as FinishReason,
    ...event.raw_reason === undefined ? {} : { rawReason: String(event.raw_reason) },
    ...event.output_limit === undefined ? {} : { outputLimit: Number(event.output_limit) },
    usage: (event.usage ?? {}) as Usage,
  };
}

function refused(sentence: string): ModelError {
  return new ModelError("request", `${sentence}.`, { retryable: false });
}

function checkExpectations(step: CassetteStep, request: ModelRequest, path: string): void {
  const { expect, line } = step;
  if (expect?.tools !== undefined) {
    const offered = request.tools.map((tool) => tool.name);
    const missing = expect.tools.filter((name) => !offered.includes(name));
    const extra = offered.filter((name) => !expect.tools!.includes(name));
    if (missing.length > 0 || extra.length > 0) {
      const difference = [
        ...missing.length > 0 ? [`missing ${missing.join(", ")}`] : [],
        ...extra.length > 0 ? [`unexpected ${extra.join(", ")}`] : [],
      ];
      throw refused(
        `${path}:${line}: expected the tools ${expect.tools.join(", ") || "none"}, offered were ${
          offered.join(", ") || "none"
        } (${difference.join("; ")})`,
      );
    }
  }
  if (expect?.lastMessage !== undefined) {
    const last = request.messages.at(-1);
    const text = last === undefined ? "" : textOf(last);
    if (!text.includes(expect.lastMessage)) {
      throw refused(
        `${path}:${line}: expected the last message to hold ${
          JSON.stringify(expect.lastMessage)
        }, found ${last === undefined ? "none" : `${last.role}: ${JSON.stringify(short(text))}`}`,
      );
    }
  }
}

function short(text: string): string {
  return text.length > 300 ? `${text.slice(0, 300)}...`.toWellFormed() : text;
}

/** `{"type":"error","status":429,"message":"...","retry_after_ms":0}`, or a kind of our own. */
function playedFailure(event: JsonObject, context: RequestContext): ModelError {
  const message = typeof event.message === "string" ? event.message : undefined;
  const kind = modelErrorKinds.find((known) => known === event.kind);
  if (kind !== undefined) {
    const retryable = typeof event.retryable === "boolean"
      ? event.retryable
      : kind === "overload" || kind === "network" || kind === "quota";
    return new ModelError(kind, message ?? `The cassette plays a failure (${kind}).`, {
      retryable,
    });
  }
  if (typeof event.status === "number") {
    const headers = new Headers();
    if (typeof event.retry_after_ms === "number") {
      headers.set("retry-after-ms", String(event.retry_after_ms));
    }
    const fault = { type: "http", status: event.status, headers, body: message ?? "" } as const;
    return failureOf(fault, context);
  }
  const error = event.error ?? message ?? "the cassette plays a failure";
  return failureOf({ type: "stream", error }, context);
}

function contextOf(path: string, request: ModelRequest): RequestContext {
  return {
    provider: "replay",
    model: path,
    endpoint: "the cassette",
    hasKey: false,
    secrets: [],
    tools: request.tools.map((tool) => tool.name),
    now: Date.now(),
  };
}
