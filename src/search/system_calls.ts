/**
 * The calls of Linux that a search makes thousands of times, without what the runtime does around each:
 * it makes objects of files and names, which takes as long again as some of the calls.
 */

export type EntryKind = "file" | "folder" | "link" | "other";
export type AddEntry = (name: string, kind: EntryKind) => void;

export interface SystemCalls {
  /**
   * Opens a file to read, and gives its number; below 0 where it cannot be opened. The path ends with a
   * NUL, and begins in `folder` where it is a relative one.
   */
  open(path: Uint8Array, folder?: number): number;
  /** Opens a folder for the files in it to be opened; its path ends with a NUL. */
  openFolder(path: Uint8Array): number;
  /** Bytes read; below 0 where the file cannot be read. */
  read(file: number, buffer: Uint8Array): number;
  /** Device and inode, as the runtime has them; undefined where the kernel does not say. */
  identityOf(file: number): { readonly dev: number; readonly ino: number } | undefined;
  close(file: number): void;
  /**
   * Calls `add` for every name but `.` and `..`; throws where the folder cannot be read. With `endings` it
   * passes over files whose names end in none of them, but not over names that begin with a dot; gives
   * how many it passed over.
   */
  list(folder: string, add: AddEntry, endings?: readonly Uint8Array[]): number;
}

/** Opening the system's library takes as long as so many uses of it gain. */
const usesByRuntime = 50;
let uses = 0;
let opened: SystemCalls | undefined;

/** Asked for at each use: undefined for the first ones, and where there are no such calls. */
export function systemCalls(): SystemCalls | undefined {
  if (uses < usesByRuntime && ++uses === usesByRuntime) opened = openSystemCalls();
  return opened;
}

/** Undefined on other systems, and where the library lacks these calls. */
export function openSystemCalls(): SystemCalls | undefined {
  if (Deno.build.os !== "linux") return undefined;
  try {
    return linuxCalls();
  } catch {
    return undefined;
  }
}

const currentFolder = -100;
/** A pipe that has taken the place of a file or folder is not waited for. */
const openFlags = 0o4000 | 0o2000000;
/** Nothing is done to what is at the path, whatever it is. */
const pathOnly = 0o10000000 | 0o2000000;
/** The path is empty: what is open is meant. */
const emptyPath = 0x1000, wantedInode = 0x100;
const devMajorAt = 136, devMinorAt = 140, inodeAt = 32, statBytes = 256;
/** Of one entry in what `getdents64` writes. */
const lengthAt = 16, kindAt = 18, nameAt = 19;
const folderKind = 4, fileKind = 8, linkKind = 10;
const kinds: readonly (EntryKind | undefined)[] = Array.from(
  { length: 16 },
  (_, kind) =>
    kind === folderKind
      ? "folder"
      : kind === fileKind
      ? "file"
      : kind === linkKind
      ? "link"
      : undefined,
);
/** The file system does not say what an entry is. */
const unknownKind = 0;
const listBytes = 32 * 1024;
/** An entry is a multiple of 8 bytes, and has a name. */
const minEntryBytes = 24;
/** No path that the kernel takes is longer. */
export const maxPathBytes = 4096;

type OwnBytes = Uint8Array<ArrayBuffer>;

