/** Searches many files: where it starts, which files it takes, and when it ends. */
import { basename, dirname } from "node:path";
import { ToolFailure } from "../../core/failure.ts";
import { withSlash } from "../../lib/slashes.ts";
import { yieldToEvents } from "../../lib/yield_to_events.ts";
import { pcre2ForThread } from "../assets.ts";
import { searcherOf, type SkipReason } from "./batch.ts";
import { type Collected, type Collector, createCollector } from "./collector.ts";
import { batchWriter } from "./file_batch.ts";
import { type FileGlob, parseFileGlob } from "../glob/file_glob.ts";
import { chainFor } from "../ignore/chain.ts";
import { joinShown, sliceMs } from "../walk/list_files.ts";
import { type ParallelScan, startScan } from "./parallel_scan.ts";
import { type LineSpan, lineSpanOf } from "../engine/pattern/line_span.ts";
import { findIncompatibility } from "../engine/pattern/pcre2_compatibility.ts";
import type { Pcre2Engine } from "../engine/pcre2_instance.ts";
import { confirmLeftOut } from "../walk/confirm.ts";
import { findSearchRoot, lookUp, type SearchBounds, type SearchRoot } from "../walk/search_root.ts";
import { createMatcher, type Plan, planQuery } from "../engine/query.ts";
import { createTextReader, type TextReader } from "./text_file.ts";
import { type LeftOut, nothingLeftOut } from "../walk/left_out.ts";
import { startWalk } from "../walk/walk.ts";
import { isWorthOneMore, takesAll, workersBesides, workersFor } from "./threads.ts";
import { createWorkerPool, type WorkerPool } from "./worker_pool.ts";

export interface GrepRequest {
  readonly bounds: SearchBounds;
  readonly pattern: string;
  readonly caseInsensitive: boolean;
  /** Relative to the workspace. */
  readonly path: string;
  readonly glob: string | undefined;
  readonly maxMatches: number;
}

export interface GrepResult extends Readonly<Collected> {
  /**
   * all: everything was searched · cap: more than the cap was found and the rest is not counted ·
   * deadline: the search took too long
   */
  readonly end: "all" | "cap" | "deadline";
  /** Set where the search was in one named file, and that was skipped. */
  readonly onlyFile?: { readonly path: string; readonly reason: SkipReason };
  readonly leftOut: LeftOut;
  /** Set where the pattern asks for a line end. */
  readonly lineSpan?: LineSpan;
  /** Why matches of this pattern may be missing. */
  readonly warning?: string;
}

/**
 * Files handed out together; this thread hears of an abort only between batches. Where nothing has
 * matched in a thousand files, a batch is done soon, and few large ones save time. Batches end at the
 * same places in any case, so that matches are counted in the same files.
 */
const batchFiles = 64, largeBatchFiles = 256, filesBeforeLarge = 1024;
const deadlineMs = 20_000;

/** A search keeps its workers for the next one. */
export type GrepFiles = (request: GrepRequest, signal: AbortSignal) => Promise<GrepResult>;

/** Throws `ToolFailure` for a path or pattern that cannot be used, and the signal's reason. */
export function createGrepFiles(): GrepFiles {
  const kept: Kept = {
    pool: createWorkerPool(),
    pcre2: pcre2ForThread(),
    reader: createTextReader(),
  };
  return (request, signal) => grepFiles(request, kept, signal);
}

/** What one search leaves to the next: all of it costs time and memory to make. */
interface Kept {
  readonly pool: WorkerPool;
  readonly pcre2: Pcre2Engine;
  readonly reader: TextReader;
}

async function grepFiles(
  request: GrepRequest,
  { pool, pcre2, reader }: Kept,
  signal: AbortSignal,
): Promise<GrepResult> {
  signal.throwIfAborted();
  const { bounds } = request;
  const glob = request.glob === undefined
    ? undefined
    : parseFileGlob(request.glob, bounds.workspace);
  const base = findSearchRoot(bounds, request.path);
  const start = startOf(bounds, base, glob);
  const plan = planQuery({ pattern: request.pattern, caseInsensitive: request.caseInsensitive });
  const { matcher, warning } = checkPattern(plan, pcre2);
  const isFolder = start.kind === "folder";
  const prefix = isFolder && start.shown !== "" ? `${start.shown}/` : "";
  const collector = createCollector(request.maxMatches, prefix);
  const scan = startScan(pool, {
    plan,
    maxLines: request.maxMatches,
    root: withSlash(isFolder ? start.real : dirname(start.real)),
    local: searcherOf(plan, reader, matcher),
    onResult: (batch, files, result) =>
      collector.add(batch, isFolder ? files : { count: 1, paths: () => [start.shown] }, result),
  });
  const untilMs = performance.now() + deadlineMs;
  const isOver = () => collector.isFull() || performance.now() >= untilMs;
  const leftOut = nothingLeftOut();
  try {
    if (!scan.canHelp()) scan.startWorkers(isFolder ? workersBesides() : 1);
    let walked = true;
    if (isFolder) {
      const walk = walkOf(bounds, base, start, glob, leftOut);
      walked = await feed(scan, walk, collector, isOver, signal);
    } else {
      const only = batchWriter();
      only.add("", basename(start.real));
      scan.offer(only.take());
    }
    while (scan.pending() > 0 && !isOver()) {
      // The walk is done, so this thread's processor may be free for another worker.
      if (!scan.canHelp() && isWorthOneMore(scan, collector)) {
        scan.startWorkers(workersBesides() + 1);
      }
      await advance(scan, signal);
    }
    collector.confirm(bounds);
    confirmLeftOut(leftOut, bounds);
    const reason = isFolder ? undefined : collector.firstSkip();
    const lineSpan = lineSpanOf(request.pattern, request.caseInsensitive);
    return {
      ...collector.collected,
      end: collector.isFull() ? "cap" : walked && scan.pending() === 0 ? "all" : "deadline",
      leftOut,
      ...(lineSpan === undefined ? {} : { lineSpan }),
      ...(warning === undefined ? {} : { warning }),
      ...(reason === undefined ? {} : { onlyFile: { path: start.shown, reason } }),
    };
  } finally {
    scan.end();
  }
}

