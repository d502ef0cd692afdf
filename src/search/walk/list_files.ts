/** Lists the files that a glob matches. */
import { basename } from "node:path";
import { isTempName } from "../../core/temp_name.ts";
import { yieldToEvents } from "../../lib/yield_to_events.ts";
import { parseFileGlob } from "../glob/file_glob.ts";
import { chainFor } from "../ignore/chain.ts";
import { confirmLeftOut } from "./confirm.ts";
import {
  findSearchRoot,
  isOffLimits,
  lookUp,
  type SearchBounds,
  type SearchRoot,
} from "./search_root.ts";
import { type LeftOut, nothingLeftOut } from "./left_out.ts";
import { startWalk } from "./walk.ts";

export interface ListRequest {
  readonly bounds: SearchBounds;
  readonly pattern: string;
  /** Relative to the workspace; the pattern is relative to it. */
  readonly path: string;
  readonly maxPaths: number;
}

export interface FileList {
  /** Relative to the workspace, sorted, at most `maxPaths`. */
  readonly paths: readonly string[];
  /** Matching files beyond `paths`. */
  readonly omitted: number;
  /** False where counting stopped early: there may be more. */
  readonly complete: boolean;
  readonly leftOut: LeftOut;
  /** Set where the pattern names a folder rather than files. */
  readonly folder?: string | undefined;
}

/** With more files to show than allowed, the rest is counted among this many files, then no further. */
const countedFiles = 1024;
/** Longest stretch of work before other events get their turn. */
export const sliceMs = 12;

/** Throws `ToolFailure` for a path or pattern that cannot be used, and the signal's reason. */
export async function listFiles(request: ListRequest, signal: AbortSignal): Promise<FileList> {
  const { bounds } = request;
  const found = await findFiles(request, signal);
  confirmLeftOut(found.leftOut, bounds);
  const { paths, folder } = found;
  const there = bounds.confirm(folder === undefined ? paths : [folder]);
  if (folder !== undefined) {
    return there[0]?.kind === "folder" ? found : { ...found, folder: undefined };
  }
  return { ...found, paths: paths.filter((_, index) => there[index]?.kind === "file") };
}

async function findFiles(request: ListRequest, signal: AbortSignal): Promise<FileList> {
  const { bounds } = request;
  const leftOut = nothingLeftOut();
  const glob = parseFileGlob(request.pattern, bounds.workspace);
  const base = findSearchRoot(bounds, request.path);
  if (base.kind === "file") {
    const name = base.shown.slice(base.shown.lastIndexOf("/") + 1);
    const paths = glob.test(name) || glob.test(base.shown) ? [base.shown] : [];
    return { paths, omitted: 0, complete: true, leftOut };
  }
  if (glob.literal !== undefined) return named(bounds, base, glob.literal, leftOut);
  const start = lookUp(bounds, joinShown(base.shown, glob.start));
  if (typeof start === "string" || start.kind !== "folder") {
    if (isOffLimits(start)) findSearchRoot(bounds, joinShown(base.shown, glob.start));
    return { paths: [], omitted: 0, complete: true, leftOut };
  }

  const paths: string[] = [];
  let files = 0, omitted = 0, complete = true;
  /** False once enough files were gone through. */
  const count = (more: number) => {
    files += more;
    if (files > countedFiles && omitted > 0) complete = false;
    return complete;
  };
  const skip = base.shown === "" ? 0 : base.shown.length + 1;
  const isWanted = (path: string) => glob.test(skip === 0 ? path : path.slice(skip));
  const walk = startWalk(
    {
      folder: start.real,
      prefix: start.shown === "" ? "" : `${start.shown}/`,
      bounds,
      ignored: chainFor(start.real, bounds.workspace),
      entered: glob.named,
      weight: glob.weight,
      isWanted,
      endings: glob.endings,
      onOthers: count,
      maxDepth: glob.maxDepth - (glob.start === "" ? 0 : glob.start.split("/").length),
    },
    leftOut,
    (prefix, name, isLink) => {
      if (!count(1) || !glob.mayEndIn(name)) return complete;
      const path = prefix + name;
      if (!isWanted(path)) return true;
      if (isLink && !leadsToFile(bounds, path)) return true;
      if (paths.length < request.maxPaths) paths.push(path);
      else omitted++;
      return true;
    },
  );
  signal.throwIfAborted();
  while (walk(performance.now() + sliceMs)) await yieldToEvents(signal);
  return { paths, omitted, complete, leftOut };
}

/** A pattern without wildcards is a path, and a named path is never hidden. */
function named(
  bounds: SearchBounds,
  base: SearchRoot,
  literal: string,
  leftOut: LeftOut,
): FileList {
  const path = joinShown(base.shown, literal);
  const found = lookUp(bounds, path);
  const none = { paths: [], omitted: 0, complete: true, leftOut };
  if (isOffLimits(found)) findSearchRoot(bounds, path);
  if (typeof found === "string" || isTempName(basename(path))) return none;
  return found.kind === "file" ? { ...none, paths: [path] } : { ...none, folder: path };
}

/** A link counts as a file where it leads to one inside the workspace. */
function leadsToFile(bounds: SearchBounds, path: string): boolean {
  const found = lookUp(bounds, path);
  return typeof found !== "string" && found.kind === "file";
}

export function joinShown(base: string, relative: string): string {
  return base === "" ? relative : relative === "" ? base : `${base}/${relative}`;
}
