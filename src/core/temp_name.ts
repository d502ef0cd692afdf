/** The names of temporary files, so that searches can hide what a killed write left behind. */

/** Every temporary file made beside a target starts with this. */
export const tempPrefix = ".nimlet-tmp-";

const tempName = /^\.nimlet-tmp-[a-z0-9]{12}$/;

/** True for a name that only a write of this program makes. */
export function isTempName(name: string): boolean {
  return tempName.test(name);
}
