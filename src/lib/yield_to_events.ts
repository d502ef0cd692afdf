/** Yields to the event loop in the middle of long work. */
import { setImmediate } from "node:timers";

/** The runtime looks at pipes when it waits for a timer, and hardly ever before. */
const waitEveryMs = 50;
let waitedMs = 0;

/**
 * Lets everything that has happened meanwhile be handled; what came through pipes every 50 ms, as a timer
 * takes up to a millisecond. Rejects with the reason of a signal that has aborted.
 */
export async function yieldToEvents(signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  const nowMs = performance.now(), waits = nowMs - waitedMs >= waitEveryMs;
  if (waits) waitedMs = nowMs;
  await new Promise<void>((resolve) =>
    void (waits ? setTimeout(resolve, 0) : setImmediate(resolve))
  );
  signal?.throwIfAborted();
}
