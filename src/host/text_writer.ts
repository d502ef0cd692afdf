/** Owns text files that are written piece by piece. */

export interface TextWriter {
  write(text: string): Promise<void>;
  /** May be called twice. */
  close(): void;
}

/** Opens `path` for writing from its start; gives the problem where that fails. */
export function openTextWriter(path: string): TextWriter | { readonly problem: string } {
  let file: Deno.FsFile | undefined;
  try {
    file = Deno.openSync(path, { write: true, create: true, truncate: true });
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
  return {
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
