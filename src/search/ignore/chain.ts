/** The ignore rules in force in a folder: its own, and those of the folders above it. */
import { basename, dirname } from "node:path";
import { withSlash } from "../../lib/slashes.ts";
import { readText, repositoryRoot, sharedGitFolder } from "./repository.ts";
import { type IgnoreRules, parseIgnoreRules } from "./rules.ts";

/** Rules of one folder's files, in front of those of the folders above. */
export interface IgnoreChain {
  readonly parent: IgnoreChain | undefined;
  /** Absolute folder that the rules are relative to, with a final slash. */
  readonly folder: string;
  /** `.ignore` speaks before any `.gitignore`. */
  readonly own: IgnoreRules | undefined;
  readonly git: IgnoreRules | undefined;
  /** What a look may cost for each character of a path, in steps, those above included. */
  readonly weight: number;
}

/** Every entry of a folder is held against all rules in force: what is beyond this does not count. */
const maxWeight = 256 * 1024;

/** True where the rules hide the entry; `folder` is absolute, with a final slash. */
export function isIgnored(
  chain: IgnoreChain | undefined,
  folder: string,
  name: string,
  isFolder: boolean,
): boolean {
  for (let link = chain; link; link = link.parent) {
    const verdict = link.own?.verdict(folder, link.folder.length, name, isFolder);
    if (verdict !== undefined) return verdict;
  }
  for (let link = chain; link; link = link.parent) {
    const verdict = link.git?.verdict(folder, link.folder.length, name, isFolder);
    if (verdict !== undefined) return verdict;
  }
  return false;
}

/** Which files that rules come from a folder holds. */
export interface RuleFiles {
  readonly ignore: boolean;
  readonly gitignore: boolean;
  /** `.git`: the folder is the root of a repository, in which no rule from outside it holds. */
  readonly repository: boolean;
}

/**
 * `chain` with the ignore files of `folder` in front, as far as it has some. An ignore file may be a
 * link, as long as it stays within `top`.
 */
export function extendChain(
  above: IgnoreChain | undefined,
  folder: string,
  has: RuleFiles,
  top: string,
): IgnoreChain | undefined {
  const parent = has.repository ? excludeFile(folder) : above;
  const inside = withSlash(folder);
  const own = has.ignore ? readRules(`${inside}.ignore`, top) : undefined;
  const git = has.gitignore ? readRules(`${inside}.gitignore`, top) : undefined;
  if (!own && !git) return parent;
  const weight = (parent?.weight ?? 0) + (own?.weight ?? 0) + (git?.weight ?? 0);
  return weight > maxWeight ? parent : { parent, folder: inside, own, git, weight };
}

/**
 * The rules in force for the entries of `folder`, its own files not yet counted. A folder that is
 * itself hidden by them was named outright: then none of them holds inside it.
 */
export function chainFor(folder: string, workspace: string): IgnoreChain | undefined {
  const chain = chainAbove(folder, workspace);
  // A name that no one would write a rule for distinguishes `folder/*` from rules about certain files.
  const probe = `${withSlash(folder)}\x01`;
  for (let path = probe; path !== "/"; path = dirname(path)) {
    const rules = reaching(chain, path);
    if (isIgnored(rules, withSlash(dirname(path)), basename(path), path !== probe)) {
      return undefined;
    }
  }
  return chain;
}

/** The part of the chain that lies above `path`. */
function reaching(chain: IgnoreChain | undefined, path: string): IgnoreChain | undefined {
  let link = chain;
  while (link && !(path.length > link.folder.length && path.startsWith(link.folder))) {
    link = link.parent;
  }
  return link;
}

/**
 * The rules of the folders above `folder`, up to the root of the repository it is in, and that
 * repository's `info/exclude`. Outside a repository `workspace` takes the root's place.
 */
function chainAbove(folder: string, workspace: string): IgnoreChain | undefined {
  const root = repositoryRoot(folder);
  const top = root ?? workspace;
  let chain: IgnoreChain | undefined;
  if (folder !== top) {
    for (const ancestor of foldersFrom(top, dirname(folder))) {
      const has = { ignore: true, gitignore: true, repository: ancestor === root };
      chain = extendChain(chain, ancestor, has, top);
    }
  }
  return chain;
}

/** `top`, and every folder on the way down to `bottom`; empty where `bottom` is not inside. */
function foldersFrom(top: string, bottom: string): string[] {
  const folders: string[] = [];
  for (let folder = bottom;; folder = dirname(folder)) {
    folders.unshift(folder);
    if (folder === top) return folders;
    if (folder === dirname(folder)) return [];
  }
}

function excludeFile(root: string): IgnoreChain | undefined {
  const git = readRules(`${sharedGitFolder(root)}/info/exclude`, undefined);
  if (!git || git.weight > maxWeight) return undefined;
  return { parent: undefined, folder: withSlash(root), own: undefined, git, weight: git.weight };
}

/** With `within`, a link is honoured only where it stays in that folder. */
function readRules(path: string, within: string | undefined): IgnoreRules | undefined {
  const text = readText(path, within);
  return text === undefined ? undefined : parseIgnoreRules(text);
}