/** Where the glob leads by its leading names, which are named outright: a folder, or one file. */
function startOf(bounds: SearchBounds, base: SearchRoot, glob: FileGlob | undefined): SearchRoot {
  const named = glob?.literal ?? glob?.start ?? "";
  if (base.kind === "file" || named === "") return base;
  const path = joinShown(base.shown, named);
  const start = lookUp(bounds, path);
  if (start === "git") findSearchRoot(bounds, path);
  if (typeof start === "string") return base;
  return start.kind === "folder" || glob?.literal !== undefined ? start : base;
}

/** Compiles the pattern where PCRE2 will be needed, so that its errors are known before anything starts. */
function checkPattern(plan: Plan, pcre2: Pcre2Engine) {
  const matcher = createMatcher(plan, pcre2);
  if ("message" in matcher) {
    throw new ToolFailure(
      "pattern",
      `pattern: ${matcher.message} (at offset ${matcher.offset}, PCRE2 10.34)`,
    );
  }
  const doubt = plan.v8
    ? undefined
    : findIncompatibility(plan.query.pattern, plan.query.caseInsensitive);
  return { matcher, warning: doubt?.message };
}

type FolderWalk = (
  onFile: (folder: string, name: string) => boolean,
) => (untilMs: number) => boolean;

/** Links are not followed: what they lead to is searched under its own name. */
function walkOf(
  bounds: SearchBounds,
  base: SearchRoot,
  start: SearchRoot,
  glob: FileGlob | undefined,
  leftOut: LeftOut,
): FolderWalk {
  const skip = base.shown === "" ? 0 : base.shown.length + 1;
  const prefix = start.shown === "" ? "" : `${start.shown}/`;
  // A glob may be meant from the path or from the workspace.
  const isWanted = (path: string) =>
    !glob || glob.test(path.slice(skip)) || (skip > 0 && glob.test(path));
  const options = {
    folder: start.real,
    prefix,
    bounds,
    ignored: chainFor(start.real, bounds.workspace),
    entered: glob?.named ?? new Set<string>(),
    weight: glob?.weight ?? 0,
    isWanted,
    endings: glob?.endings,
    maxDepth: Infinity,
  };
  // A batch has what is below the start.
  const below = prefix.length;
  return (onFile) =>
    startWalk(options, leftOut, (prefix, name, isLink) => {
      if (isLink || glob && !(glob.mayEndIn(name) && isWanted(prefix + name))) return true;
      return onFile(below === 0 ? prefix : prefix.slice(below), name);
    });
}

/** Hands out every file of the walk; false where the search was over before its end. */
async function feed(
  scan: ParallelScan,
  startWalking: FolderWalk,
  collector: Collector,
  isOver: () => boolean,
  signal: AbortSignal,
): Promise<boolean> {
  let files = 0;
  const batch = batchWriter();
  const takesLarge = () =>
    files > filesBeforeLarge && scan.canHelp() && collector.collected.matches.length === 0;
  const walk = startWalking((folder, name) => {
    batch.add(folder, name);
    if (++files % batchFiles === 0 && (files % largeBatchFiles === 0 || !takesLarge())) {
      scan.offer(batch.take());
    }
    if (files === batchFiles) scan.help(0);
    if (files === batchFiles && !scan.canHelp()) scan.startWorkers(workersBesides());
    return true;
  });
  while (walk(performance.now() + sliceMs)) {
    scan.startWorkers(workersFor(scan, collector));
    await yieldToEvents(signal);
    // Alone, this thread searches what there is before it reads further: that may be enough. Where it
    // will not be, it first looks how much there is.
    const isAhead = () =>
      !scan.hasRoom() || collector.isEnough(files - batch.count()) ||
      scan.isAlone() && scan.pending() > 0 && !takesAll(scan, collector);
    while (isAhead() && !isOver()) await advance(scan, signal);
    if (isOver()) return false;
  }
  if (batch.count() > 0) scan.offer(batch.take());
  return true;
}

/** Does a piece of the work that waits, or waits for others to do one. */
async function advance(scan: ParallelScan, signal: AbortSignal): Promise<void> {
  if (scan.help(performance.now() + sliceMs)) await yieldToEvents(signal);
  // What this thread has just answered itself is nothing to wait for.
  else if (scan.pending() > 0) await scan.progress(signal);
}
