/** The rule, on the text alone, for the paths of tool calls: relative, and inside. */
import { shownPath } from "../lib/shown_path.ts";
import { withSlash } from "../lib/slashes.ts";

export type WorkspacePath =
  /** Segments joined with `/`, without `.`, `..` and empty ones; `""` is the workspace itself. */
  | { readonly relative: string }
  /** The path as given: absolute, or led outside by `..`. */
  | { readonly outside: string };

/**
 * Reads a path of a tool call. `..` goes back by text, so `link/../x` is `x`, and the path that is
 * checked is the path that is used. Where links lead is for whoever opens it.
 */
export function parseWorkspacePath(path: string): WorkspacePath {
  if (path.startsWith("/")) return { outside: path };
  const segments: string[] = [];
  for (const segment of path.split("/")) {
    if (segment === "" || segment === ".") continue;
    if (segment !== "..") segments.push(segment);
    else if (segments.pop() === undefined) return { outside: path };
  }
  return { relative: segments.join("/") };
}

/**
 * The sentence for a path that is not taken: an absolute one that lies in `workspace` (its absolute real
 * path) gets the relative one to write.
 */
export function refusedPathMessage(path: string, workspace: string): string {
  const relative = path.startsWith("/") ? relativeTo(workspace, path) : undefined;
  if (relative === undefined) return outsideMessage(shownPath(path));
  return `expected a workspace-relative path: write ${shownPath(relative || ".")}`;
}

/** What follows `workspace` in `path`, by the text alone; undefined for a path elsewhere. */
function relativeTo(workspace: string, path: string): string | undefined {
  const parsed = parseWorkspacePath(path.slice(1));
  if ("outside" in parsed) return undefined;
  const full = `/${parsed.relative}`;
  if (full === workspace) return "";
  const inside = withSlash(workspace);
  return full.startsWith(inside) ? full.slice(inside.length) : undefined;
}

/** The sentence for a path that leads outside; `note` says more about it. */
export function outsideMessage(path: string, note?: string): string {
  return `path is outside the workspace: ${path}${note === undefined ? "" : ` (${note})`}`;
}

/** The note on a path that leads to keys, trust and sessions. */
export const ownFolderNote = "nimlet's own folder is out of bounds for file tools";
