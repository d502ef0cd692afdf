/** Writes to stdout where it is a pipe on Linux, without another thread: at once, or not at all. */
import { closeSync, constants, fstatSync, openSync, writeSync } from "node:fs";

/** Takes all of the bytes, or none. */
export type QuickWrite = (bytes: Uint8Array) => boolean;

/** What a pipe takes as a whole or not at all. */
export const wholePipeBytes = 4096;

/**
 * Takes up to `wholePipeBytes` while the pipe has room; what is not taken goes the runtime's way, which
 * waits, and knows the words for failures. The pipe is opened once more for it: others who write to
 * it see no difference. Undefined where stdout is no pipe that can be opened.
 */
export function quickStdout(): QuickWrite | undefined {
  if (Deno.build.os !== "linux") return undefined;
  let pipe: number;
  try {
    if (!fstatSync(1).isFIFO()) return undefined;
    pipe = openSync("/proc/self/fd/1", constants.O_WRONLY | constants.O_NONBLOCK!);
  } catch {
    return undefined; // a system without /proc, another user's pipe, or nobody reads it any more
  }
  let isOpen = true;
  return (bytes) => {
    if (!isOpen || bytes.length > wholePipeBytes) return false;
    try {
      writeSync(pipe, bytes);
      return true;
    } catch (error) {
      if ((error as { code?: unknown }).code !== "EAGAIN") {
        isOpen = false;
        closeSync(pipe);
      }
      return false;
    }
  };
}
