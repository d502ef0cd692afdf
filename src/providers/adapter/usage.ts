/** The reading of usage objects: one meaning for the numbers of every wire. */
import { isJsonObject, type Json, type JsonObject } from "../../core/json.ts";
import type { Usage } from "../../core/usage.ts";
import type { Wire } from "../catalog.ts";
import type { Prices } from "../models/model_facts.ts";

/** All prompt tokens with the cached ones, all generated tokens with the reasoning. */
export function usageOf(wire: Wire, raw: Json | undefined, prices: Prices | undefined): Usage {
  if (!isJsonObject(raw)) return {};
  const counts = readers[wire](raw);
  const cost = number(raw.cost) ?? costOf(counts, prices);
  const usage: Record<string, number> = {};
  for (const [key, value] of Object.entries(counts)) if (value !== undefined) usage[key] = value;
  if (cost !== undefined) usage.cost_usd = cost;
  return usage;
}

interface Counts {
  readonly input_tokens: number | undefined;
  readonly output_tokens: number | undefined;
  readonly cache_read_tokens: number | undefined;
  readonly cache_write_tokens: number | undefined;
  readonly reasoning_tokens: number | undefined;
}

const readers: Record<Wire, (raw: JsonObject) => Counts> = {
  chat: chatCounts,
  mistral: chatCounts,
  replay: chatCounts,
  responses: (raw) => ({
    input_tokens: count(raw.input_tokens),
    output_tokens: count(raw.output_tokens),
    cache_read_tokens: count(within(raw.input_tokens_details).cached_tokens),
    cache_write_tokens: count(within(raw.input_tokens_details).cache_write_tokens) || undefined,
    reasoning_tokens: count(within(raw.output_tokens_details).reasoning_tokens),
  }),
  anthropic: (raw) => {
    const read = count(raw.cache_read_input_tokens);
    const written = count(raw.cache_creation_input_tokens);
    const fresh = count(raw.input_tokens);
    return {
      // This wire counts cached tokens beside the input.
      input_tokens: fresh === undefined ? undefined : fresh + (read ?? 0) + (written ?? 0),
      output_tokens: count(raw.output_tokens),
      cache_read_tokens: read,
      cache_write_tokens: written,
      reasoning_tokens: count(within(raw.output_tokens_details).thinking_tokens),
    };
  },
  google: (raw) => {
    const thoughts = count(raw.thoughtsTokenCount);
    const answer = count(raw.candidatesTokenCount);
    return {
      input_tokens: count(raw.promptTokenCount),
      // This wire counts thoughts beside the answer.
      output_tokens: answer === undefined && thoughts === undefined
        ? undefined
        : (answer ?? 0) + (thoughts ?? 0),
      cache_read_tokens: count(raw.cachedContentTokenCount),
      cache_write_tokens: undefined,
      reasoning_tokens: thoughts,
    };
  },
};

function chatCounts(raw: JsonObject): Counts {
  const input = count(raw.prompt_tokens);
  const output = count(raw.completion_tokens);
  const total = count(raw.total_tokens);
  const reasoning = count(within(raw.completion_tokens_details).reasoning_tokens);
  // xAI counts reasoning beside the completion; its total shows it.
  const beside = reasoning !== undefined && input !== undefined && output !== undefined &&
    reasoning > 0 && total === input + output + reasoning;
  return {
    input_tokens: input,
    output_tokens: beside ? output + reasoning : output,
    cache_read_tokens: count(within(raw.prompt_tokens_details).cached_tokens) ??
      count(raw.prompt_cache_hit_tokens),
    cache_write_tokens: count(within(raw.prompt_tokens_details).cache_write_tokens),
    reasoning_tokens: reasoning,
  };
}

/** An estimate; undefined for unknown prices. */
function costOf(counts: Counts, prices: Prices | undefined): number | undefined {
  if (prices === undefined || counts.input_tokens === undefined) return undefined;
  const read = counts.cache_read_tokens ?? 0;
  const written = counts.cache_write_tokens ?? 0;
  const fresh = Math.max(0, counts.input_tokens - read - written);
  const dollars = fresh * prices.input + read * (prices.cacheRead ?? prices.input) +
    written * (prices.cacheWrite ?? prices.input) + (counts.output_tokens ?? 0) * prices.output;
  return Number((dollars / 1e6).toFixed(8));
}

function within(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

function number(value: Json | undefined): number | undefined {
  return typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : undefined;
}

function count(value: Json | undefined): number | undefined {
  const told = typeof value === "string" ? Number(value) : value;
  const known = number(told);
  return known === undefined ? undefined : Math.round(known);
}
