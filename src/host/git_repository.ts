/** Finds a workspace's git repository, and makes sure that it is the workspace's own. */
import { existsSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { isInside } from "../lib/path_inside.ts";
import { isFolder, kindAt, realOrMissing } from "./folders.ts";
import { borrowedPart } from "./git_borrowed.ts";
import { readStateFile } from "./state_files.ts";

export type GitRepository =
  | {
    /** The folder that holds `.git`, or the workspace within a bare repository. */
    readonly top: string;
    /** Real path of the repository's data, or of the part that a linked worktree has for itself. */
    readonly gitFolder: string;
    readonly bare: boolean;
  }
  /** It is another's, or takes from elsewhere; completes the sentence ".git ...". */
  | { readonly foreign: string };

/**
 * Looks from `workspace` (absolute, real) upwards, as git does. A `.git` that leads elsewhere counts
 * only where the other side points back (a linked worktree), or where it lies among the modules of a
 * repository further up (a submodule). What the repository consists of must all be in it.
 */
export function findRepository(workspace: string): GitRepository | undefined {
  for (let folder = workspace;; folder = dirname(folder)) {
    const gitFolder = gitFolderAt(join(folder, ".git"));
    if (gitFolder !== undefined) {
      const foreign = problemOf(gitFolder, folder);
      return foreign === undefined ? { top: folder, gitFolder, bare: false } : { foreign };
    }
    if (isGitFolder(folder)) {
      const foreign = commonOf(folder) === folder
        ? borrowedPart(folder, folder)
        : "shares another repository's objects";
      return foreign === undefined
        ? { top: workspace, gitFolder: folder, bare: true }
        : { foreign };
    }
    if (dirname(folder) === folder) return undefined;
  }
}

/** True where `path` (relative, may not exist) stays inside `workspace` whatever links it crosses. */
export function staysInside(workspace: string, path: string): boolean {
  for (let at = join(workspace, path);; at = dirname(at)) {
    const real = realOrMissing(at);
    if (real !== undefined) return isInside(workspace, real);
    // a link that leads nowhere is not a missing file: its end may come to be
    if (kindAt(at) === "link") return false;
    if (isInside(at, workspace)) return true;
  }
}

/** Why the git folder is not that of the work tree at `top`, or not whole. */
function problemOf(gitFolder: string, top: string): string | undefined {
  const common = commonOf(gitFolder);
  // only the folders of linked worktrees share another's objects
  const shares = common !== gitFolder;
  if (shares && (common === undefined || dirname(dirname(gitFolder)) !== common)) {
    return "shares the objects of another repository";
  }
  const own = isInside(top, gitFolder) && isInside(top, common ?? gitFolder);
  const isKnown = own || (shares ? pointsBack(gitFolder, top) : isModule(gitFolder, top));
  if (!isKnown) return `leads to ${gitFolder}, which is not this workspace's repository`;
  return borrowedPart(common!, own ? top : homeOf(common!));
}

/** A linked worktree's folder names the `.git` that it belongs to. */
function pointsBack(gitFolder: string, top: string): boolean {
  const back = textAt(join(gitFolder, "gitdir"))?.trim();
  if (!back) return false;
  const entry = resolve(gitFolder, back);
  return basename(entry) === ".git" && realOrMissing(dirname(entry)) === top;
}

/** A submodule's folder lies in its superproject's, and names no other work tree. */
function isModule(gitFolder: string, top: string): boolean {
  const worktree = workTreeIn(textAt(join(gitFolder, "config")) ?? "");
  if (worktree !== undefined && realOrMissing(resolve(gitFolder, worktree)) !== top) return false;
  for (let folder = dirname(top);; folder = dirname(folder)) {
    const above = gitFolderAt(join(folder, ".git"));
    if (above !== undefined) {
      return isInside(join(above, "modules"), gitFolder) &&
        problemOf(above, folder) === undefined;
    }
    if (dirname(folder) === folder) return false;
  }
}

/** The work tree that a configuration names; line by line, as it may be of any form. */
function workTreeIn(config: string): string | undefined {
  for (const line of config.split("\n")) {
    const value = /^worktree\s*=\s*(.+)$/i.exec(line.trim())?.[1];
    if (value !== undefined) return value.replace(/^"|"$/g, "");
  }
  return undefined;
}

/** The folder that a repository is moved with. */
function homeOf(common: string): string {
  return basename(common) === ".git" ? dirname(common) : common;
}

/** The real folder that `.git` means, be it a folder, a link, or a file that names it. */
export function gitFolderAt(entry: string): string | undefined {
  const target = /^gitdir: ([^\n]+)\n*$/.exec(textAt(entry) ?? "")?.[1]?.trimEnd();
  const folder = realOrMissing(target === undefined ? entry : resolve(dirname(entry), target));
  return folder !== undefined && isGitFolder(folder) ? folder : undefined;
}

/** The folder with objects and refs: another one for a linked worktree. */
export function commonOf(gitFolder: string): string | undefined {
  const common = textAt(join(gitFolder, "commondir"))?.trim();
  return common ? realOrMissing(resolve(gitFolder, common)) : gitFolder;
}

export function isGitFolder(folder: string): boolean {
  const head = join(folder, "HEAD");
  if (kindAt(head) !== "link" && textAt(head) === undefined) return false;
  const base = commonOf(folder) ?? folder;
  return ["objects", "refs"].every((name) => isFolder(join(base, name)));
}

const mostTextBytes = 1_000_000;

/** The text of a small regular file; undefined for anything else. */
export function textAt(path: string): string | undefined {
  // an error for a missing file takes longer than the question
  if (!existsSync(path)) return undefined;
  const file = readStateFile(path, mostTextBytes);
  return file.kind === "text" ? file.text : undefined;
}
