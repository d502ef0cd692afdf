/** How many threads a search takes, and when. */
import type { Collector } from "./collector.ts";
import type { ParallelScan } from "./parallel_scan.ts";

/**
 * Work of so long is worth one worker: it takes 25 ms of this thread's time to start, and as much of its
 * own to become quick.
 */
const msForOneWorker = 75;
/** Batches by which the matches asked for have been found, if they are frequent. */
const batchesBeforeWorkers = 8;

/** Workers that the files found so far are worth, where nothing says that few of them will do. */
export function workersFor(scan: ParallelScan, collector: Collector): number {
  if (!takesAll(scan, collector)) return 0;
  const worth = Math.floor(scan.remainingMs() / msForOneWorker);
  return Math.min(workersBesides(), Math.max(worth, scan.kept()));
}

/** Nothing has matched in the first files, or not enough in more of them: probably all are to be searched. */
export function takesAll(scan: ParallelScan, collector: Collector): boolean {
  if (collector.collected.matches.length === 0) return scan.answered() >= batchesMeasured;
  return scan.answered() >= batchesBeforeWorkers && !collector.isEnough(Infinity);
}

/** The first batch takes longer than the others, and says nothing of them. */
const batchesMeasured = 3;

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
