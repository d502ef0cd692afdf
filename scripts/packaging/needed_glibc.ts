/** What a binary for Linux needs of the C library, as its head says. */

/** The names that the loader looks for stand in the first pages of the file. */
const headBytes = 4 * 1024 * 1024;

/** The newest version of glibc that the file at `path` asks for, as `2.27`; undefined where it asks for none. */
export async function neededGlibc(path: string): Promise<string | undefined> {
  using file = await Deno.open(path);
  const head = new Uint8Array(headBytes);
  let length = 0;
  for (let read = 1; read > 0 && length < headBytes; length += read) {
    read = await file.read(head.subarray(length)) ?? 0;
  }
  const text = new TextDecoder("latin1").decode(head.subarray(0, length));
  const versions = [...text.matchAll(/\0GLIBC_(\d+)\.(\d+)(?:\.\d+)?(?=\0)/g)]
    .map(([, major, minor]) => [Number(major), Number(minor)] as const);
  const newest = versions.sort(compare).at(-1);
  return newest?.join(".");
}

/** Whether glibc `needed` is there where `promised` is. */
export function isPromised(needed: string, promised: string): boolean {
  const [a, b] = [needed, promised].map((version) => {
    const [major = 0, minor = 0] = version.split(".").map(Number);
    return [major, minor] as const;
  });
  return compare(a!, b!) <= 0;
}

function compare(a: readonly [number, number], b: readonly [number, number]): number {
  return a[0] - b[0] || a[1] - b[1];
}
