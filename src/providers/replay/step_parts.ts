/** The way from a cassette's parts, short forms included, to whole stream parts. */
import type { LanguageModelV4StreamPart, LanguageModelV4Usage } from "@ai-sdk/provider";
import { isJsonObject, type Json, type JsonObject } from "../../core/json.ts";
import { delay } from "../../lib/delay.ts";

/** Plays parts; a step without a finish gets one. `fail` makes what an error part throws. */
export async function* stepParts(
  parts: readonly JsonObject[],
  fail: (part: JsonObject) => Error,
  signal: AbortSignal,
): AsyncIterable<LanguageModelV4StreamPart> {
  let calls = 0, blocks = 0;
  let finished = false;
  for (const part of parts) {
    signal.throwIfAborted();
    const id = typeof part.id === "string" ? part.id : "";
    const metadata = isJsonObject(part.providerMetadata)
      ? { providerMetadata: part.providerMetadata as Record<string, JsonObject> }
      : {};
    switch (part.type) {
      case "text":
      case "reasoning": {
        const own = `whole-${blocks++}`;
        yield { type: `${part.type}-delta`, id: own, delta: textIn(part), ...metadata };
        break;
      }
      case "text-start":
      case "text-end":
      case "reasoning-start":
      case "reasoning-end":
        yield { type: part.type, id, ...metadata };
        break;
      case "text-delta":
      case "reasoning-delta":
        for (const delta of piecesIn(part)) yield { type: part.type, id, delta, ...metadata };
        break;
      case "tool-input-start":
      case "tool-input-delta":
        yield { type: "tool-input-delta", id, delta: textIn(part) };
        break;
      case "tool-call": {
        calls++;
        const input = part.input ?? part.args ?? "";
        yield {
          type: "tool-call",
          toolCallId: String(part.toolCallId ?? part.id ?? `call_${calls}`),
          toolName: String(part.toolName ?? part.name),
          input: typeof input === "string" ? input : JSON.stringify(input),
          ...metadata,
        };
        break;
      }
      case "wait":
        await delay(typeof part.ms === "number" ? part.ms : 0, signal);
        break;
      case "error":
        throw fail(part);
      case "finish":
        finished = true;
        yield finish(part, calls);
    }
  }
  if (!finished) yield finish({}, calls);
}

function textIn(part: JsonObject): string {
  const value = part.delta ?? part.text ?? part.textDelta;
  return typeof value === "string" ? value : "";
}

/** The deltas that a recorded text came in; the text alone where it was written by hand. */
function* piecesIn(part: JsonObject): Generator<string> {
  const text = textIn(part);
  const lengths = (Array.isArray(part.pieces) ? part.pieces : []).map(number);
  const total = lengths.reduce<number>((sum, length) => sum + (length ?? NaN), 0);
  if (lengths.length === 0 || total !== text.length) return yield text;
  let at = 0;
  for (const length of lengths) yield text.slice(at, at += length ?? 0);
}

type FinishPart = LanguageModelV4StreamPart & { type: "finish" };

function finish(part: JsonObject, calls: number): FinishPart {
  const told = part.finishReason;
  const raw = typeof told === "string"
    ? told
    : isJsonObject(told)
    ? told.raw ?? undefined
    : undefined;
  const unified = isJsonObject(told) ? told.unified : told;
  return {
    type: "finish",
    finishReason: {
      unified: isReason(unified) ? unified : unified === undefined ? ended(calls) : "other",
      raw: typeof raw === "string" ? raw : undefined,
    },
    usage: usage(part.usage),
  };
}

function ended(calls: number): "tool-calls" | "stop" {
  return calls > 0 ? "tool-calls" : "stop";
}

type Unified = FinishPart["finishReason"]["unified"];

function isReason(value: Json | undefined): value is Unified {
  return value === "stop" || value === "length" || value === "content-filter" ||
    value === "tool-calls" || value === "error" || value === "other";
}

/** Whole usage objects, and plain numbers under the usual names. */
function usage(value: Json | undefined): LanguageModelV4Usage {
  const told = isJsonObject(value) ? value : {};
  const input = told.inputTokens ?? told.input_tokens;
  const output = told.outputTokens ?? told.output_tokens;
  const inside = isJsonObject(input) ? input : { total: input ?? null };
  const outside = isJsonObject(output) ? output : { total: output ?? null };
  return {
    inputTokens: {
      total: number(inside.total),
      noCache: number(inside.noCache),
      cacheRead: number(inside.cacheRead ?? told.cache_read_tokens),
      cacheWrite: number(inside.cacheWrite ?? told.cache_write_tokens),
    },
    outputTokens: {
      total: number(outside.total),
      text: number(outside.text),
      reasoning: number(outside.reasoning ?? told.reasoning_tokens),
    },
  };
}

function number(value: Json | undefined): number | undefined {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 ? value : undefined;
}
