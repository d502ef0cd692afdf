/** Gives up a wait when a signal aborts, whatever is waited for does. */

/** What `promise` comes to; rejects with the signal's reason once it aborts. */
export function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort, { once: true });
    // also after an abort: nobody else may be there to take its failure
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}
