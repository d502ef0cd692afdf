/** Owns the walk: every file of a folder that a search may see, in the order of their paths. */
import { isTempName } from "../core/temp_name.ts";
import { excludedFolders, gitFolder } from "./excluded.ts";
import { extendChain, type IgnoreChain, isIgnored } from "./ignore_chain.ts";

export interface WalkOptions {
  /** Absolute real path of the folder to walk. */
  readonly folder: string;
  /** Shown in front of every path; `""`, or with a final slash. */
  readonly prefix: string;
  /** Absolute real path; ignore files that are links must stay inside. */
  readonly workspace: string;
  /** In force above the folder; null where nothing is ignored by files further up. */
  readonly ignored: IgnoreChain | undefined;
  /** Names of excluded folders that are entered all the same. */
  readonly entered: ReadonlySet<string>;
  /** Folders deeper than this below the start are not entered. */
  readonly maxDepth: number;
}

/** What was left out, by path as shown. */
export interface LeftOut {
  /** Excluded and ignored folders: the first few, and how many there were. */
  readonly folders: string[];
  folderCount: number;
  ignoredFileCount: number;
  unreadableFolderCount: number;
  /** Names that are not UTF-8 cannot be opened; the first few, and how many there were. */
  readonly oddNames: string[];
  oddNameCount: number;
}

export function nothingLeftOut(): LeftOut {
  return {
    folders: [],
    folderCount: 0,
    ignoredFileCount: 0,
    unreadableFolderCount: 0,
    oddNames: [],
    oddNameCount: 0,
  };
}

/** Kept of each list of what was left out. */
const maxNamed = 5;

/** Hears of one file or link by its path as shown; false ends the walk. */
export type OnFile = (path: string, isLink: boolean) => boolean;

/** Folders read, and entries gone through, between two looks at the clock. */
const foldersPerLook = 32;
const entriesPerLook = 1024;

/**
 * A walk that is done in slices: `next` goes on until `untilMs` (of `performance.now()`) and says
 * whether there is more. Links to folders are never entered, so there is no way out and no circle.
 */
export function startWalk(options: WalkOptions, leftOut: LeftOut, onFile: OnFile) {
  interface Open {
    readonly folder: string;
    readonly prefix: string;
    readonly depth: number;
    readonly entries: readonly string[];
    readonly chain: IgnoreChain | undefined;
    next: number;
  }
  const stack: Open[] = [];
  const open = (folder: string, prefix: string, depth: number, chain: IgnoreChain | undefined) => {
    const entries = listFolder(folder);
    if (!entries) {
      leftOut.unreadableFolderCount++;
      return;
    }
    const own = entries.ignore || entries.gitignore
      ? extendChain(chain, folder, entries, options.workspace)
      : chain;
    stack.push({ folder, prefix, depth, entries: entries.list, chain: own, next: 0 });
  };
  open(options.folder, options.prefix, 0, options.ignored);

  return function next(untilMs: number): boolean {
    for (let opened = 0, seen = 0; stack.length > 0;) {
      if (++seen % entriesPerLook === 0 && performance.now() >= untilMs) return true;
      const top = stack[stack.length - 1]!;
      const entry = top.entries[top.next++];
      if (entry === undefined) {
        stack.pop();
        continue;
      }
      const { prefix, chain } = top;
      const folder = top.folder === "/" ? "" : top.folder;
      const isFolder = entry.endsWith(folderMark), isLink = entry.endsWith(linkMark);
      const name = isFolder || isLink ? entry.slice(0, -1) : entry;
      if (isFolder) {
        if (name === gitFolder || top.depth >= options.maxDepth) continue;
        const hidden = excludedFolders.has(name) && !options.entered.has(name) ||
          chain !== undefined && isIgnored(chain, `${folder}/${name}`, name, true);
        if (hidden) {
          leftOut.folderCount++;
          if (leftOut.folders.length < maxNamed) leftOut.folders.push(prefix + name);
          continue;
        }
        open(`${folder}/${name}`, prefix + entry, top.depth + 1, chain);
        if (++opened % foldersPerLook === 0 && performance.now() >= untilMs) return true;
        continue;
      }
      if (name.startsWith(".") && (isTempName(name) || name === gitFolder)) continue;
      if (chain !== undefined && isIgnored(chain, `${folder}/${name}`, name, false)) {
        leftOut.ignoredFileCount++;
        continue;
      }
      if (name.includes("\uFFFD") && !exists(`${folder}/${name}`)) {
        leftOut.oddNameCount++;
        if (leftOut.oddNames.length < maxNamed) leftOut.oddNames.push(prefix + name);
        continue;
      }
      if (!onFile(prefix + name, isLink)) {
        stack.length = 0;
        return false;
      }
    }
    return false;
  };
}

/** Behind the name of a folder and of a link; neither can be part of a name. */
const folderMark = "/", linkMark = "\0";

/**
 * Names with their marks, in order; with a slash behind a folder's name the order is that of whole
 * paths. Undefined where the folder cannot be read. Pipes, sockets and devices are not listed.
 */
function listFolder(folder: string) {
  const list: string[] = [];
  let ignore = false, gitignore = false;
  try {
    for (const { name, isFile, isDirectory, isSymlink } of Deno.readDirSync(folder)) {
      if (isFile) list.push(name);
      else if (isDirectory) list.push(name + folderMark);
      else if (isSymlink) list.push(name + linkMark);
      if (name === ".gitignore") gitignore = true;
      else if (name === ".ignore") ignore = true;
    }
  } catch {
    return undefined;
  }
  list.sort();
  return { list, ignore, gitignore };
}

function exists(path: string): boolean {
  try {
    Deno.lstatSync(path);
    return true;
  } catch {
    return false;
  }
}
