/** Owns the search of many files: where it starts, which files it takes, and when it ends. */
import { delay } from "../lib/delay.ts";
import { ToolFailure } from "../core/failure.ts";
import { readPcre2 } from "./assets.ts";
import { type BatchResult, searchBatch, type SkipReason } from "./batch.ts";
import { type Collected, createCollector } from "./collector.ts";
import { type FileGlob, parseFileGlob } from "./file_glob.ts";
import { chainFor } from "./ignore_chain.ts";
import { sliceMs } from "./list_files.ts";
import { findPlace, type Place } from "./place.ts";
import { createMatcher } from "./query.ts";
import { createTextReader } from "./text_file.ts";
import { type LeftOut, nothingLeftOut, startWalk } from "./walk.ts";

export interface GrepRequest {
  /** Absolute real path. */
  readonly workspace: string;
  readonly pattern: string;
  readonly caseInsensitive: boolean;
  /** Relative to the workspace. */
  readonly path: string;
  readonly glob: string | undefined;
  readonly maxMatches: number;
}

export interface GrepResult extends Readonly<Collected> {
  /** False where the search stopped before everything was searched. */
  readonly complete: boolean;
  /** Set where the path names one file, and that was skipped. */
  readonly onlyFile?: SkipReason;
  readonly leftOut: LeftOut;
}

/** Files handed out together. */
const batchFiles = 128;

/** Throws `ToolFailure` for a path or pattern that cannot be used, and the signal's reason. */
export async function grepFiles(request: GrepRequest, signal: AbortSignal): Promise<GrepResult> {
  const glob = request.glob === undefined ? undefined : parseFileGlob(request.glob);
  const place = findPlace(request.workspace, request.path);
  const leftOut = nothingLeftOut();
  const collector = createCollector(request.maxMatches);
  const matcher = createMatcher(request, new WebAssembly.Module(await readPcre2()));
  if ("message" in matcher) {
    throw new ToolFailure(
      "pattern",
      `pattern: ${matcher.message} (at offset ${matcher.offset})`,
    );
  }
  const read = createTextReader();
  const scan = (paths: readonly string[]): BatchResult =>
    searchBatch(
      paths.map((path) => absolute(request.workspace, path)),
      read,
      matcher,
      request.maxMatches,
    );
  signal.throwIfAborted();
  if (place.kind === "file") {
    const result = searchBatch([place.real], read, matcher, request.maxMatches);
    collector.add(0, [place.shown], result);
    const [skip] = result.skipped;
    const found = { ...collector.collected, complete: true, leftOut };
    return skip ? { ...found, onlyFile: skip.reason } : found;
  }

  let batch: string[] = [], batches = 0;
  const flush = () => {
    if (batch.length === 0) return;
    collector.add(batches++, batch, scan(batch));
    batch = [];
  };
  const takes = filterOf(glob, place);
  const walk = startWalk(
    {
      folder: place.real,
      prefix: place.shown === "" ? "" : `${place.shown}/`,
      workspace: request.workspace,
      ignored: chainFor(place.real, request.workspace),
      entered: glob?.named ?? new Set(),
      maxDepth: Infinity,
    },
    leftOut,
    (path, isLink) => {
      if (isLink || !takes(path)) return true;
      batch.push(path);
      if (batch.length >= batchFiles) flush();
      return !collector.isFull();
    },
  );
  while (walk(performance.now() + sliceMs)) await delay(0, signal);
  flush();
  return { ...collector.collected, complete: !collector.isFull(), leftOut };
}

function filterOf(glob: FileGlob | undefined, place: Place): (path: string) => boolean {
  if (!glob) return () => true;
  const skip = place.shown === "" ? 0 : place.shown.length + 1;
  return (path) => glob.test(path.slice(skip)) || skip > 0 && glob.test(path);
}

function absolute(workspace: string, path: string): string {
  return workspace === "/" ? `/${path}` : `${workspace}/${path}`;
}
