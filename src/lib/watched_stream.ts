/** Limits the wait for a stream: silence and abort end it, whatever the source does. */
import { longestTimerMs } from "./delay.ts";

export interface Watch<T> {
  readonly idleMs: number;
  readonly signal: AbortSignal;
  /** True for an item that only shows that somebody is there: it counts for a while. */
  isKeepAlive?(item: T): boolean;
  /** Called after `idleMs` of silence; its error is thrown. Should also abort the source. */
  onIdle(silence: Silence): Error;
}

export interface Silence {
  /** Since the last item that is no keep-alive. */
  readonly ms: number;
  /** Whether keep-alives came meanwhile. */
  readonly keptAlive: boolean;
}

/** How many times the limit keep-alives may hold a stream open that brings nothing. */
const keepAliveTimes = 3;

/** Passes `source` on until it ends, falls silent, or the signal aborts (its reason is thrown). */
export async function* watchedStream<T>(
  source: AsyncIterable<T>,
  watch: Watch<T>,
): AsyncGenerator<T> {
  const iterator = source[Symbol.asyncIterator]();
  const limitMs = Math.min(watch.idleMs, longestTimerMs);
  let failWait: ((error: unknown) => void) | undefined;
  let lastMs = performance.now(), contentMs = lastMs;
  // One timer for the whole stream: it looks back when it fires, so an item costs no new timer.
  const check = () => {
    const nowMs = performance.now();
    const endMs = Math.min(lastMs + limitMs, contentMs + keepAliveTimes * limitMs);
    if (endMs > nowMs || !failWait) timer = setTimeout(check, Math.max(endMs - nowMs, 1000));
    else failWait(watch.onIdle({ ms: nowMs - contentMs, keptAlive: lastMs > contentMs }));
  };
  let timer = setTimeout(check, limitMs);
  const onAbort = () => failWait?.(watch.signal.reason);
  watch.signal.addEventListener("abort", onAbort, { once: true });
  try {
    while (true) {
      watch.signal.throwIfAborted();
      // A promise of its own for each wait: one that lasted would collect a reaction an item.
      const next = await new Promise<IteratorResult<T>>((resolve, reject) => {
        failWait = reject;
        iterator.next().then(resolve, reject);
      });
      failWait = undefined;
      if (next.done) return;
      const isKeepAlive = watch.isKeepAlive?.(next.value) === true;
      if (!isKeepAlive) yield next.value;
      lastMs = performance.now();
      if (!isKeepAlive) contentMs = lastMs;
    }
  } finally {
    failWait = undefined;
    clearTimeout(timer);
    watch.signal.removeEventListener("abort", onAbort);
    // Not awaited: a stream that hangs would hang its own clean-up.
    iterator.return?.()?.then(undefined, () => {});
  }
}
