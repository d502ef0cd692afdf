/** The folders of a run, and how paths are shown to people and the model. */
import { relative, sep } from "node:path";
import { isInside } from "../lib/path_inside.ts";
import { shownWhole } from "../lib/shown_path.ts";
import { forwardSlashes } from "../lib/slashes.ts";

/** Where this run keeps and finds its things. All paths are absolute; the workspace is a real path. */
export interface Locations {
  readonly workspace: string;
  /** The user's home folder, where there is one. */
  readonly home?: string | undefined;
  /** `NIMLET_HOME`, or `~/.nimlet`. */
  readonly nimletHome?: string | undefined;
}

/** `path` as it is shown to people and the model: relative to the workspace, from `~`, or whole. */
export function shownFrom(locations: Locations, path: string): string {
  return shownWhole(relativeForm(locations, path));
}

/** The same, not quoted where it is odd. */
export function relativeForm({ workspace, home }: Locations, path: string): string {
  if (path === workspace) return ".";
  if (isInside(workspace, path)) return forwardSlashes(below(workspace, path));
  if (home !== undefined && home !== "/" && path !== home && isInside(home, path)) {
    return `~/${forwardSlashes(below(home, path))}`;
  }
  return forwardSlashes(path);
}

function below(folder: string, path: string): string {
  return path.slice(folder.endsWith(sep) ? folder.length : folder.length + 1);
}

/** The way from `folder` to `path`, which lies in it, as file tools are given it. */
export function within(folder: string, path: string): string {
  return forwardSlashes(relative(folder, path)) || ".";
}
