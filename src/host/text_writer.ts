/** Writes text files piece by piece. */

export interface TextWriter {
  /** True where `path` leads to the file that is written. */
  isAt(path: string): boolean;
  /** Drops what the file held before; pipes and devices hold nothing. */
  empty(): void;
  write(text: string): Promise<void>;
  /** May be called twice. */
  close(): void;
}

/** Opens `path` for writing, and leaves what it holds; gives the problem where that fails. */
export function openTextWriter(path: string): TextWriter | { readonly problem: string } {
  let file: Deno.FsFile | undefined;
  try {
    file = Deno.openSync(path, { write: true, create: true });
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
  const own = file.statSync();
  return {
    isAt(other) {
      try {
        const { dev, ino } = Deno.statSync(other);
        return own.ino !== null && ino === own.ino && dev === own.dev;
      } catch {
        return false; // what is not there is not this file
      }
    },
    empty() {
      if (own.isFile) file?.truncateSync(0);
    },
    async write(text) {
      let bytes = new TextEncoder().encode(text);
      while (file && bytes.length > 0) bytes = bytes.subarray(await file.write(bytes));
    },
    close() {
      file?.close();
      file = undefined;
    },
  };
}
