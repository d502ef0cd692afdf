/** The rules for retrying a failed model request. */
import { ModelError } from "../core/model.ts";
import { laterAdvice, seconds } from "./model_stream.ts";
import type { RunContext } from "./run_context.ts";

const maxRetries = 4;
/** Where a server asks for a longer pause than this, the failure is final. */
const maxWaitMs = 300_000;

const firstWaitMs = 500;

/**
 * Gives what `attempt` gives; a failure that may pass is announced, with `again` for what follows,
 * and retried after a pause. Throws the final failure, and the signal's reason where it aborts a
 * pause.
 */
export async function withRetries<T>(
  attempt: () => Promise<T>,
  { again, ...about }: { readonly again: string; readonly step?: number },
  { emit, host }: RunContext,
  signal: AbortSignal,
): Promise<T> {
  for (let retry = 1;; retry++) {
    try {
      return await attempt();
    } catch (error) {
      if (signal.aborted || !(error instanceof ModelError)) throw error;
      const waitMs = retryWaitMs(error, retry, Math.random());
      if (waitMs === undefined) throw error;
      const message = `${reasonOf(error, retry)}; ${again} in ${
        seconds(waitMs)
      } s (${retry} of ${maxRetries})`;
      await emit({ type: "diagnostic", level: "warning", message, ...about });
      await host.clock.delay(waitMs, signal);
    }
  }
}

/**
 * Milliseconds to wait before a retry (from 1), or undefined where the failure is final. `random` is
 * in 0..1; the wait is between a half and the whole of the exponential step.
 */
function retryWaitMs(error: ModelError, retry: number, random: number): number | undefined {
  if (!error.details.retryable || retry > maxRetries) return undefined;
  const backoffMs = firstWaitMs * 2 ** (retry - 1) * (0.5 + random / 2);
  const askedMs = error.details.waitMs ?? 0;
  if (askedMs > maxWaitMs) return undefined;
  return Math.max(backoffMs, askedMs);
}

/**
 * What failed, without what a person could do afterwards. What may help at once, as starting the server, is
 * said the first time.
 */
function reasonOf({ kind, message, details }: ModelError, retry: number): string {
  const sentence = message.replace(/\.$/, "");
  const advice = `; ${details.advice}`;
  const helpsNow = retry === 1 && kind === "network" && details.advice !== laterAdvice;
  return helpsNow || !sentence.endsWith(advice) ? sentence : sentence.slice(0, -advice.length);
}
