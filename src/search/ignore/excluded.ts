/** The folders that no search enters unless they are named outright. */

/** Never entered, not even when named: git's own data. */
export const gitFolder = ".git";

/** Generated files and dependencies; entered only when a path or pattern names them. */
export const excludedFolders: ReadonlySet<string> = new Set([
  "node_modules",
  "nimcache",
  "dist",
  "build",
  "target",
  ".next",
  ".turbo",
]);
