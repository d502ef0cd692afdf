/** Owns temporary files beside their targets: new names, and the removal of what killed writes left. */
import { isTempName, tempPrefix } from "../../core/temp_name.ts";

const staleAfterMs = 60 * 60 * 1000;
/** A folder with more entries is not searched: cleaning must not cost more than the write. */
const maxEntries = 10_000;

export function newTempName(): string {
  const letters = "abcdefghijklmnopqrstuvwxyz0123456789";
  const random = crypto.getRandomValues(new Uint8Array(12));
  return tempPrefix + Array.from(random, (byte) => letters[byte % letters.length]).join("");
}

/** Removes old temporary files from the folder that the process stands in. Never throws. */
export function removeStaleTemps(): void {
  try {
    let entries = 0;
    for (const { name, isFile } of Deno.readDirSync(".")) {
      if (++entries > maxEntries) return;
      if (isFile && isTempName(name) && isStale(name)) Deno.removeSync(name);
    }
  } catch {
    // Another process cleans too, or the folder cannot be listed: nothing that the write needs.
  }
}

function isStale(name: string): boolean {
  const written = Deno.lstatSync(name).mtime?.getTime();
  return written !== undefined && Date.now() - written > staleAfterMs;
}
