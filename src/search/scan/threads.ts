/** How many threads a search takes, and when. */
import type { Collector } from "./collector.ts";
import type { ParallelScan } from "./parallel_scan.ts";

/**
 * A worker takes 30 ms of this thread's time to start, and more of its own: in fewer files than this it is
 * not worth that.
 */
const filesForOneThread = 1024;
/** Batches by which the matches asked for have been found, if they are frequent. */
const batchesBeforeWorkers = 8;

/** So many files have been found that one thread should not search them alone, and nothing says that few will do. */
export function isWorthWorkers(files: number, scan: ParallelScan, collector: Collector): boolean {
  return scan.isAlone() && files >= filesForOneThread &&
    scan.answered() >= batchesBeforeWorkers && !collector.isEnough(Infinity);
}

/** Batches that must wait after the walk for one more worker to be worth its start. */
const batchesForOneMore = 96, batchesBeforeOneMore = 16;

/** Much is left to do after a first part, in which not so much has matched that the rest is not needed. */
export function isWorthOneMore(scan: ParallelScan, collector: Collector): boolean {
  return scan.answered() >= batchesBeforeOneMore && scan.pending() >= batchesForOneMore &&
    !collector.isEnough(Infinity);
}

/** Workers for the processors that this thread does not keep busy. */
export function workersBesides(): number {
  return Math.max(1, Math.min(navigator.hardwareConcurrency, maxThreads) - 1);
}

/** More threads wait for the same disk and the same kernel locks. */
const maxThreads = 6;
