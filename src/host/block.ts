/** Waits synchronously, which holds the whole program up. */

/** Does nothing for `waitMs` milliseconds: a few at most. */
export function blockFor(waitMs: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, waitMs);
}