function linuxCalls(): SystemCalls {
  const { symbols: c } = Deno.dlopen("libc.so.6", {
    openat: { parameters: ["i32", "buffer", "i32"], result: "i32" },
    read: { parameters: ["i32", "buffer", "usize"], result: "i32" },
    statx: { parameters: ["i32", "buffer", "i32", "u32", "buffer"], result: "i32" },
    getdents64: { parameters: ["i32", "buffer", "usize"], result: "i32" },
    close: { parameters: ["i32"], result: "i32" },
  });
  const path = new Uint8Array(maxPathBytes + 1), room = path.subarray(0, maxPathBytes);
  const listed = new Uint8Array(listBytes), listSize = BigInt(listBytes);
  const stat = new DataView(new ArrayBuffer(statBytes)), nothing = new Uint8Array(1);
  /** The names in what was listed, a NUL after each, and what each is. */
  const names = new Uint8Array(listBytes), kindBytes = new Uint8Array(listBytes / minEntryBytes);
  const encoder = new TextEncoder();
  const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });

  const openToList = (folder: string) => {
    const { read, written } = encoder.encodeInto(folder, room);
    if (read < folder.length) return -1;
    path[written] = 0;
    return c.openat(currentFolder, path, openFlags);
  };
  const addEntries = (
    folder: string,
    length: number,
    add: AddEntry,
    endings: readonly Uint8Array[] | undefined,
  ) => {
    let count = 0, end = 0, passed = 0;
    for (let at = 0, next = 0; at < length; at = next) {
      next = at + (listed[at + lengthAt]! | listed[at + lengthAt + 1]! << 8);
      const from = at + nameAt;
      if (listed[from] === dot) {
        if (isSelfOrParent(listed, from)) continue;
      } else if (
        endings !== undefined && listed[at + kindAt] === fileKind &&
        !endsInOneOf(listed, from, next, endings)
      ) {
        passed++;
        continue;
      }
      kindBytes[count++] = listed[at + kindAt]!;
      for (let byte = from; (names[end++] = listed[byte]!) !== 0;) byte++;
    }
    if (count === 0) return passed;
    // decoded at once, as a call for each name takes longer than all else
    const text = utf8.decode(names.subarray(0, end));
    for (let entry = 0, start = 0; entry < count; entry++) {
      const stop = text.indexOf("\0", start), name = text.slice(start, stop);
      const kind = kindBytes[entry]!;
      add(name, kind === unknownKind ? kindOf(`${folder}/${name}`) : kinds[kind] ?? "other");
      start = stop + 1;
    }
    return passed;
  };
  return {
    open: (path, folder = currentFolder) => c.openat(folder, path as OwnBytes, openFlags),
    openFolder: (path) => c.openat(currentFolder, path as OwnBytes, pathOnly),
    read: (file, buffer) => c.read(file, buffer as OwnBytes, BigInt(buffer.length)),
    identityOf(file) {
      if (c.statx(file, nothing, emptyPath, wantedInode, stat) !== 0) return undefined;
      const major = stat.getUint32(devMajorAt, true), minor = stat.getUint32(devMinorAt, true);
      return { dev: deviceOf(major, minor), ino: Number(stat.getBigUint64(inodeAt, true)) };
    },
    close: (file) => void c.close(file),
    list(folder, add, endings) {
      const file = openToList(folder);
      if (file < 0) throw new Error("the folder cannot be opened");
      let passed = 0;
      try {
        for (let length; (length = c.getdents64(file, listed, listSize)) !== 0;) {
          if (length < 0) throw new Error("the folder cannot be read");
          passed += addEntries(folder, length, add, endings);
        }
        return passed;
      } finally {
        c.close(file);
      }
    },
  };
}

const dot = 0x2e;

/** Whether the name there, which a NUL ends, is `.` or `..`. */
function isSelfOrParent(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === dot && (bytes[at + 1] === 0 || bytes[at + 1] === dot && bytes[at + 2] === 0);
}

/** Whether the name there, in an entry before `next`, ends in one of `endings`. */
function endsInOneOf(
  bytes: Uint8Array,
  from: number,
  next: number,
  endings: readonly Uint8Array[],
): boolean {
  // an entry is padded to eight bytes with whatever there was, so that the first NUL in the last eight ends it
  let end = Math.max(from, next - 8);
  while (bytes[end] !== 0) end++;
  for (const ending of endings) {
    let at = end - ending.length, matched = 0;
    if (at < from) continue;
    while (matched < ending.length && bytes[at++] === ending[matched]) matched++;
    if (matched === ending.length) return true;
  }
  return false;
}

/** The two numbers of a device as one, as the library joins them. */
function deviceOf(major: number, minor: number): number {
  return Math.floor(major / 0x1000) * 2 ** 44 + (major & 0xfff) * 0x100 +
    (minor >>> 8) * 2 ** 20 + (minor & 0xff);
}

function kindOf(path: string): EntryKind {
  try {
    const { isFile, isDirectory, isSymlink } = Deno.lstatSync(path);
    return isFile ? "file" : isDirectory ? "folder" : isSymlink ? "link" : "other";
  } catch {
    return "other"; // it is gone
  }
}
