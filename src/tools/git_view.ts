/**
 * The work tree that git is shown: a private folder with copies of the few files that it has to read.
 * git opens files by their paths, so that a folder swapped for a link could lead it to any file.
 */
import { join, relative } from "node:path";
import { ToolFailure } from "../core/failure.ts";
import type { FileBounds } from "../core/file_bounds.ts";
import { parseWorkspacePath } from "../core/workspace_path.ts";
import { type Entry, entryInside, makeFolder, writeEntry } from "../host/files/copy_inside.ts";
import { withTempFolder } from "../host/temp_folder.ts";
import type { GitProgram, WorkTree } from "./git_program.ts";

/** Bytes of all copies together. */
const mostBytes = 64 * 1024 * 1024;

export interface GitView extends WorkTree {
  /**
   * Copies the file or link at `path`, relative to the top, with the attribute files above it. False
   * where it may not be shown: larger than allowed, unreadable, or out of bounds.
   */
  add(path: string): boolean;
  /** Copies a file that git reads as settings, where it is one: a link could lead it anywhere. */
  addSettings(path: string): void;
}

/** Runs `use` with a view of the repository's work tree that holds nothing but its root's settings. */
export async function withView<T>(
  { nimletHome }: FileBounds,
  git: GitProgram,
  use: (view: GitView) => Promise<T>,
): Promise<T> {
  const { workTree } = git;
  const bounds = { workspace: workTree.top, nimletHome };
  return await withTempFolder(async (top) => {
    /** By path; nothing is written below a link, which would lead the copy elsewhere. */
    const added = new Map<string, Entry["kind"]>();
    let left = mostBytes;
    const copy = (path: string, isWanted = (_: Entry) => true): Entry["kind"] => {
      const known = added.get(path);
      if (known !== undefined) return known;
      if (foldersOf(path).some((folder) => added.get(folder) === "link")) return "missing";
      const entry = entryInside(bounds, path, left);
      if (!isWanted(entry)) return "missing";
      const kind = writeEntry(entry, join(top, path)) ? entry.kind : "refused";
      if (entry.kind === "file") left -= entry.bytes.length;
      added.set(path, kind);
      return kind;
    };
    const folder = join(top, relative(workTree.top, workTree.folder));
    makeFolder(folder);
    const addSettings = (path: string) => void copy(path, ({ kind }) => kind === "file");
    for (const name of [".gitattributes", ".mailmap"]) addSettings(name);
    return await use({
      top,
      folder,
      add(path) {
        for (const above of foldersOf(path)) addSettings(`${above}/.gitattributes`);
        return copy(path) !== "refused";
      },
      addSettings,
    });
  });
}

/** The folders that hold `path`, from the top. */
function foldersOf(path: string): string[] {
  const names = path.split("/").slice(0, -1);
  return names.map((_, index) => names.slice(0, index + 1).join("/"));
}

/** Files that blame reads, and quotes in its errors: they must be the repository's own. */
export function ignoredRevisionFiles({ settings }: GitProgram): string[] {
  return settings.filter(({ key, value }) => key === "blame.ignorerevsfile" && value !== "")
    .map(({ value }) => {
      const parsed = parseWorkspacePath(value);
      if (!("outside" in parsed) && !value.startsWith("~")) return parsed.relative;
      throw new ToolFailure(
        "outside_workspace",
        `path is outside the workspace: ${value} (blame.ignoreRevsFile in the configuration of git)`,
      );
    });
}
