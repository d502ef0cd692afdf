/** Which paths git tracks: the names in a repository's index, read without git. */
import { ownGitFolder, readBytes } from "./repository.ts";

export interface TrackedPaths {
  /** `path` is absolute. */
  has(path: string): boolean;
  /** True where something below the folder is tracked. */
  hasBelow(folder: string): boolean;
}

/** That of half a million files. */
const maxIndexBytes = 64 * 1024 * 1024;

/** Undefined where there is no index that can be read: then nothing is known. */
export function trackedPaths(root: string): TrackedPaths | undefined {
  const bytes = readBytes(`${ownGitFolder(root)}/index`, maxIndexBytes);
  // 20 and 32 bytes of SHA-1 and SHA-256
  const names = bytes && (namesOf(bytes, 20) ?? namesOf(bytes, 32));
  if (names === undefined) return undefined;
  const encoder = new TextEncoder();
  const keyOf = (path: string) => encoder.encode(path.slice(root === "/" ? 1 : root.length + 1));
  const startsAt = (key: Uint8Array) => {
    const at = lowerBound(names, key);
    return at < names.starts.length && startsWith(names, at, key) ? names.starts[at]! : undefined;
  };
  return {
    has(path) {
      const key = keyOf(path), start = startsAt(key);
      return start !== undefined && names.bytes[start + key.length] === 0;
    },
    hasBelow: (folder) => startsAt(keyOf(`${folder}/`)) !== undefined,
  };
}

/** Names in byte order, each ended by a NUL. */
interface Names {
  readonly bytes: Uint8Array;
  readonly starts: Uint32Array;
}

/** What git writes before the name of each entry: times, numbers, size. */
const statBytes = 40;

function namesOf(bytes: Uint8Array, hashBytes: number): Names | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 12 || view.getUint32(0) !== 0x44495243) return undefined; // DIRC
  const version = view.getUint32(4), count = view.getUint32(8);
  if (version < 2 || version > 4 || count > bytes.length / (statBytes + hashBytes)) {
    return undefined;
  }
  const starts = new Uint32Array(count);
  const whole = version === 4 ? nameWriter() : undefined;
  let at = 12;
  for (let entry = 0; entry < count; entry++) {
    const begin = at;
    at += statBytes + hashBytes;
    if (at + 2 > bytes.length) return undefined;
    const flags = view.getUint16(at);
    at += (flags & 0x4000) === 0 ? 2 : 4;
    const prefix = whole && readOffset(bytes, at);
    if (prefix !== undefined) at = prefix.end;
    const end = bytes.indexOf(0, at);
    if (end < 0) return undefined;
    let length = end - at;
    if (whole !== undefined && prefix !== undefined) {
      starts[entry] = whole.add(prefix.value, bytes.subarray(at, end));
      length = whole.length() - starts[entry]! - 1;
      at = end + 1;
    } else {
      starts[entry] = at;
      // one to eight NULs, up to a multiple of eight
      at = begin + ((end - begin + 8) & ~7);
    }
    // where the hashes are of another size, this is what does not fit
    if ((flags & 0xfff) !== Math.min(length, 0xfff)) return undefined;
  }
  return { bytes: whole?.bytes() ?? bytes, starts };
}

/** Puts together the names of version 4, each of which begins as the one before it. */
function nameWriter() {
  let bytes = new Uint8Array(64 * 1024), length = 0, last = 0;
  return {
    /** Drops so many bytes of the name before, and adds the rest; gives where the name starts. */
    add(dropped: number, rest: Uint8Array): number {
      const kept = Math.max(0, length - 1 - last - dropped);
      const needed = length + kept + rest.length + 1;
      if (needed > bytes.length) {
        const larger = new Uint8Array(needed * 2);
        larger.set(bytes.subarray(0, length));
        bytes = larger;
      }
      const start = length;
      bytes.copyWithin(start, last, last + kept);
      bytes.set(rest, start + kept);
      bytes[start + kept + rest.length] = 0;
      length = needed;
      last = start;
      return start;
    },
    length: () => length,
    bytes: () => bytes.subarray(0, length),
  };
}

/** A number of variable length, as git writes offsets. */
function readOffset(bytes: Uint8Array, at: number): { value: number; end: number } {
  let byte = bytes[at++] ?? 0, value = byte & 0x7f;
  for (let more = 0; (byte & 0x80) !== 0 && more < 4; more++) {
    byte = bytes[at++] ?? 0;
    value = (value + 1) * 128 + (byte & 0x7f);
  }
  return { value, end: at };
}

/** The first name that is not before `key`. */
function lowerBound(names: Names, key: Uint8Array): number {
  let low = 0, high = names.starts.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBefore(names, middle, key)) low = middle + 1;
    else high = middle;
  }
  return low;
}

function isBefore({ bytes, starts }: Names, index: number, key: Uint8Array): boolean {
  const start = starts[index]!;
  for (let at = 0; at < key.length; at++) {
    const byte = bytes[start + at]!;
    if (byte !== key[at]) return byte < key[at]!;
  }
  return false;
}

function startsWith({ bytes, starts }: Names, index: number, key: Uint8Array): boolean {
  const start = starts[index]!;
  for (let at = 0; at < key.length; at++) if (bytes[start + at] !== key[at]) return false;
  return true;
}
