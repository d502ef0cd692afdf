/** Spreads one search over many batches: who works on them, and that every batch is answered. */
import { type BatchResult, searchBatch, type Searcher, withTimeouts } from "./batch.ts";
import type { Plan } from "../engine/query.ts";
import type { FileBatch } from "./file_batch.ts";
import { boardSize, createScanBoard } from "./scan_board.ts";
import { createPace } from "./pace.ts";
import type { WorkerPool } from "./worker_pool.ts";

export interface ScanOptions {
  readonly plan: Plan;
  readonly maxLines: number;
  /** What all files are below, with a final slash. */
  readonly root: string;
  /** What this thread works with when it helps: see `canHelp`. */
  readonly local: Searcher;
  readonly onResult: (batch: number, files: FileBatch, result: BatchResult) => void;
}

export interface ParallelScan {
  /** Hands out a batch. */
  offer(files: FileBatch): void;
  /** False while so much waits that more should not be collected. */
  hasRoom(): boolean;
  /** Batches without an answer yet. */
  pending(): number;
  /** Whether there are no workers. */
  isAlone(): boolean;
  /** Batches with one. */
  answered(): number;
  /** How long this thread would take for what is pending, by what it took so far. */
  remainingMs(): number;
  startWorkers(count: number): void;
  /** Workers that need not be started, as a search before has done so. */
  kept(): number;
  /**
   * Whether this thread can do a part of the work: then there need not be workers. It searches where the
   * plan is light; else it only looks for files that may match, which others search.
   */
  canHelp(): boolean;
  /** Works on batches itself until `untilMs` of `performance.now()`; false where none was left to take. */
  help(untilMs: number): boolean;
  /**
   * Resolves at the next answer, and from time to time; rejects where a worker broke down, and with the
   * signal's reason.
   */
  progress(signal: AbortSignal): Promise<void>;
  /** Ends the search: nothing more will be answered. Workers in the middle of something are ended. */
  end(): void;
}

/** Longest time for one file; a worker that is on it for longer is ended. */
const fileLimitMs = 3_000;
const tickMs = 100;
/** Where more of the first so many files may match, looking at them twice takes longer. */
const minLooked = 64, maxLeftShare = 0.25;

interface Waiting {
  readonly files: FileBatch;
  /** Files (places in the batch) that took too long. */
  readonly without: number[];
  /** What this thread has found out about the others, where only some may match. */
  looked?: { readonly others: readonly number[]; readonly skipped: BatchResult["skipped"] };
}

