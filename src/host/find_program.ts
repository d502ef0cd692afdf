/** Finds a program on PATH; a workspace cannot put its own in the way. */
import { existsSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import type { Host } from "../core/host.ts";
import { isInside } from "../lib/path_inside.ts";

/**
 * The absolute path of the first executable `name` on PATH, or undefined. Relative entries of PATH,
 * and those within `workspace`, are skipped: an unknown repository does not choose the program. `endings`
 * are those of programs on Windows.
 */
export function findProgram(
  host: Pick<Host, "env" | "platform">,
  name: string,
  workspace?: string,
  endings: readonly string[] = [".exe"],
): string | undefined {
  const names = host.platform === "windows" ? endings.map((ending) => name + ending) : [name];
  for (const folder of (host.env.get("PATH") ?? "").split(delimiter)) {
    if (!isTrusted(folder, workspace)) continue;
    // an error for each folder without it would take longer than the question
    const found = names.map((file) => join(folder, file))
      .find((file) => existsSync(file) && isExecutable(file));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** True for a file that the system would run. */
export function isExecutable(path: string): boolean {
  try {
    const info = Deno.statSync(path);
    return info.isFile && (info.mode === null || (info.mode & 0o111) !== 0);
  } catch {
    // missing, or out of reach: the search goes on
    return false;
  }
}

function isTrusted(folder: string, workspace: string | undefined): boolean {
  if (!/^(?:\/|[A-Za-z]:[\\/])/.test(folder)) return false;
  if (workspace === undefined || workspace === "/") return true;
  return !isInside(workspace, resolve(folder));
}
