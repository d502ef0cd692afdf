/** The policy of repeating a failed model request. */
import type { ModelError } from "../core/model.ts";

export const maxRetries = 4;
/** A server that asks for a longer pause than this is told to the person instead. */
const maxWaitMs = 300_000;

const firstWaitMs = 500;

/**
 * Milliseconds to wait before the `attempt`-th repetition (from 1), or undefined where the failure
 * is final. `random` is in 0..1; the wait is between a half and the whole of the exponential step.
 */
export function retryWaitMs(
  error: ModelError,
  attempt: number,
  random: number,
): number | undefined {
  if (!error.details.retryable || attempt > maxRetries) return undefined;
  const backoffMs = firstWaitMs * 2 ** (attempt - 1) * (0.5 + random / 2);
  const askedMs = error.details.waitMs ?? 0;
  if (askedMs > maxWaitMs) return undefined;
  return Math.max(backoffMs, askedMs);
}
