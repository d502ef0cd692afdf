/** What the requests of a run cost together, summaries and repeated answers among them, and its limit. */
import { addUsage, type Usage } from "../core/usage.ts";

export interface Spending {
  /** Of all requests so far. */
  readonly usage: Usage;
  /** A request ended without a word of its cost. */
  readonly isUnknown: boolean;
  isOver(): boolean;
  /** Before each request. Throws `CostReached` where none may begin any more. */
  begin(): void;
  add(usage: Usage): void;
}

/** No request may begin, as enough was spent. */
export class CostReached extends Error {
  override readonly name = "CostReached";
  constructor() {
    super("the limit of the cost is reached (--max-cost)");
  }
}

/** `maxCost` in dollars. */
export function createSpending(maxCost: number): Spending {
  let usage: Usage = {}, isUnknown = false;
  const isOver = () => (usage.cost_usd ?? 0) >= maxCost;
  return {
    get usage() {
      return usage;
    },
    get isUnknown() {
      return isUnknown;
    },
    isOver,
    begin() {
      if (isOver()) throw new CostReached();
    },
    add(more) {
      usage = addUsage(usage, more);
      isUnknown ||= more.cost_usd === undefined;
    },
  };
}
