/** What is known about a model: windows, caps, prices, images, thinking levels. */
import type { ThinkingLevel } from "../../core/model.ts";

/** US dollars for a million tokens. */
export interface Prices {
  readonly input: number;
  readonly output: number;
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
}

export interface ModelFacts {
  /** Tokens; 0 where unknown. */
  readonly contextWindow: number;
  /** Most tokens of one answer; 0 where unknown. */
  readonly maxOutputTokens: number;
  /** Whether the model takes images; an unknown model gets the benefit of the doubt. */
  readonly images: boolean;
  /** The levels that the model tells apart, weakest first; only "none": it does not think. */
  readonly thinking: readonly ThinkingLevel[];
  readonly prices?: Prices;
}

export const unknownModel: ModelFacts = {
  contextWindow: 0,
  maxOutputTokens: 0,
  images: true,
  thinking: ["none", "low", "medium", "high"],
};
