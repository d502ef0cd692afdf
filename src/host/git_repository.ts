/** Finds a workspace's git repository, and makes sure that it is the workspace's own. */
import { dirname, join, resolve } from "node:path";
import { isInside } from "../lib/path_inside.ts";

export type GitRepository =
  /** `top` is the folder that holds `.git`, or the workspace within a bare repository. */
  | { readonly top: string; readonly bare: boolean }
  /** `.git` leads to a repository that knows nothing of this workspace. */
  | { readonly foreign: string };

/**
 * Looks from `workspace` (absolute, real) upwards, as git does. A `.git` of the workspace's own that
 * leads out of it counts only where the other side points back: linked worktrees and submodules.
 */
export async function findRepository(workspace: string): Promise<GitRepository | undefined> {
  for (let folder = workspace;; folder = dirname(folder)) {
    const entry = join(folder, ".git");
    const gitFolder = await gitFolderAt(entry);
    if (gitFolder !== undefined) {
      // whoever made the workspace's content could not choose what stands above it
      const own = folder !== workspace || await belongsTo(gitFolder, entry, workspace);
      return own ? { top: folder, bare: false } : { foreign: gitFolder };
    }
    if (await isGitFolder(folder)) return { top: workspace, bare: true };
    if (dirname(folder) === folder) return undefined;
  }
}

/** True where `path` (relative, may not exist) stays inside `workspace` whatever links it crosses. */
export async function staysInside(workspace: string, path: string): Promise<boolean> {
  for (let at = join(workspace, path);; at = dirname(at)) {
    const real = await realOrNothing(at);
    if (real !== undefined) return isInside(workspace, real);
    // a link that leads nowhere is not a missing file: its end may come to be
    if (await isLink(at)) return false;
    if (isInside(at, workspace)) return true;
  }
}

/** The real folder behind `.git`, be it a folder, a link, or a file that names it. */
async function gitFolderAt(entry: string): Promise<string | undefined> {
  const named = await textOrNothing(entry);
  const target = /^gitdir: ([^\n]+)\n*$/.exec(named ?? "")?.[1]?.trimEnd();
  const folder = await realOrNothing(
    target === undefined ? entry : resolve(dirname(entry), target),
  );
  return folder !== undefined && await isGitFolder(folder) ? folder : undefined;
}

async function belongsTo(gitFolder: string, entry: string, workspace: string): Promise<boolean> {
  const common = await commonFolder(gitFolder);
  // only the folders of linked worktrees share another's objects
  if (common !== gitFolder && dirname(dirname(gitFolder)) !== common) return false;
  if (isInside(workspace, gitFolder)) return await partsWithin(common, workspace);
  const back = (await textOrNothing(join(gitFolder, "gitdir")))?.trim();
  if (back) return await realOrNothing(dirname(resolve(gitFolder, back))) === dirname(entry);
  const worktree = /^\s*worktree\s*=\s*"?(.+?)"?\s*$/im
    .exec(await textOrNothing(join(gitFolder, "config")) ?? "")?.[1];
  return worktree !== undefined && await realOrNothing(resolve(gitFolder, worktree)) === workspace;
}

/** True where what a repository consists of is not borrowed through links. */
async function partsWithin(common: string | undefined, workspace: string): Promise<boolean> {
  if (common === undefined) return false;
  const parts = await Promise.all(
    ["HEAD", "objects", "refs"].map((name) => realOrNothing(join(common, name))),
  );
  return parts.every((part) => part !== undefined && isInside(workspace, part));
}

async function commonFolder(gitFolder: string): Promise<string | undefined> {
  const common = (await textOrNothing(join(gitFolder, "commondir")))?.trim();
  return common ? await realOrNothing(resolve(gitFolder, common)) : gitFolder;
}

async function isGitFolder(folder: string): Promise<boolean> {
  if (await textOrNothing(join(folder, "HEAD")) === undefined) return false;
  const base = await commonFolder(folder) ?? folder;
  const parts = await Promise.all(
    ["objects", "refs"].map((name) => realOrNothing(join(base, name))),
  );
  return parts.every((part) => part !== undefined);
}

async function realOrNothing(path: string): Promise<string | undefined> {
  try {
    return await Deno.realPath(path);
  } catch {
    return undefined;
  }
}

async function isLink(path: string): Promise<boolean> {
  try {
    return (await Deno.lstat(path)).isSymlink;
  } catch {
    return false;
  }
}

/** The text of a small regular file; nothing for anything else. */
async function textOrNothing(path: string): Promise<string | undefined> {
  try {
    const info = await Deno.stat(path);
    return info.isFile && info.size < 1_000_000 ? await Deno.readTextFile(path) : undefined;
  } catch {
    return undefined;
  }
}
