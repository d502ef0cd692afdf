/** Owns thinking levels: the nearest one that a model has. */
import { type ThinkingLevel, thinkingLevels } from "../../core/model.ts";

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
