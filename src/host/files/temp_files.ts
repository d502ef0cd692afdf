/** Temporary files beside their targets: new names, and the removal of what killed writes left. */
import { isTempName, tempPrefix } from "../../core/temp_name.ts";
import { randomId } from "../random_id.ts";
import { smallFolderEntries } from "./small_folder.ts";

const staleAfterMs = 60 * 60 * 1000;

export function newTempName(): string {
  return tempPrefix + randomId(12);
}

/** Removes old temporary files from the folder that the process stands in. Never throws. */
export function removeStaleTemps(): void {
  for (const { name, isDirectory } of smallFolderEntries()) {
    if (isDirectory || !isTempName(name)) continue;
    try {
      if (isStale(name)) Deno.removeSync(name);
    } catch {
      // Another process cleans too.
    }
  }
}

function isStale(name: string): boolean {
  const { mtime, ctime } = Deno.lstatSync(name);
  // A replaced file that waits for its end got its name just now, however old it is.
  const newest = Math.max(mtime?.getTime() ?? 0, ctime?.getTime() ?? 0);
  return newest > 0 && Date.now() - newest > staleAfterMs;
}
