/**
 * What of a workspace commands must not change: what git, editors and agents run later without a word.
 * Looked up anew for each command.
 */
import { basename, dirname, join, resolve } from "node:path";
import { isInside } from "../../lib/path_inside.ts";
import { kindAt, realOrMissing } from "../folders.ts";
import { commonOf, findRepository, gitFolderAt, isGitFolder } from "../git_repository.ts";
import {
  modulesOf,
  type NamedByGit,
  namedByGit,
  type Setting,
  settingsIn,
  worktreesOf,
} from "./named_by_git.ts";

export interface Protection {
  /** True where an empty folder stands in for `.git`, which some programs take for a repository. */
  readonly isCovered: boolean;
  /** Shown though it lies outside the workspace. */
  readonly shown: readonly string[];
  /** Written in `commit` alone, and bound before what is closed. */
  readonly opened: readonly string[];
  /** Never written: files and folders that are there, and names that an empty folder is to cover. */
  readonly closed: readonly string[];
  /** Within what is closed, and written all the same; then what is closed within them. */
  readonly reopened: readonly string[];
  readonly closedWithin: readonly string[];
  /** Protected names that are links, which nothing can cover. */
  readonly links: readonly string[];
  /** Files that must not come to be, where nothing can cover them: git reads them. */
  readonly watched: readonly string[];
  /** Files that are bound one by one, so that a rename outside uncovers them. */
  readonly compared: readonly string[];
}

/** Folders of programs that run what they find there. */
const settingsFolders = [
  ".nimlet",
  ".agent",
  ".agents",
  ".vscode",
  ".idea",
  ".claude",
  ".codex",
];

/** Names in a workspace that are covered whatever is in it. */
export const coveredNames = [...settingsFolders, ".git"];

/** What git runs or follows, within its folder; the rest is history. */
const gitFolders = ["hooks", "info", "modules", "worktrees"];
const gitFiles = ["config", "config.worktree"];

/** `home` is the person's own, for git's settings. Both real. */
export function protectionOf(
  workspace: string,
  home: string,
  commits: boolean,
): Protection {
  const found: { [Key in Exclude<keyof Protection, "isCovered">]: string[] } = {
    shown: [],
    opened: [],
    closed: settingsFolders.map((name) => join(workspace, name)),
    reopened: [],
    closedWithin: [],
    links: [],
    watched: [],
    compared: [],
  };
  const entry = join(workspace, ".git");
  const repository = findRepository(workspace);
  const known = repository !== undefined && !("foreign" in repository) ? repository : undefined;
  const gitFolder = known?.gitFolder;
  const common = gitFolder === undefined ? undefined : commonOf(gitFolder) ?? gitFolder;
  if (gitFolder !== undefined && common !== undefined) {
    if (!isInside(workspace, common)) found.shown.push(common);
    if (!isInside(common, gitFolder)) found.shown.push(gitFolder);
  }
  if (commits && gitFolder !== undefined && common !== undefined && !known?.bare) {
    if (kindAt(entry) !== "folder") found.closed.push(entry);
    if (!isInside(workspace, common)) found.opened.push(common);
    closeParts(common, found.closed, found);
    found.compared.push(join(common, "config"));
    if (gitFolder !== common) {
      found.reopened.push(gitFolder);
      found.closedWithin.push(join(gitFolder, "commondir"), join(gitFolder, "gitdir"));
      const own = join(gitFolder, "config.worktree");
      (kindAt(own) === "missing" ? found.watched : found.closedWithin).push(own);
    }
  } else if (known?.bare && isInside(workspace, known.gitFolder)) {
    closeParts(known.gitFolder, found.closed, found);
  } else found.closed.push(entry);

  // data of a repository that lies in the workspace under another name
  const led = gitFolderAt(entry);
  const isOpened = commits && known !== undefined && !known.bare;
  if (led !== undefined && led !== entry && isInside(workspace, led) && led !== workspace) {
    if (!isOpened) found.closed.push(led, commonOf(led) ?? led);
  }
  const top = known?.top ?? workspace;
  const read = new Map<string, readonly Setting[]>();
  const settings = (config: string) => {
    const all = read.get(config) ?? [...settingsIn(config)];
    read.set(config, all);
    return all;
  };
  const { closed, watched, folders } = modulesOf(workspace, top);
  found.closed.push(...closed);
  found.watched.push(...watched);
  // also of a repository that takes objects from another
  const data = gitFolder ?? led, base = data && (commonOf(data) ?? data);
  if (base !== undefined) found.closed.push(...worktreesOf(base, workspace, entry));
  const personal = [
    "/etc/gitconfig",
    join(home, ".config", "git", "config"),
    join(home, ".gitconfig"),
  ];
  for (const folder of [top, ...folders]) {
    const own = folder === top ? data : gitFolderAt(join(folder, ".git"));
    const configs = own === undefined
      ? []
      : [join(commonOf(own) ?? own, "config"), join(own, "config.worktree")];
    for (const named of namedByGit([...configs, ...personal], folder, home, settings)) {
      closeInside(named);
    }
  }

  for (const path of [...found.closed]) {
    if (kindAt(path) !== "link") continue;
    found.links.push(path);
    // also where the link leads to nothing yet
    const target = realOrMissing(path) ?? resolve(dirname(path), Deno.readLinkSync(path));
    if (isInside(workspace, target)) {
      if (target !== workspace) found.closed.push(target);
    } else if (path === entry && isGitFolder(target)) found.shown.push(target);
  }
  const isCovered = led === undefined && kindAt(entry) !== "link";
  return {
    ...found,
    isCovered,
    closed: [...new Set(found.closed)].filter((path) => kindAt(path) !== "link"),
  };

  function closeInside({ path, isFolder }: NamedByGit): void {
    const parent = realOrMissing(dirname(path));
    if (parent === undefined) return;
    const real = join(parent, basename(path));
    if (!isInside(workspace, real) || real === workspace) return;
    // git would not take a folder in place of a missing file
    (isFolder || kindAt(real) !== "missing" ? found.closed : found.watched).push(real);
  }
}

function closeParts(folder: string, closed: string[], found: { watched: string[] }): void {
  closed.push(...gitFolders.map((name) => join(folder, name)));
  for (const path of gitFiles.map((name) => join(folder, name))) {
    (kindAt(path) === "missing" ? found.watched : closed).push(path);
  }
  if (kindAt(join(folder, "commondir")) === "missing") {
    found.watched.push(join(folder, "commondir"));
  }
}
