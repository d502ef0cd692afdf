/** Walks a folder: every file that a search may see, in the order of their paths. */
import { isTempName } from "../../core/temp_name.ts";
import { withSlash } from "../../lib/slashes.ts";
import { excludedFolders, gitFolder } from "../ignore/excluded.ts";
import type { SearchBounds } from "./search_root.ts";
import { folderMark, linkMark, listFolder } from "./list_folder.ts";
import { extendChain, type IgnoreChain, isIgnored } from "../ignore/chain.ts";

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
}

/** What was left out, by path as shown. */
export interface LeftOut {
  /** Folders excluded by their name alone, which no rule ignores: what git tracks may be in them. */
  readonly unignored: string[];
  /** Other excluded and ignored folders: the first few, and how many there were of both. */
  readonly folders: string[];
  folderCount: number;
  ignoredFileCount: number;
  /** nimlet's own folder, where it would have been searched. */
  ownFolder: string | undefined;
  unreadableFolderCount: number;
  /** Names that are not UTF-8 cannot be opened; the first few, and how many there were. */
  readonly oddNames: string[];
  oddNameCount: number;
}

export function nothingLeftOut(): LeftOut {
  return {
    unignored: [],
    folders: [],
    folderCount: 0,
    ignoredFileCount: 0,
    ownFolder: undefined,
    unreadableFolderCount: 0,
    oddNames: [],
    oddNameCount: 0,
  };
}

/** Kept of each list of what was left out. */
const maxNamed = 5, maxUnignored = 20;

/** Hears of one file or link by its path as shown; false ends the walk. */
export type OnFile = (path: string, isLink: boolean) => boolean;

/** Entries gone through between two looks at the clock; reading a folder counts as many, */
const entriesPerLook = 1024;
const folderCost = 32;
const ignoreFileCost = 512;
/** and so do this many steps of matching. */
const stepsPerEntry = 1024;

interface OpenFolder {
  readonly folder: string;
  readonly prefix: string;
  readonly depth: number;
  readonly entries: readonly string[];
  readonly chain: IgnoreChain | undefined;
  next: number;
}

/**
 * A walk that is done in slices: `next` goes on until `untilMs` (of `performance.now()`) and says
 * whether there is more. Links to folders are never entered, so there is no way out and no circle.
 */
export function startWalk(options: WalkOptions, leftOut: LeftOut, onFile: OnFile) {
  const stack: OpenFolder[] = [];
  let untilLook = entriesPerLook;

  const open = (folder: string, prefix: string, depth: number, chain: IgnoreChain | undefined) => {
    const entries = listFolder(folder);
    if (!entries) {
      leftOut.unreadableFolderCount++;
      return;
    }
    const hasRules = entries.ignore || entries.gitignore || entries.repository;
    untilLook -= folderCost + (hasRules ? ignoreFileCost : 0);
    const own = hasRules ? extendChain(chain, folder, entries, options.bounds.workspace) : chain;
    stack.push({
      folder: withSlash(folder),
      prefix,
      depth,
      entries: entries.list,
      chain: own,
      next: 0,
    });
  };
  const visitFolder = ({ folder, prefix, depth, chain }: OpenFolder, entry: string) => {
    const name = entry.slice(0, -1);
    if (name === gitFolder || depth >= options.maxDepth) return;
    const path = folder + name;
    if (path === options.bounds.ownFolder) {
      leftOut.ownFolder = prefix + name;
      return;
    }
    const excluded = excludedFolders.has(name) && !options.entered.has(name);
    const ignored = chain !== undefined && isIgnored(chain, path, name, true);
    if (!excluded && !ignored) {
      open(path, prefix + entry, depth + 1, chain);
      return;
    }
    leftOut.folderCount++;
    const [list, most] = ignored ? [leftOut.folders, maxNamed] : [leftOut.unignored, maxUnignored];
    if (list.length < most) list.push(prefix + name);
  };
  /** False to end the walk. */
  const visitFile = ({ folder, prefix, chain }: OpenFolder, name: string, isLink: boolean) => {
    if (name.startsWith(".") && (isTempName(name) || name === gitFolder)) return true;
    if (chain !== undefined && isIgnored(chain, folder + name, name, false)) {
      leftOut.ignoredFileCount++;
      return true;
    }
    if (name.includes("\uFFFD") && !exists(folder + name)) {
      leftOut.oddNameCount++;
      if (leftOut.oddNames.length < maxNamed) leftOut.oddNames.push(prefix + name);
      return true;
    }
    return onFile(prefix + name, isLink);
  };
  // One entry a call: a function that runs often is compiled soon, one long loop is not.
  const step = (top: OpenFolder): boolean => {
    const entry = top.entries[top.next++];
    if (entry !== undefined) {
      const weight = options.weight + (top.chain?.weight ?? 0);
      const chars = top.folder.length + entry.length;
      if (weight * chars > stepsPerEntry) untilLook -= weight * chars / stepsPerEntry;
    }
    if (entry === undefined) stack.pop();
    else if (entry.endsWith(folderMark)) visitFolder(top, entry);
    else if (entry.endsWith(linkMark)) return visitFile(top, entry.slice(0, -1), true);
    else return visitFile(top, entry, false);
    return true;
  };
  open(options.folder, options.prefix, 0, options.ignored);

  return function next(untilMs: number): boolean {
    for (let top; (top = stack[stack.length - 1]) !== undefined;) {
      if (!step(top)) return false;
      if (--untilLook > 0) continue;
      untilLook = entriesPerLook;
      if (performance.now() >= untilMs) return true;
    }
    return false;
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
