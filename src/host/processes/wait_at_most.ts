/** Waits for an event for a limited time, without a timer that stays behind. */
import { delay } from "../../lib/delay.ts";

/** Resolves when `event` has settled, or after `ms`. */
export async function waitAtMost(ms: number, event: Promise<unknown>): Promise<void> {
  const over = new AbortController();
  const settled = event.then(() => {}, () => {}).then(() => over.abort());
  await Promise.race([settled, delay(ms, over.signal).catch(() => {})]);
}
