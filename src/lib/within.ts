/** A limit of time for what has none of its own. */
import { delay } from "./delay.ts";

/** What `work` comes to; rejects with `late()` where that takes more than `ms`. */
export async function within<T>(ms: number, work: Promise<T>, late: () => Error): Promise<T> {
  const over = new AbortController();
  // it may fail after the limit, when nobody listens any more
  work.catch(() => {});
  const limit = delay(ms, over.signal).then(() => Promise.reject(late()));
  limit.catch(() => {});
  return await Promise.race([work, limit]).finally(() => over.abort());
}
