/**
 * The lock that two runs of the program take in turn to replace one file: a link beside it that
 * names the process. It is held for one synchronous stretch; what a killed process left is taken over.
 */
import { ToolFailure } from "../../core/failure.ts";
import { tempPrefix } from "../../core/temp_name.ts";
import { shownPath } from "../../lib/shown_path.ts";
import { blockFor } from "../block.ts";
import type { NodeFiles } from "./node_files.ts";
import { errorCode } from "./os_error.ts";

const maxWaitMs = 3000;
/** No stretch takes this long, so a lock of this age belongs to a process number used anew. */
const staleAfterMs = 30_000;

/** Runs `use` while no other process replaces the file `name` of the current folder. */
export function whileLocked<T>(node: NodeFiles, name: string, path: string, use: () => T): T {
  const lock = lockName(node, name);
  const taken = take(lock, path);
  try {
    return use();
  } finally {
    if (taken) release(lock);
  }
}

function lockName(node: NodeFiles, name: string): string {
  return tempPrefix + node.createHash("sha256").update(name).digest("hex").slice(0, 12);
}

/** False where the folder or its file system takes no links: then the last check must do. */
function take(lock: string, path: string): boolean {
  const deadline = Date.now() + maxWaitMs;
  for (;;) {
    try {
      Deno.symlinkSync(String(Deno.pid), lock);
      return true;
    } catch (error) {
      if (errorCode(error) !== "EEXIST") return false;
    }
    if (isLeftOver(lock)) release(lock);
    else if (Date.now() > deadline) {
      throw new ToolFailure(
        "io_error",
        `in use: another run is writing ${shownPath(path)}; try again`,
      );
    } else blockFor(1);
  }
}

function isLeftOver(lock: string): boolean {
  try {
    const age = Date.now() - (Deno.lstatSync(lock).mtime?.getTime() ?? 0);
    return age > staleAfterMs || !isAlive(Deno.readLinkSync(lock));
  } catch {
    return false; // It went away between the two looks.
  }
}

function isAlive(pid: string): boolean {
  if (Deno.build.os !== "linux") return true; // There only its age shows it.
  try {
    Deno.lstatSync(`/proc/${Number(pid)}`);
    return true;
  } catch {
    return false;
  }
}

function release(lock: string): void {
  try {
    Deno.removeSync(lock);
  } catch {
    // Taken over by another run, which thought this one dead.
  }
}
