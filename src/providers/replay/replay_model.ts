/** The model that plays a cassette: offline, step by step, with its expectations checked. */
import type { LanguageModelV4Usage } from "@ai-sdk/provider";
import { RunFailure } from "../../core/failure.ts";
import type { JsonObject } from "../../core/json.ts";
import { textOf } from "../../core/message.ts";
import {
  type ChatModel,
  ModelError,
  modelErrorKinds,
  type ModelEvent,
  type ModelRequest,
} from "../../core/model.ts";
import type { Usage } from "../../core/usage.ts";
import { modelEvents } from "../adapter/events.ts";
import { classify, type RequestContext } from "../classify.ts";
import type { ModelSpec } from "../create_model.ts";
import type { AnswerFacts } from "../edge/fault.ts";
import { type CassetteStep, readCassette } from "./cassette.ts";
import { stepParts } from "./step_parts.ts";

/** Reads the cassette whole, so that what is wrong with it is told before anything runs. */
export function replayModel(spec: ModelSpec): ChatModel {
  if (spec.model.trim() === "") {
    throw new RunFailure(
      "config",
      "The replay provider needs a cassette; name one with --model FILE.",
    );
  }
  const path = spec.model;
  const steps = readCassette(path);
  let next = 0;

  async function* stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent> {
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
    const facts: AnswerFacts = {};
    const context = contextOf(path, request);
    const usedIds = new Set(
      request.messages.flatMap((message) =>
        message.role === "assistant"
          ? message.content.flatMap((part) => part.type === "tool_use" ? [part.id] : [])
          : []
      ),
    );
    const parts = stepParts(step.parts, (part) => playedFailure(part, context), signal);
    yield* modelEvents(parts, {
      facts,
      provider: "replay",
      usedIds,
      usage: (part) => usageIn(part.usage),
      failure: (error) => signal.aborted ? signal.reason : classify(facts.fault, error, context),
    });
  }
  return { provider: "replay", model: path, contextWindow: spec.contextWindow ?? 0, stream };
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
function playedFailure(part: JsonObject, context: RequestContext): ModelError {
  const message = typeof part.message === "string" ? part.message : undefined;
  const kind = modelErrorKinds.find((known) => known === part.kind);
  if (kind !== undefined) {
    const retryable = typeof part.retryable === "boolean"
      ? part.retryable
      : kind === "overload" || kind === "network" || kind === "quota";
    return new ModelError(kind, message ?? `The cassette plays a failure (${kind}).`, {
      retryable,
    });
  }
  if (typeof part.status === "number") {
    const headers = new Headers();
    if (typeof part.retry_after_ms === "number") {
      headers.set("retry-after-ms", String(part.retry_after_ms));
    }
    const fault = { type: "http", status: part.status, headers, body: message ?? "" } as const;
    return classify(fault, undefined, context);
  }
  const error = part.error ?? message ?? "the cassette plays a failure";
  return classify({ type: "stream", error }, undefined, context);
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

function usageIn({ inputTokens, outputTokens }: LanguageModelV4Usage): Usage {
  const told = {
    input_tokens: inputTokens.total,
    output_tokens: outputTokens.total,
    cache_read_tokens: inputTokens.cacheRead,
    cache_write_tokens: inputTokens.cacheWrite,
    reasoning_tokens: outputTokens.reasoning,
  };
  return Object.fromEntries(Object.entries(told).filter(([, count]) => count !== undefined));
}
