/** Yields to the event loop in the middle of long work. */
import { setImmediate } from "node:timers";

/**
 * Lets everything that has happened meanwhile be handled, without the millisecond that a timer takes.
 * Rejects with the reason of a signal that has aborted.
 */
export async function yieldToEvents(signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  await new Promise<void>((resolve) => void setImmediate(resolve));
  signal?.throwIfAborted();
}
