/** Follows paths as a program would that is started in a folder. */
import { realOrMissing } from "../folders.ts";
import { fromFolder } from "./real_walk.ts";

/** Real paths; undefined where nothing is. `/proc/self/cwd`, too, is `folder`. */
export function realPathsFrom(folder: string, paths: readonly string[]): (string | undefined)[] {
  if (paths.length === 0) return [];
  return fromFolder(folder, () => paths.map(realOrMissing));
}
