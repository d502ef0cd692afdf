/** Looks once more before names and lines are given out: what is inside the workspace stays. */
import type { LeftOut } from "./left_out.ts";
import type { SearchBounds } from "./search_root.ts";

/** Takes the names of what is not inside the workspace out of a search's notes. */
export function confirmLeftOut(leftOut: LeftOut, bounds: SearchBounds): void {
  leftOut.folderCount -= keepConfirmed(leftOut.trackedFolders, bounds);
  leftOut.folderCount -= keepConfirmed(leftOut.unignored, bounds);
  leftOut.folderCount -= keepConfirmed(leftOut.folders, bounds);
  leftOut.trackedFileCount -= keepConfirmed(leftOut.trackedFiles, bounds);
  leftOut.oddNameCount -= keepConfirmed(leftOut.oddNames, bounds);
}

/** Removes the paths that lead to nothing inside the workspace; how many they were. */
export function keepConfirmed(paths: string[], bounds: SearchBounds): number {
  if (paths.length === 0) return 0;
  const found = bounds.confirm(paths);
  const kept = paths.filter((_, index) => found[index] !== undefined);
  return paths.splice(0, paths.length, ...kept).length - kept.length;
}
