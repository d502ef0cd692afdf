/** Writes text files piece by piece. */
import { specialFile } from "./special_file.ts";

export interface TextWriter {
  /** True where `path` leads to the file that is written. */
  isAt(path: string): boolean;
  /** Drops what the file held before; pipes and devices hold nothing. */
  empty(): void;
  /** Rejects with the signal's reason. */
  write(text: string, signal: AbortSignal): Promise<void>;
  /** May be called twice. */
  close(): void;
}

/** Opens `path` for writing, and leaves what it holds; gives the problem where that fails. */
export function openTextWriter(path: string): TextWriter | { readonly problem: string } {
  try {
    const info = statOrNothing(path);
    return info === undefined || info.isFile || info.isDirectory
      ? plainWriter(Deno.openSync(path, { write: true, create: true }))
      : specialWriter(path, info);
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

function plainWriter(opened: Deno.FsFile): TextWriter {
  let file: Deno.FsFile | undefined = opened;
  const own = opened.statSync();
  return {
    isAt: (path) => isSameFile(own, path),
    empty: () => file?.truncateSync(0),
    async write(text, signal) {
      signal.throwIfAborted();
      let bytes = new TextEncoder().encode(text);
      while (file && bytes.length > 0) bytes = bytes.subarray(await file.write(bytes));
    },
    close() {
      file?.close();
      file = undefined;
    },
  };
}

function specialWriter(path: string, own: Deno.FileInfo): TextWriter {
  const file = specialFile(path);
  return {
    isAt: (other) => isSameFile(own, other),
    empty() {},
    write: (text, signal) => file.write(new TextEncoder().encode(text), signal),
    close: file.close,
  };
}

function isSameFile(own: Deno.FileInfo, path: string): boolean {
  const other = statOrNothing(path);
  return own.ino !== null && other?.ino === own.ino && other.dev === own.dev;
}

function statOrNothing(path: string): Deno.FileInfo | undefined {
  try {
    return Deno.statSync(path);
  } catch {
    return undefined; // what is not there is not this file; opening it tells why
  }
}
