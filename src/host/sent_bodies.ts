/** The memory of request bodies: has it given back in time. */

/** V8's collector, which the binary can call (`scripts/compile_folder.ts`). */
type Collect = (options: { readonly type: "major" }) => void;

/** So much is sent before what is left of it is collected. */
const collectEveryBytes = 8 * 1024 * 1024;

let sentBytes = 0;

/**
 * Hears of a body that was sent. The runtime copies bodies, and the copies are collected late: without
 * this a run of a thousand steps holds a dozen of the latest. It takes some 10 ms, while the model works.
 */
export function bodyWasSent(bytes: number): void {
  sentBytes += bytes;
  if (sentBytes < collectEveryBytes) return;
  sentBytes = 0;
  (globalThis as { readonly gc?: Collect }).gc?.({ type: "major" });
}
