/** Thinking levels: the nearest one that a model has, and the room that thinking takes. */
import { type ThinkingLevel, thinkingLevels } from "../../core/model.ts";
import type { Target } from "./target.ts";

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

/**
 * The cap to send so that `wanted` tokens are left for the answer. OpenAI's and Google's caps count
 * thinking, too; Anthropic's package adds its budget itself; other servers get the number as it is.
 */
export function outputCap(
  wanted: number,
  level: ThinkingLevel | undefined,
  target: Pick<Target, "wire" | "facts">,
): number {
  const { maxOutputTokens, thinking } = target.facts;
  if (maxOutputTokens === 0) return wanted;
  const thinks = thinking.some((known) => known !== "none");
  const counted = thinks && (target.wire === "responses" || target.wire === "google");
  const room = !counted ? 0 : level === undefined ? unsaidRoom : thinkingRoom[level];
  return Math.min(wanted + room, maxOutputTokens);
}
