/** Token counts of every wire with one meaning, and what they cost. */
import { isJsonObject, type Json, type JsonObject } from "../core/json.ts";
import type { Usage } from "../core/usage.ts";
import type { Prices } from "./models/model_facts.ts";

/** All prompt tokens with the cached ones, all generated tokens with the reasoning. */
export interface Counts {
  readonly input_tokens: number | undefined;
  readonly output_tokens: number | undefined;
  readonly cache_read_tokens: number | undefined;
  readonly cache_write_tokens: number | undefined;
  readonly reasoning_tokens: number | undefined;
  /** Dollars, where the server says so itself. */
  readonly cost?: number | undefined;
}

export function usageOf(counts: Counts | undefined, prices: Prices | undefined): Usage {
  if (counts === undefined) return {};
  const { cost, ...tokens } = counts;
  const dollars = cost ?? costOf(tokens, prices);
  return Object.fromEntries(
    Object.entries({ ...tokens, cost_usd: dollars }).filter(([, value]) => value !== undefined),
  );
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

/** A number that is none of tokens, such as a price; undefined for anything else. */
export function amount(value: Json | undefined): number | undefined {
  return typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : undefined;
}

/** A count of tokens, also one that came as text. */
export function count(value: Json | undefined): number | undefined {
  const known = amount(typeof value === "string" ? Number(value) : value);
  return known === undefined ? undefined : Math.round(known);
}

/** `value` where it is an object; else an empty one. */
export function within(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}
