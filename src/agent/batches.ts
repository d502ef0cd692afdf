/** Decides which calls of one answer run together. */

/** Neighbours that may run in parallel share a batch; every other call is a batch of its own. */
export function batchesOf<Call>(
  calls: readonly Call[],
  parallel: (call: Call) => boolean,
): Call[][] {
  const batches: Call[][] = [];
  let open = false;
  for (const call of calls) {
    const joins = parallel(call);
    if (joins && open) batches.at(-1)!.push(call);
    else batches.push([call]);
    open = joins;
  }
  return batches;
}
