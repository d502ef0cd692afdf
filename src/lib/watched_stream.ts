/** Limits the wait for a stream: silence and abort end it, whatever the source does. */
import { longestTimerMs } from "./delay.ts";

export interface Watch {
  readonly idleMs: number;
  readonly signal: AbortSignal;
  /** Called after `idleMs` of silence; its error is thrown. Should also abort the source. */
  onIdle(): Error;
}

/** Passes `source` on until it ends, falls silent, or the signal aborts (its reason is thrown). */
export async function* watchedStream<T>(source: AsyncIterable<T>, watch: Watch): AsyncGenerator<T> {
  const iterator = source[Symbol.asyncIterator]();
  const limitMs = Math.min(watch.idleMs, longestTimerMs);
  let failWait: ((error: unknown) => void) | undefined;
  let lastMs = performance.now();
  // One timer for the whole stream: it looks back when it fires, so an item costs no new timer.
  const check = () => {
    const leftMs = lastMs + limitMs - performance.now();
    if (leftMs > 0 || !failWait) timer = setTimeout(check, Math.max(leftMs, 1000));
    else failWait(watch.onIdle());
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
      yield next.value;
      lastMs = performance.now();
    }
  } finally {
    failWait = undefined;
    clearTimeout(timer);
    watch.signal.removeEventListener("abort", onAbort);
    // Not awaited: a stream that hangs would hang its own clean-up.
    iterator.return?.()?.then(undefined, () => {});
  }
}
