/** Looks once more at the untracked names of a status, which git finds by path. */
import type { FileBounds } from "../core/file_bounds.ts";
import { lookInside } from "../host/files/look_inside.ts";
import { untrackedName } from "./git_changes.ts";

interface Status {
  readonly text: string;
  readonly notes: readonly string[];
}

/** Leaves out the names that are not inside the workspace: a folder may have been swapped for a link. */
export function confirmedStatus<S extends Status>(status: S, bounds: FileBounds): S {
  const lines = status.text.split("\n");
  const names = lines.map(untrackedName);
  const untracked = names.filter((name) => name !== undefined);
  const found = lookInside(bounds, untracked);
  const gone = new Set(untracked.filter((_, index) => found[index] === undefined));
  if (gone.size === 0) return status;
  const kept = lines.filter((_, index) => {
    const name = names[index];
    return name === undefined || !gone.has(name);
  });
  const notes = [...status.notes, `[${gone.size} untracked names were gone, or not to be shown]`];
  return { ...status, text: kept.join("\n"), notes };
}
