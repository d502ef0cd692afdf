/** A delay that an abort ends. */

/** The longest wait that a timer can hold; a longer one would overflow and fire at once. */
export const longestTimerMs = 2 ** 31 - 1;

/** Resolves after `ms` milliseconds; rejects with the signal's reason when it aborts first. */
export function delay(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", onAbort);
      resolve();
    }, Math.min(ms, longestTimerMs));
    signal?.addEventListener("abort", onAbort, { once: true });
  });
}