export function startScan(pool: WorkerPool, options: ScanOptions): ParallelScan {
  const board = createScanBoard();
  const waiting = new Map<number, Waiting>();
  const backlog: FileBatch[] = [];
  let offered = 0, helped = 0, threads = 0;
  const pace = createPace();
  /** Files looked through for workers, and how many of them may match. */
  let looked = 0, left = 0;
  let failure: Error | undefined;
  let wake: (() => void) | undefined;
  const watch = new Map<number, { batch: number; file: number; sinceMs: number }>();

  const settle = (batch: number, result: BatchResult) => {
    const entry = waiting.get(batch);
    if (!entry) return;
    waiting.delete(batch);
    options.onResult(batch, entry.files, withTimeouts(withLooked(result, entry), entry.without));
    release();
    wake?.();
  };
  /** Puts on the board what finds room there. */
  const release = () => {
    while (backlog.length > 0 && offered - firstOf(waiting, offered) < boardSize) {
      const batch = offered++;
      waiting.set(batch, { files: backlog.shift()!, without: [] });
      for (let thread = 1; thread <= threads; thread++) offerTo(thread, batch);
    }
  };
  const search = pool.open({
    onAnswer: ({ batch, result }) => settle(batch, result),
    onReplaced(thread) {
      if (thread > threads) return;
      introduce(thread);
      // What the old worker had taken, its answer perhaps still under way; a second one is ignored.
      for (const [batch, entry] of waiting) {
        if (board.takerOf(batch) === thread) assign(thread, batch, entry);
      }
    },
    onFailure(error) {
      failure = error;
      wake?.();
    },
  });
  const introduce = (thread: number) => {
    const { maxLines, root, plan: { query } } = options;
    pool.post(thread, {
      kind: "search",
      search,
      thread,
      board: board.buffer,
      query,
      maxLines,
      root,
    });
    for (const batch of waiting.keys()) offerTo(thread, batch);
  };
  const offerTo = (thread: number, batch: number) => {
    const files = waiting.get(batch)!.files.bytes;
    pool.post(thread, { kind: "batch", search, batch, files });
  };

  /** Has a thread do what is not known yet of a batch that is its own. */
  const assign = (thread: number, batch: number, { files, without, looked }: Waiting) => {
    const done = [...without, ...looked?.others ?? []];
    pool.post(thread, { kind: "again", search, batch, files: files.bytes, without: done });
  };
  const startWorkers = (count: number) => {
    pool.ensure(count);
    while (threads < count) introduce(++threads);
  };
  const canHelp = () => {
    const { light, bytes } = options.plan;
    return light || bytes !== undefined && (looked < minLooked || left < looked * maxLeftShare);
  };
  /** Looks through a batch, and leaves what may match to a worker. */
  const lookThrough = (batch: number, entry: Waiting) => {
    const { bytes, count } = entry.files;
    const may = new Set<number>();
    const { root, local, maxLines } = options;
    const result = searchBatch(bytes, root, local, maxLines, () => true, (file) => may.add(file));
    looked += count;
    left += may.size;
    if (may.size === 0) return settle(batch, result);
    const others = Array.from({ length: count }, (_, file) => file).filter((file) =>
      !may.has(file)
    );
    entry.looked = { others, skipped: result.skipped };
    if (threads === 0) startWorkers(1);
    const thread = 1 + batch % threads;
    board.give(batch, thread);
    assign(thread, batch, entry);
  };

  /** Ends workers that stay on one file for too long, and has the rest of its batch done again. */
  const checkProgress = () => {
    const nowMs = performance.now();
    for (let thread = 1; thread <= threads; thread++) {
      const { batch, file } = board.placeOf(thread);
      const seen = watch.get(thread);
      if (seen?.batch !== batch || seen.file !== file) {
        watch.set(thread, { batch, file, sinceMs: nowMs });
        continue;
      }
      const entry = waiting.get(batch);
      if (!entry || nowMs - seen.sinceMs < fileLimitMs) continue;
      watch.delete(thread);
      entry.without.push(file);
      board.enter(thread, -1, 0);
      pool.replace(thread);
    }
  };

  return {
    offer(files) {
      backlog.push(files);
      release();
    },
    hasRoom: () => waiting.size + backlog.length < boardSize / 2,
    pending: () => waiting.size + backlog.length,
    isAlone: () => threads === 0,
    answered: () => offered - waiting.size,
    remainingMs() {
      const pending = [...waiting.values().map(({ files }) => files), ...backlog];
      return pace.expect(pending.reduce((sum, { count }) => sum + count, 0));
    },
    startWorkers,
    kept: pool.count,
    canHelp,
    help(untilMs) {
      const { root, local, maxLines } = options;
      for (; helped < offered && canHelp(); helped++) {
        const entry = waiting.get(helped);
        if (!entry || !board.take(helped, 0)) continue;
        const startedMs = performance.now();
        if (!options.plan.light) lookThrough(helped, entry);
        else settle(helped, searchBatch(entry.files.bytes, root, local, maxLines, () => true));
        pace.did(entry.files.count, startedMs);
        if (performance.now() < untilMs) continue;
        helped++;
        return true;
      }
      return false;
    },
    async progress(signal) {
      signal.throwIfAborted();
      await new Promise<void>((resolve) => {
        const done = () => {
          clearTimeout(timer);
          signal.removeEventListener("abort", done);
          resolve();
        };
        const timer = setTimeout(done, tickMs);
        signal.addEventListener("abort", done);
        wake = done;
        if (failure) done();
      });
      signal.throwIfAborted();
      wake = undefined;
      if (failure) throw new Error(`the search worker failed: ${failure.message}`);
      checkProgress();
    },
    end() {
      board.end();
      pool.close(search);
      for (let thread = 1; thread <= threads; thread++) {
        if (waiting.has(board.placeOf(thread).batch)) pool.replace(thread);
      }
    },
  };
}

function firstOf(waiting: ReadonlyMap<number, unknown>, otherwise: number): number {
  for (const batch of waiting.keys()) return batch;
  return otherwise;
}

/** `result` with what is known of the files that were not to be searched. */
function withLooked(result: BatchResult, { looked }: Waiting): BatchResult {
  if (looked === undefined) return result;
  const skipped = [...result.skipped, ...looked.skipped].toSorted((a, b) => a.file - b.file);
  return { ...result, skipped };
}
