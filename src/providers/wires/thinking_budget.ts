/** Thinking budgets, for servers that take a number of tokens in place of a level. */
import type { ThinkingLevel } from "../../core/model.ts";

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
