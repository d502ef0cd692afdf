/** Counts newlines in bytes, four at a time: the way far into a large file is counting. */

/** How many LF bytes `bytes` hold. */
export function countNewlines(bytes: Uint8Array): number {
  if (bytes.length < 8) return countBytes(bytes, 0, bytes.length);
  const aligned = (4 - bytes.byteOffset % 4) % 4;
  const words = (bytes.length - aligned) >>> 2;
  let count = countBytes(bytes, 0, aligned);
  const view = new Uint32Array(bytes.buffer, bytes.byteOffset + aligned, words);
  for (let index = 0; index < words; index++) {
    // A byte of the word is zero where there was an LF.
    const word = view[index]! ^ 0x0a0a0a0a;
    if (((word - 0x01010101) & ~word & 0x80808080) === 0) continue;
    if ((word & 0xff) === 0) count++;
    if ((word & 0xff00) === 0) count++;
    if ((word & 0xff0000) === 0) count++;
    if ((word & 0xff000000) === 0) count++;
  }
  return count + countBytes(bytes, aligned + words * 4, bytes.length);
}

function countBytes(bytes: Uint8Array, from: number, to: number): number {
  let count = 0;
  for (let at = from; at < to; at++) if (bytes[at] === 10) count++;
  return count;
}
