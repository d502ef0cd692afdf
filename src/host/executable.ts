/** Owns the question whether a file may be run, without running it. */

/** True where any of the execute bits is set, or the system has none. */
export function isExecutable(path: string): boolean {
  const { mode } = Deno.statSync(path);
  return mode === null || Deno.build.os === "windows" || (mode & 0o111) !== 0;
}
