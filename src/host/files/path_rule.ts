/** The rule for path strings: workspace-relative, and not meant for a shell to expand. */
import { ToolFailure } from "../../core/failure.ts";
import {
  outsideMessage,
  ownFolderNote,
  parseWorkspacePath,
  refusedPathMessage,
} from "../../core/workspace_path.ts";
import { shownPath } from "../../lib/shown_path.ts";

export interface WrittenPath {
  /** Without `.` and `..`; none for the workspace itself. */
  readonly segments: readonly string[];
  /** The segments joined; `.` for the workspace itself. */
  readonly text: string;
  /** True where the path can only mean a folder: it ends in `/`, `.` or `..`. */
  readonly namesFolder: boolean;
}

/**
 * Takes a path of a call in `workspace` apart. Throws `ToolFailure("outside_workspace")` for absolute paths, a `..` that climbs
 * out and a leading `~` or `$HOME`, `ToolFailure("invalid_arguments")` for what can be no path.
 */
export function parsePath(path: string, workspace: string): WrittenPath {
  if (path === "") {
    throw new ToolFailure(
      "invalid_arguments",
      "invalid_arguments: path is empty; use . for the workspace itself",
    );
  }
  if (path.includes("\0")) {
    throw new ToolFailure(
      "invalid_arguments",
      `invalid_arguments: path holds a NUL character: ${shownPath(path)}`,
    );
  }
  if (!path.isWellFormed()) {
    throw new ToolFailure(
      "invalid_arguments",
      `invalid_arguments: path is not valid Unicode: ${shownPath(path)}`,
    );
  }
  const parsed = parseWorkspacePath(path);
  if ("outside" in parsed || /^[A-Za-z]:[\\/]/.test(path)) throw refusedPath(path, workspace);
  const segments = parsed.relative === "" ? [] : parsed.relative.split("/");
  if (segments[0] !== undefined && isHome(segments[0])) throw outsideWorkspace(path);
  const last = path.slice(path.lastIndexOf("/") + 1);
  return {
    segments,
    text: parsed.relative || ".",
    namesFolder: last === "" || last === "." || last === "..",
  };
}

/** The failure for a path that is absolute, or leads out by its text. */
export function refusedPath(path: string, workspace: string): ToolFailure {
  return new ToolFailure("outside_workspace", refusedPathMessage(path, workspace));
}

/** The failure for a path that leads out of the workspace; `note` says more about what is there. */
export function outsideWorkspace(path: string, note?: string): ToolFailure {
  return new ToolFailure(
    "outside_workspace",
    outsideMessage(shownPath(path), note),
  );
}

/** The failure for a path that leads into nimlet's own folder: keys, trust, sessions. */
export function inOwnFolder(path: string): ToolFailure {
  return outsideWorkspace(path, ownFolderNote);
}

/** The failure for a path that the settings keep from sight. */
export function hiddenPath(path: string): ToolFailure {
  return new ToolFailure("outside_workspace", `path is hidden by the sandbox: ${shownPath(path)}`);
}

/** The failure for making `name`, which somebody would one day take for what a shell makes of it. */
export function notExpanded(path: string, name: string): ToolFailure {
  return new ToolFailure(
    "invalid_arguments",
    `nothing named ${name} is made: paths are taken as they are written, not expanded as by a ` +
      `shell (${shownPath(path)})`,
  );
}

/** True for a segment that a shell would turn into another folder; none of that name is ever made. */
export function isShellWord(segment: string): boolean {
  return isHome(segment) || /^~[a-z_][a-z0-9_-]*$/.test(segment) ||
    /^(\$\{?[A-Z_]+\}?|%[A-Z_]+%)$/.test(segment);
}

/** True for the words that a shell turns into the home folder. */
export function isHome(segment: string): boolean {
  return segment === "~" || segment === "$HOME" || segment === "${HOME}" ||
    segment === "%USERPROFILE%" || segment === "%HOME%";
}
