/** Owns the file that the final answer is written to: whole or not at all. */
import { dirname } from "node:path";
import { writeStateFile } from "./state_files.ts";

export type AnswerTarget =
  | { readonly write: (text: string) => Promise<void> }
  /** Completes the sentence "<path> ...". */
  | { readonly problem: string };

/**
 * Looks whether `path` can be written, without touching it. A file is replaced at once and keeps its
 * mode, through links; a pipe or device is written to as it is.
 */
export function answerTarget(path: string): AnswerTarget {
  try {
    const info = Deno.statSync(path);
    if (info.isDirectory) return { problem: "is a folder, not a file" };
    if (!info.isFile) return { write: (text) => Deno.writeTextFile(path, text, { create: false }) };
    const real = Deno.realPathSync(path);
    return { write: (text) => writeStateFile(real, text, (info.mode ?? 0o644) & 0o777) };
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) return { problem: reasonOf(error) };
  }
  try {
    if (!Deno.statSync(dirname(path)).isDirectory) return { problem: "is not in a folder" };
  } catch (error) {
    return error instanceof Deno.errors.NotFound
      ? { problem: "is in a folder that is not there" }
      : { problem: reasonOf(error) };
  }
  return { write: (text) => writeStateFile(path, text, 0o666 & ~Deno.umask()) };
}

function reasonOf(error: unknown): string {
  return `cannot be written (${error instanceof Error ? error.message : String(error)})`;
}
