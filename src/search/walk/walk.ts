/** Walks a folder: every file that a search may see, in the order of their paths. */
import { isTempName } from "../../core/temp_name.ts";
import { withSlash } from "../../lib/slashes.ts";
import { excludedFolders, gitFolder } from "../ignore/excluded.ts";
import type { SearchBounds } from "./search_root.ts";
import { endingsFrom, folderMark, linkMark, listFolder } from "./list_folder.ts";
import { extendChain, type IgnoreChain, isIgnored } from "../ignore/chain.ts";
import { repositoryRoot } from "../ignore/repository.ts";
import { type TrackedPaths, trackedPaths } from "../ignore/tracked.ts";
import { leaveOutFile, leaveOutFolder, leaveOutOddName, type LeftOut } from "./left_out.ts";

export interface WalkOptions {
  /** Absolute real path of the folder to walk. */
  readonly folder: string;
  /** Shown in front of every path; `""`, or with a final slash. */
  readonly prefix: string;
  /** Ignore files that are links must stay in the workspace. */
  readonly bounds: Pick<SearchBounds, "workspace" | "ownFolder">;
  /** In force above the folder; null where nothing is ignored by files further up. */
  readonly ignored: IgnoreChain | undefined;
  /** Names of excluded folders that are entered all the same. */
  readonly entered: ReadonlySet<string>;
  /** Folders deeper than this below the start are not entered. */
  readonly maxDepth: number;
  /** What `onFile` may cost for each character of a path, in steps. */
  readonly weight: number;
  /** Whether a file by that path, as shown, would be taken were it not ignored. */
  readonly isWanted: (path: string) => boolean;
  /** What names of wanted files end in, where that is known: `onFile` need not hear of others, */
  readonly endings?: readonly string[] | undefined;
  /** but this may, of how many there are, ignored ones and all; false ends the walk. */
  readonly onOthers?: (files: number) => boolean;
}

/** Hears of one file or link, whose path as shown is `prefix` and `name`; false ends the walk. */
export type OnFile = (prefix: string, name: string, isLink: boolean) => boolean;

/** Entries gone through between two looks at the clock; reading a folder counts as many, */
const entriesPerLook = 1024;
const folderCost = 32;
const ignoreFileCost = 512;
/** of the files that are passed over so many count as one, */
const passedPerEntry = 8;
/** and so do this many steps of matching. */
const stepsPerEntry = 1024;

const dot = 0x2e;
const folderMarkCode = folderMark.charCodeAt(0), linkMarkCode = linkMark.charCodeAt(0);

interface OpenFolder {
  readonly folder: string;
  readonly prefix: string;
  readonly depth: number;
  readonly entries: readonly string[];
  readonly chain: IgnoreChain | undefined;
  /** What one entry may cost for each character of its path, in steps. */
  readonly weight: number;
  /** What git tracks in the repository of the folder; read when it is first asked for. */
  readonly tracked: () => TrackedPaths | undefined;
  next: number;
}

/**
 * A walk that is done in slices: `next` goes on until `untilMs` (of `performance.now()`) and says
 * whether there is more. Links to folders are never entered, so there is no way out and no circle.
 */
export function startWalk(options: WalkOptions, leftOut: LeftOut, onFile: OnFile) {
  const stack: OpenFolder[] = [];
  const endings = options.endings && endingsFrom(options.endings);
  let untilLook = entriesPerLook, isOver = false;

  const open = (
    folder: string,
    prefix: string,
    { depth, chain, tracked }: Pick<OpenFolder, "depth" | "chain" | "tracked">,
  ) => {
    const entries = listFolder(folder, endings);
    if (!entries) {
      leftOut.unreadableFolderCount++;
      return;
    }
    const hasRules = entries.ignore || entries.gitignore || entries.repository;
    untilLook -= folderCost + (hasRules ? ignoreFileCost : 0) + entries.passed / passedPerEntry;
    if (entries.passed > 0 && options.onOthers?.(entries.passed) === false) isOver = true;
    const own = hasRules ? extendChain(chain, folder, entries, options.bounds.workspace) : chain;
    stack.push({
      folder: withSlash(folder),
      prefix,
      depth,
      entries: entries.list,
      chain: own,
      weight: options.weight + (own?.weight ?? 0),
      tracked: entries.repository ? onceTracked(() => folder) : tracked,
      next: 0,
    });
  };
  const visitFolder = (parent: OpenFolder, entry: string) => {
    const { folder, prefix, depth, chain, tracked } = parent;
    const name = entry.slice(0, -1);
    if (name === gitFolder || depth >= options.maxDepth) return;
    const path = folder + name;
    if (path === options.bounds.ownFolder) {
      leftOut.ownFolder = prefix + name;
      return;
    }
    const excluded = excludedFolders.has(name) && !options.entered.has(name);
    const ignored = chain !== undefined && isIgnored(chain, folder, name, true);
    if (!excluded && !ignored) {
      open(path, prefix + entry, { depth: depth + 1, chain, tracked });
      return;
    }
    const why = tracked()?.hasBelow(path) === true ? "tracked" : ignored ? "ignored" : "excluded";
    leaveOutFolder(leftOut, prefix + name, why);
  };
  /** False to end the walk. */
  const visitFile = (parent: OpenFolder, name: string, isLink: boolean) => {
    const { folder, prefix, chain, tracked } = parent;
    if (name.charCodeAt(0) === dot && (isTempName(name) || name === gitFolder)) return true;
    if (chain !== undefined && isIgnored(chain, folder, name, false)) {
      if (options.isWanted(prefix + name)) {
        leaveOutFile(leftOut, prefix + name, tracked()?.has(folder + name) === true);
      }
      return true;
    }
    if (name.includes("\uFFFD") && !exists(folder + name)) {
      leaveOutOddName(leftOut, prefix + name);
      return true;
    }
    return onFile(prefix, name, isLink);
  };
  // One entry a call: a function that runs often is compiled soon, one long loop is not.
  const step = (top: OpenFolder): boolean => {
    const entry = top.entries[top.next++];
    if (entry === undefined) {
      stack.pop();
      return true;
    }
    const steps = top.weight * (top.folder.length + entry.length);
    if (steps > stepsPerEntry) untilLook -= steps / stepsPerEntry;
    const last = entry.charCodeAt(entry.length - 1);
    if (last === folderMarkCode) visitFolder(top, entry);
    else if (last === linkMarkCode) return visitFile(top, entry.slice(0, -1), true);
    else return visitFile(top, entry, false);
    return true;
  };
  const { folder, prefix, ignored: chain } = options;
  open(folder, prefix, { depth: 0, chain, tracked: onceTracked(() => repositoryRoot(folder)) });

  return function next(untilMs: number): boolean {
    for (let top; (top = stack[stack.length - 1]) !== undefined;) {
      if (isOver || !step(top)) return false;
      if (--untilLook > 0) continue;
      untilLook = entriesPerLook;
      if (performance.now() >= untilMs) return true;
    }
    return false;
  };
}

function onceTracked(root: () => string | undefined): () => TrackedPaths | undefined {
  let asked = false, paths: TrackedPaths | undefined;
  return () => {
    if (asked) return paths;
    asked = true;
    const top = root();
    return paths = top === undefined ? undefined : trackedPaths(top);
  };
}

function exists(path: string): boolean {
  try {
    Deno.lstatSync(path);
    return true;
  } catch {
    return false;
  }
}
