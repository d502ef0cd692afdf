/** What git's settings and lists name in a workspace: folders of hooks, commands, submodules, worktrees. */
import { existsSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { isInside } from "../../lib/path_inside.ts";
import { isFolder, kindAt, listFolder, realOrMissing } from "../folders.ts";
import { textAt } from "../git_repository.ts";

/** More submodules, worktrees and files of settings than that are not looked for. */
const mostModules = 300;
const mostConfigs = 50;

/** Settings whose values are commands that git runs without a word. */
const commandKeys = new Set(
  ("fsmonitor clean smudge process textconv command cmd driver helper program sshcommand gitproxy " +
    "editor pager askpass external difffilter packobjectshook").split(" "),
);

/** `section.key` in small letters, without the name of a subsection, and the value. */
export type Setting = readonly [string, string];

export interface NamedByGit {
  /** Absolute. */
  readonly path: string;
  readonly isFolder: boolean;
}

/**
 * The folders of hooks, the commands and the included files that configurations name, and what the included
 * ones name. `top` is the work tree, which most paths start from.
 */
export function* namedByGit(
  configs: readonly string[],
  top: string,
  home: string,
  settings: (config: string) => readonly Setting[],
): Generator<NamedByGit> {
  const all = [...new Set(configs)];
  for (let index = 0; index < all.length; index++) {
    const config = all[index]!;
    const pathOf = (value: string, base: string) =>
      value.startsWith("~/") ? join(home, value.slice(2)) : resolve(base, value);
    for (const [name, value] of settings(config)) {
      if (value === "") continue;
      const key = name.slice(name.indexOf(".") + 1);
      if (name === "core.hookspath") {
        const path = pathOf(value, top);
        yield { path, isFolder: true };
        // hooks made by husky run what lies beside their folder
        if (basename(path) === "_") yield { path: dirname(path), isFolder: true };
      } else if (name === "include.path" || name === "includeif.path") {
        const path = pathOf(value, dirname(config));
        yield { path, isFolder: false };
        if (all.length < mostConfigs && !all.includes(path)) all.push(path);
      } else if (commandKeys.has(key)) {
        for (const word of value.split(/[\s"'!=]+/)) {
          const path = pathOf(word, top);
          if (word !== "" && existsSync(path) && kindAt(path) === "file") {
            yield { path, isFolder: false };
          }
        }
      }
    }
  }
}

/** The settings of a file in git's form, in their order. */
export function* settingsIn(path: string): Generator<Setting> {
  let section = "";
  for (const line of (textAt(path) ?? "").split("\n")) {
    const head = /^\s*\[\s*([\w.-]+)[^\]]*\]/.exec(line);
    if (head !== null) section = head[1]!.toLowerCase();
    const setting = line.slice(head?.[0].length ?? 0);
    const at = setting.indexOf("=");
    if (at < 0) continue;
    const value = setting.slice(at + 1).trim();
    const quoted = /^"([^"]*)"/.exec(value)?.[1];
    yield [
      `${section}.${setting.slice(0, at).trim().toLowerCase()}`,
      quoted ?? value.split(/[;#]/, 1)[0]!.trim(),
    ];
  }
}

export interface Modules {
  /** Never written. */
  readonly closed: readonly string[];
  /** Must not come to be. */
  readonly watched: readonly string[];
  /** Those that are checked out. */
  readonly folders: readonly string[];
}

/**
 * The `.git` of each submodule, and of theirs. Where it is missing an empty one would be an error to git:
 * then the folder, which is empty too, is closed instead. The lists themselves are closed as well: with
 * another one the next command would find less protected.
 */
export function modulesOf(
  workspace: string,
  top: string,
): Modules {
  const closed: string[] = [], watched: string[] = [], folders: string[] = [];
  const queue = [...new Set([workspace, top])];
  for (const folder of queue) {
    const list = join(folder, ".gitmodules");
    const settings = [...settingsIn(list)];
    if (settings.length > 0 && isInside(workspace, list)) closed.push(list);
    for (const [key, path] of settings) {
      if (
        key !== "submodule.path" || path === "" || closed.length + watched.length >= mostModules
      ) continue;
      const named = join(folder, path), real = realOrMissing(named) ?? named;
      if (real === workspace || !isInside(workspace, real)) continue;
      const entry = join(real, ".git");
      if (closed.includes(entry)) continue;
      if (!isFolder(real)) watched.push(entry);
      else if (kindAt(entry) === "missing") closed.push(real);
      else {
        closed.push(entry);
        folders.push(real);
        queue.push(real);
      }
    }
  }
  return { closed, watched, folders };
}

/** The `.git` of each linked worktree that lies in the workspace. */
export function worktreesOf(common: string, workspace: string, entry: string): string[] {
  const folder = join(common, "worktrees");
  const list = existsSync(folder) ? listFolder(folder, mostModules) : undefined;
  if (list?.kind !== "list") return [];
  return list.entries.flatMap(({ name }) => {
    const back = textAt(join(folder, name, "gitdir"))?.trim();
    if (!back) return [];
    const tree = realOrMissing(dirname(resolve(folder, name, back)));
    const other = tree === undefined ? entry : join(tree, ".git");
    const isThere = other !== entry && isInside(workspace, other) && kindAt(other) !== "missing";
    return isThere ? [other] : [];
  });
}
