/** Owns waiting that an abort ends. */

/** Resolves after `ms` milliseconds; rejects with the signal's reason when it aborts first. */
export function delay(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    // Longer waits would overflow the timer and fire at once.
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", onAbort);
      resolve();
    }, Math.min(ms, 2 ** 31 - 1));
    signal?.addEventListener("abort", onAbort, { once: true });
  });
}
