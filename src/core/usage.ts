/** Token counts. */

/** Tokens of one request or the sum of several; a missing number was not reported. */
export interface Usage {
  /** All prompt tokens, cached ones included. */
  readonly input_tokens?: number;
  /** All generated tokens, reasoning included. */
  readonly output_tokens?: number;
  readonly cache_read_tokens?: number;
  readonly cache_write_tokens?: number;
  readonly reasoning_tokens?: number;
  /** Estimated from the model table; missing for unknown prices. */
  readonly cost_usd?: number;
}

const keys = [
  "input_tokens",
  "output_tokens",
  "cache_read_tokens",
  "cache_write_tokens",
  "reasoning_tokens",
  "cost_usd",
] as const;

export type UsageSum = { -readonly [K in keyof Usage]: Usage[K] };

/** The sum of two counts; a number that one side alone reported is kept. */
export function addUsage(a: Usage, b: Usage): Usage {
  const sum: UsageSum = {};
  addUsageTo(sum, a);
  addUsageTo(sum, b);
  return sum;
}

/** Adds one more to a sum of many. */
export function addUsageTo(sum: UsageSum, more: Usage): void {
  for (const key of keys) {
    const number = more[key];
    if (number !== undefined) sum[key] = (sum[key] ?? 0) + number;
  }
}
