/** Finds a repository and its data, as far as searches need them, and reads its small text files. */
import { dirname } from "node:path";
import { withSlash } from "../../lib/slashes.ts";

/** The nearest folder with a `.git`, from `folder` upwards. */
export function repositoryRoot(folder: string): string | undefined {
  for (let at = folder;; at = dirname(at)) {
    if (statOf(`${at}/.git`)) return at;
    if (at === dirname(at)) return undefined;
  }
}

/** The folder of the work tree's own data: a submodule or linked worktree has a file that names it. */
export function ownGitFolder(root: string): string {
  const path = `${root}/.git`;
  if (!statOf(path)?.isFile) return path;
  const named = /^gitdir: (.+)/.exec(readText(path) ?? "")?.[1]?.trim();
  if (!named) return path;
  return named.startsWith("/") ? named : `${root}/${named}`;
}

/** The folder of the data that a linked worktree shares with its repository. */
export function sharedGitFolder(root: string): string {
  const folder = ownGitFolder(root);
  const common = readText(`${folder}/commondir`)?.trim();
  if (!common) return folder;
  return common.startsWith("/") ? common : `${folder}/${common}`;
}

const maxTextBytes = 1024 * 1024;

/**
 * Undefined where there is no such regular file; a broken one is no reason to fail. With `within`, a
 * link is honoured only where it stays in that folder.
 */
export function readText(path: string, within?: string): string | undefined {
  const info = statOf(path);
  if (!info?.isFile || info.size > maxTextBytes) return undefined;
  try {
    if (within !== undefined && !Deno.realPathSync(path).startsWith(withSlash(within))) {
      return undefined;
    }
    return Deno.readTextFileSync(path);
  } catch {
    return undefined;
  }
}

/** Undefined where there is no such regular file, or a larger one. */
export function readBytes(path: string, maxBytes: number): Uint8Array | undefined {
  const info = statOf(path);
  if (!info?.isFile || info.size > maxBytes) return undefined;
  try {
    return Deno.readFileSync(path);
  } catch {
    return undefined;
  }
}

function statOf(path: string): Deno.FileInfo | undefined {
  try {
    return Deno.statSync(path);
  } catch {
    return undefined;
  }
}
