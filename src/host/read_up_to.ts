/** Reads a known number of bytes from an open file. */

/** The next `maxBytes` bytes of `file`, fewer only at its end. */
export function readUpTo(file: Deno.FsFile, maxBytes: number): Uint8Array {
  const bytes = new Uint8Array(maxBytes);
  let done = 0;
  while (done < maxBytes) {
    const count = file.readSync(bytes.subarray(done));
    if (count === null || count === 0) break;
    done += count;
  }
  return bytes.subarray(0, done);
}
