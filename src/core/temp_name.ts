/** Owns the names of files that are being written and are not there yet for anyone else. */

/** Every temporary file of an atomic write starts with this, beside its target. */
export const tempNamePrefix = ".nimlet-tmp-";

/** True for a temporary file of ours: never listed, never searched. */
export function isTempName(name: string): boolean {
  return name.startsWith(tempNamePrefix);
}
