/** The file that the final answer is written to: whole or not at all. */
import { accessSync, constants } from "node:fs";
import { dirname } from "node:path";
import { specialFile } from "./special_file.ts";
import { writeStateFile } from "./state_files.ts";

export type OutputTarget =
  /** Rejects with the signal's reason. */
  | { readonly write: (text: string, signal: AbortSignal) => Promise<void> }
  /** Completes the sentence "<path> ...". */
  | { readonly problem: string };

/**
 * Looks whether `path` can be written, without touching it. A file is replaced at once and keeps its
 * mode, through links; a pipe or device is written to as it is.
 */
export function outputTarget(path: string): OutputTarget {
  try {
    const info = Deno.statSync(path);
    if (info.isDirectory) return { problem: "is a folder, not a file" };
    if (!info.isFile) return { write: (text, signal) => writeSpecial(path, text, signal) };
    const real = Deno.realPathSync(path);
    // it is replaced, not written in place: its folder has to allow that
    accessSync(real, constants.W_OK);
    accessSync(dirname(real), constants.W_OK | constants.X_OK);
    return { write: (text) => writeStateFile(real, text, (info.mode ?? 0o644) & 0o777) };
  } catch (error) {
    if (!isMissing(error)) return { problem: reasonOf(error) };
  }
  try {
    if (!Deno.statSync(dirname(path)).isDirectory) return { problem: "is not in a folder" };
    accessSync(dirname(path), constants.W_OK | constants.X_OK);
  } catch (error) {
    return isMissing(error)
      ? { problem: "is in a folder that is not there" }
      : { problem: reasonOf(error) };
  }
  return { write: (text) => writeStateFile(path, text, 0o666 & ~Deno.umask()) };
}

async function writeSpecial(path: string, text: string, signal: AbortSignal): Promise<void> {
  const file = specialFile(path);
  try {
    await file.write(new TextEncoder().encode(text), signal);
  } finally {
    file.close();
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Deno.errors.NotFound;
}

function reasonOf(error: unknown): string {
  return `cannot be written (${error instanceof Error ? error.message : String(error)})`;
}
