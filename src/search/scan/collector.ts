/** Puts the results of batches together: in order, up to the cap, counted as far as promised. */
import type { BatchResult, SkipReason } from "./batch.ts";
import type { FileBatch } from "./file_batch.ts";
import type { HitLine } from "../engine/hits.ts";
import { keepConfirmed } from "../walk/confirm.ts";
import type { SearchBounds } from "../walk/search_root.ts";

export interface Match extends HitLine {
  readonly path: string;
}

export interface Undecided {
  readonly path: string;
  readonly line: number;
  readonly reason: string;
}

export interface Collected {
  readonly matches: Match[];
  omitted: number;
  readonly undecided: Undecided[];
  undecidedCount: number;
  readonly skipped: Record<SkipReason, Skipped>;
  /** Files that matched, but were no longer what was read when their lines were to be given out. */
  changed: number;
}

/** Files that were not searched: how many, and the paths of the first few. */
export interface Skipped {
  count: number;
  readonly paths: string[];
}

/** What a result is about. */
export type FilesOfResult = Pick<FileBatch, "count" | "paths">;

export interface Collector {
  readonly collected: Collected;
  /** Takes away what is not inside the workspace, or is another file than the one that was read. */
  confirm(bounds: SearchBounds): void;
  /** Results may come in any order of `batch`; they are taken in its order, from 0. */
  add(batch: number, files: FilesOfResult, result: BatchResult): void;
  /** Why the first skipped file was skipped. */
  firstSkip(): SkipReason | undefined;
  /** True once the results of the first so many files are all that is asked for. */
  isEnough(files: number): boolean;
  /** True once no further result can change what is shown, and counting has gone on long enough. */
  isFull(): boolean;
}

/** Once the cap is reached, matches are counted in the files up to this one, then the search ends. */
const countedFiles = 4096;
/** Kept of the files that could not be decided. */
const maxUndecided = 20;
const maxSkippedPaths = 5;

/** `prefix` goes in front of every path. */
export function createCollector(maxMatches: number, prefix: string): Collector {
  const waiting = new Map<number, { batch: FilesOfResult; result: BatchResult }>();
  const collected: Collected = {
    matches: [],
    omitted: 0,
    undecided: [],
    undecidedCount: 0,
    skipped: {
      binary: { count: 0, paths: [] },
      large: { count: 0, paths: [] },
      unreadable: { count: 0, paths: [] },
      not_utf8: { count: 0, paths: [] },
    },
    changed: 0,
  };
  /** Which file the lines of a path are from. */
  const ids = new Map<string, string>();
  let next = 0, files = 0;
  const isEnough = (files: number) => collected.omitted > 0 && files >= countedFiles;
  const isFull = () => isEnough(files);

  const take = (batch: FilesOfResult, result: BatchResult) => {
    files += batch.count;
    const pathOf = (file: number) => prefix + batch.paths()[file]!;
    for (const { file, reason } of result.skipped) {
      const skipped = collected.skipped[reason];
      if (++skipped.count <= maxSkippedPaths) skipped.paths.push(pathOf(file));
    }
    for (const { file, id = "", lines, count, gaveUp } of result.hits) {
      const path = pathOf(file);
      const room = Math.min(lines.length, maxMatches - collected.matches.length);
      if (room > 0) ids.set(path, id);
      for (const line of lines.slice(0, room)) collected.matches.push({ path, ...line });
      collected.omitted += count - room;
      if (!gaveUp) continue;
      collected.undecidedCount++;
      if (collected.undecided.length < maxUndecided) collected.undecided.push({ path, ...gaveUp });
    }
  };

  const confirm = (bounds: SearchBounds) => {
    const paths = [...ids.keys()];
    const found = bounds.confirm(paths);
    const gone = new Set(paths.filter((path, index) => found[index]?.id !== ids.get(path)));
    collected.changed = gone.size;
    if (gone.size > 0) {
      const kept = collected.matches.filter((match) => !gone.has(match.path));
      collected.matches.splice(0, collected.matches.length, ...kept);
    }
    for (const skipped of Object.values(collected.skipped)) {
      skipped.count -= keepConfirmed(skipped.paths, bounds);
    }
    const undecided = new Set(collected.undecided.map(({ path }) => path));
    const named = [...undecided];
    keepConfirmed(named, bounds);
    const stay = collected.undecided.filter(({ path }) => named.includes(path));
    collected.undecidedCount -= collected.undecided.length - stay.length;
    collected.undecided.splice(0, collected.undecided.length, ...stay);
  };

  return {
    collected,
    confirm,
    isEnough,
    isFull,
    firstSkip: () =>
      (["binary", "large", "unreadable"] as const).find((reason) =>
        collected.skipped[reason].count > 0
      ),
    add(batch, files, result) {
      waiting.set(batch, { batch: files, result });
      for (let ready; !isFull() && (ready = waiting.get(next)); next++) {
        waiting.delete(next);
        take(ready.batch, ready.result);
      }
    },
  };
}
