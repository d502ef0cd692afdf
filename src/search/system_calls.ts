/**
 * The calls of Linux that a search makes thousands of times, without what the runtime does around each:
 * it makes objects of files and names, which takes as long again as some of the calls.
 */

export type EntryKind = "file" | "folder" | "link" | "other";
export type AddEntry = (name: string, kind: EntryKind) => void;

export interface SystemCalls {
  /** Opens a file to read, and gives its number; below 0 where it cannot be opened. */
  open(path: string): number;
  /** Bytes read; below 0 where the file cannot be read. */
  read(file: number, buffer: Uint8Array): number;
  /** Device and inode, as the runtime has them; undefined where the kernel does not say. */
  identityOf(file: number): { readonly dev: number; readonly ino: number } | undefined;
  close(file: number): void;
  /** Calls `add` for every name but `.` and `..`; throws where the folder cannot be read. */
  list(folder: string, add: AddEntry): void;
}

/** Opening the system's library takes as long as so many uses of it gain. */
const usesByRuntime = 100;
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
/** The path is empty: what is open is meant. */
const emptyPath = 0x1000, wantedInode = 0x100;
const devMajorAt = 136, devMinorAt = 140, inodeAt = 32, statBytes = 256;
/** Of one entry in what `getdents64` writes. */
const lengthAt = 16, kindAt = 18, nameAt = 19;
const kinds: Readonly<Record<number, EntryKind>> = { 4: "folder", 8: "file", 10: "link" };
/** The file system does not say what an entry is. */
const unknownKind = 0;
const listBytes = 32 * 1024;
/** No path that the kernel takes is longer. */
const maxPathBytes = 4096;

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
  const encoder = new TextEncoder();
  // A byte is one character in it: a name ends in the text where it ends in the bytes.
  const bytewise = new TextDecoder("latin1");
  const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });

  const open = (name: string) => {
    const { read, written } = encoder.encodeInto(name, room);
    if (read < name.length) return -1;
    path[written] = 0;
    return c.openat(currentFolder, path, openFlags);
  };
  const addEntries = (folder: string, length: number, add: AddEntry) => {
    const text = bytewise.decode(listed.subarray(0, length));
    for (let at = 0; at < length;) {
      const start = at + nameAt, end = text.indexOf("\0", start), kind = listed[at + kindAt]!;
      const plain = text.slice(start, end);
      const name = asciiOnly.test(plain) ? plain : utf8.decode(listed.subarray(start, end));
      at += listed[at + lengthAt]! | listed[at + lengthAt + 1]! << 8;
      if (name === "." || name === "..") continue;
      add(name, kind === unknownKind ? kindOf(`${folder}/${name}`) : kinds[kind] ?? "other");
    }
  };
  return {
    open,
    read: (file, buffer) => c.read(file, buffer as Uint8Array<ArrayBuffer>, BigInt(buffer.length)),
    identityOf(file) {
      if (c.statx(file, nothing, emptyPath, wantedInode, stat) !== 0) return undefined;
      const major = stat.getUint32(devMajorAt, true), minor = stat.getUint32(devMinorAt, true);
      return { dev: deviceOf(major, minor), ino: Number(stat.getBigUint64(inodeAt, true)) };
    },
    close: (file) => void c.close(file),
    list(folder, add) {
      const file = open(folder);
      if (file < 0) throw new Error("the folder cannot be opened");
      try {
        for (let length; (length = c.getdents64(file, listed, listSize)) !== 0;) {
          if (length < 0) throw new Error("the folder cannot be read");
          addEntries(folder, length, add);
        }
      } finally {
        c.close(file);
      }
    },
  };
}

const asciiOnly = /^[\0-\x7f]*$/;

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
