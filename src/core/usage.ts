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

/** The sum of two counts; a number that one side alone reported is kept. */
export function addUsage(a: Usage, b: Usage): Usage {
  const sum: { -readonly [K in keyof Usage]: Usage[K] } = {};
  for (const key of keys) {
    const left = a[key], right = b[key];
    if (left !== undefined || right !== undefined) sum[key] = (left ?? 0) + (right ?? 0);
  }
  return sum;
}
