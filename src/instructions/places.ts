/** Where a run has its things, and how paths are shown to people and the model. */
import { relative, sep } from "node:path";
import { isInside } from "../lib/path_inside.ts";

/** Where this run keeps and finds its things. All paths are absolute; the workspace is a real path. */
export interface Places {
  readonly workspace: string;
  /** The user's home folder, where there is one. */
  readonly home?: string | undefined;
  /** `NIMLET_HOME`, or `~/.nimlet`. */
  readonly nimletHome?: string | undefined;
}

/** `path` relative to the workspace, from `~`, or as it is; on one line. */
export function shownPath(path: string, places: Places): string {
  const { workspace, home } = places;
  if (path === workspace) return ".";
  if (isInside(workspace, path)) return oneLine(slashed(below(workspace, path)));
  if (home !== undefined && home !== "/" && path !== home && isInside(home, path)) {
    return oneLine(`~/${slashed(below(home, path))}`);
  }
  return oneLine(slashed(path));
}

function below(folder: string, path: string): string {
  return path.slice(folder.endsWith(sep) ? folder.length : folder.length + 1);
}

/** The way from `folder` to `path`, which lies in it, as file tools are given it. */
export function within(folder: string, path: string): string {
  return slashed(relative(folder, path)) || ".";
}

/** `path` with `/` between its names. */
export function slashed(path: string): string {
  return sep === "/" ? path : path.replaceAll(sep, "/");
}

/** `text` with control and direction characters escaped, so that it stays one honest line. */
export function oneLine(text: string): string {
  // Nearly always, and far quicker to see than the classes below.
  if (/^[ -~]*$/.test(text)) return text;
  return text.replace(
    /[\p{Cc}\u2028\u2029\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu,
    (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
