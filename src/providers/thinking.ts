/** Thinking levels: the nearest one that a model has, and the room that thinking takes. */
import { type ThinkingLevel, thinkingLevels } from "../core/model.ts";
import { limits } from "./wires/limits.ts";
import type { Target } from "./wires/wire.ts";

/** The supported level nearest to `wanted`; of two as near, the weaker. */
export function nearestLevel(
  wanted: ThinkingLevel,
  supported: readonly ThinkingLevel[],
): ThinkingLevel | undefined {
  const place = (level: ThinkingLevel) => thinkingLevels.indexOf(level);
  // "none" is a wish of its own kind: only a model without thinking above it gets it for another.
  const candidates = wanted === "none" || supported.every((level) => level === "none")
    ? supported
    : supported.filter((level) => level !== "none");
  let best: ThinkingLevel | undefined;
  for (const level of candidates) {
    const distance = Math.abs(place(level) - place(wanted));
    if (best === undefined || distance < Math.abs(place(best) - place(wanted))) best = level;
  }
  return best;
}

/** The level to send, and a sentence where it is another than the wanted one. */
export function sentLevel(
  wanted: ThinkingLevel | undefined,
  { facts, model }: Target,
): { readonly level: ThinkingLevel | undefined; readonly notice?: string } {
  if (wanted === undefined) return { level: undefined };
  const level = nearestLevel(wanted, facts.thinking);
  if (level === wanted) {
    // A model that never thinks needs no word about it.
    return { level: level === "none" && facts.thinking.length === 1 ? undefined : level };
  }
  if (level === undefined || level === "none") {
    const notice = `${model} has no thinking levels; the level ${wanted} is not sent.`;
    return { level: undefined, notice };
  }
  const notice = `${model} has no thinking level ${wanted}; the nearest, ${level}, is used.`;
  return { level, notice };
}

/** Tokens beside the answer that a level may think away. */
const thinkingRoom: Record<ThinkingLevel, number> = {
  none: 0,
  minimal: 2048,
  low: 8192,
  medium: 20_480,
  high: 32_768,
  xhigh: 65_536,
  max: 65_536,
};
const unsaidRoom = 16_384;

/** A cap that nobody asked for: long enough for what people ask, short enough for a model gone astray. */
const usualMostTokens = 32_000;

/**
 * The cap to send so that `wanted` tokens are left for the answer, where the cap counts thinking.
 * Undefined where nobody asked for one and the model's own is not known.
 */
export function outputCap(
  wanted: number | undefined,
  level: ThinkingLevel | undefined,
  { profile, facts }: Pick<Target, "profile" | "facts">,
): number | undefined {
  const { maxOutputTokens, thinking } = facts;
  if (maxOutputTokens === 0) return wanted;
  const counted = limits[profile].capCountsThinking && thinking.some((known) => known !== "none");
  const room = !counted ? 0 : level === undefined ? unsaidRoom : thinkingRoom[level];
  return Math.min((wanted ?? usualMostTokens) + room, maxOutputTokens);
}

/** Parts of the model's longest answer. */
const shares: Record<Exclude<ThinkingLevel, "none">, number> = {
  minimal: 0.02,
  low: 0.1,
  medium: 0.3,
  high: 0.6,
  xhigh: 0.9,
  max: 0.95,
};

/** Tokens for `level`, at least `least` and at most `most`. */
export function thinkingBudget(
  level: keyof typeof shares,
  longestAnswer: number,
  least: number,
  most: number,
): number {
  return Math.min(most, Math.max(least, Math.round(longestAnswer * shares[level])));
}
