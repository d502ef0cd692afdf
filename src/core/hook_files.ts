/** Where the files are that `hook_files` names: one rule for who runs their hooks and who shows them. */
import { dirname, isAbsolute, join, resolve } from "node:path";
import type { Environment } from "./host.ts";

/** That many in one settings file. */
export const maxHookFiles = 20;

/** Relative to the file that names it, or to the home folder by `~/`. */
export function hookFilePath(
  named: string,
  settingsFile: string,
  { home }: Pick<Environment, "home">,
): string {
  if (home !== undefined && named.startsWith("~/")) return join(home, named.slice(2));
  return isAbsolute(named) ? resolve(named) : resolve(dirname(settingsFile), named);
}
