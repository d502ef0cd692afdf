/** Where a search starts: the given path, found inside the workspace or refused. */
import { dirname } from "node:path";
import { ToolFailure } from "../../core/failure.ts";
import type { FoundInside } from "../../core/file_bounds.ts";
import {
  outsideMessage,
  ownFolderNote,
  parseWorkspacePath,
  refusedPathMessage,
} from "../../core/workspace_path.ts";
import { isInside } from "../../lib/path_inside.ts";
import { shownPath } from "../../lib/shown_path.ts";
import { gitFolder } from "../ignore/excluded.ts";

/** What a search may look at, and what it may give out. */
export interface SearchBounds {
  /** Absolute real path. */
  readonly workspace: string;
  /** Absolute real path of nimlet's own folder, which is not searched. */
  readonly ownFolder?: string | undefined;
  /**
   * Looks once more at what is to be given out: what each path inside the workspace leads to. A search
   * itself reads freely, so that a folder swapped for a link may have led it outside.
   */
  confirm(paths: readonly string[]): readonly (FoundInside | undefined)[];
}

export interface SearchRoot {
  readonly kind: "file" | "folder";
  /** Absolute real path, inside the workspace. */
  readonly real: string;
  /** Relative to the workspace as it was given; `""` for the workspace itself. */
  readonly shown: string;
}

/** Throws `ToolFailure` where the path leads outside, is missing, or is neither file nor folder. */
export function findSearchRoot(bounds: SearchBounds, path: string): SearchRoot {
  const parsed = parseWorkspacePath(path);
  const start = "outside" in parsed ? "outside" : lookUp(bounds, parsed.relative);
  if (typeof start !== "string") return start;
  const shown = shownPath(path);
  switch (start) {
    case "outside":
      throw new ToolFailure("outside_workspace", refusedPathMessage(path, bounds.workspace));
    case "own":
      throw new ToolFailure("outside_workspace", outsideMessage(shown, ownFolderNote));
    case "git":
      throw new ToolFailure(
        "unavailable",
        `not searched: ${shown} is in .git, which holds git's own data; use the git tool`,
      );
    case "missing":
      throw new ToolFailure("not_found", `no such file or folder: ${shown}`);
    case "special":
      throw new ToolFailure("not_a_file", `neither a file nor a folder: ${shown}`);
    case "unreadable":
      throw new ToolFailure("io_error", `cannot be read: ${shown}`);
  }
}

/** Why there is nothing to search; the first three say so wherever they are named. */
type NotThere = "outside" | "own" | "git" | "missing" | "special" | "unreadable";

export function isOffLimits(start: SearchRoot | NotThere): boolean {
  return start === "outside" || start === "own" || start === "git";
}

/** What is at a relative path without `.` and `..`. */
export function lookUp(
  { workspace, ownFolder }: SearchBounds,
  relative: string,
): SearchRoot | NotThere {
  const joined = relative === "" ? workspace : `${workspace === "/" ? "" : workspace}/${relative}`;
  try {
    const real = Deno.realPathSync(joined);
    if (!isInside(workspace, real)) return "outside";
    if (ownFolder !== undefined && isInside(ownFolder, real)) return "own";
    if (isInGit(relative) || isInGit(real.slice(workspace.length))) return "git";
    const info = Deno.lstatSync(real);
    if (info.isFile) return { kind: "file", real, shown: relative };
    if (info.isDirectory) return { kind: "folder", real, shown: relative };
    return "special";
  } catch (error) {
    // Of nimlet's own folder not even what is missing is reported.
    if (ownFolder !== undefined && isInside(ownFolder, realParent(joined))) return "own";
    if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory) {
      return "missing";
    }
    if (error instanceof TypeError || error instanceof Deno.errors.FilesystemLoop) return "missing";
    return "unreadable";
  }
}

function isInGit(path: string): boolean {
  return path.split("/").includes(gitFolder);
}

/** The real path of the nearest folder above `path` that is there. */
function realParent(path: string): string {
  for (let folder = dirname(path);; folder = dirname(folder)) {
    try {
      return Deno.realPathSync(folder);
    } catch {
      if (folder === dirname(folder)) return folder;
    }
  }
}
