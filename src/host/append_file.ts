/** Files that are only ever appended to: opening, locking, whole writes, cutting back. */
import { whatIs } from "./path_problem.ts";

/** What distinguishes one state of a file from another. */
export interface FileStamp {
  readonly size: number;
  readonly mtimeMs: number;
  /** Device and inode; equal for one and the same file. */
  readonly identity: string;
}

/** An open file. Every method throws the system's own error. */
export interface AppendFile {
  readonly path: string;
  /** False where the file could only be opened for reading. */
  readonly writable: boolean;
  /**
   * Asks for the exclusive lock of the file, which ends with this handle or its process.
   * `taken`: another handle holds it. `unsupported`: the file system has no locks.
   */
  lock(): Promise<"held" | "taken" | "unsupported">;
  /** Of the open file. */
  stamp(): FileStamp;
  /** Of whatever has the path now; undefined where nothing has. */
  stampOfPath(): FileStamp | undefined;
  /** The bytes from the start; the pieces share one buffer. */
  chunks(): Iterable<Uint8Array>;
  /** Writes all of `bytes` at the end, or throws, perhaps with a part written. */
  write(bytes: Uint8Array): void;
  truncate(size: number): void;
  /** Waits until what was written is on the disk. */
  sync(): Promise<void>;
  close(): void;
}

/**
 * Opens `path` for reading and appending. `create`: makes it, private to the user, and throws
 * `AlreadyExists` where it is there. `existing`: never makes it; read-only where it must be.
 */
export function openAppendFile(path: string, how: "create" | "existing"): AppendFile {
  if (how === "existing") assertRegular(Deno.statSync(path));
  const { file, writable } = open(path, how);
  // A lock that is still waited for holds on to the handle.
  let waiting: Promise<unknown> | undefined;
  return {
    path,
    writable,
    async lock() {
      try {
        const attempt = tryLock(file);
        if (typeof attempt === "boolean") return attempt ? "held" : "taken";
        waiting = attempt;
        const held = await within(attempt, lockWaitMs);
        if (held) waiting = undefined;
        return held ? "held" : "taken";
      } catch {
        waiting = undefined;
        return "unsupported";
      }
    },
    stamp: () => stampOf(file.statSync()),
    stampOfPath() {
      try {
        return stampOf(Deno.statSync(path));
      } catch (error) {
        if (error instanceof Deno.errors.NotFound) return undefined;
        throw error;
      }
    },
    *chunks() {
      file.seekSync(0, Deno.SeekMode.Start);
      const buffer = new Uint8Array(chunkBytes);
      for (;;) {
        const count = file.readSync(buffer);
        if (count === null) return;
        yield buffer.subarray(0, count);
      }
    },
    write(bytes) {
      for (let at = 0; at < bytes.length;) at += file.writeSync(bytes.subarray(at));
    },
    truncate: (size) => file.truncateSync(size),
    sync: () => file.syncData(),
    close() {
      const close = () => file.close();
      if (waiting === undefined) close();
      else waiting.then(close, close);
    },
  };
}

/** Reading a pipe or device could wait for ever. */
function assertRegular(info: Deno.FileInfo): void {
  if (!info.isFile && !info.isDirectory) throw new Error(`it is ${whatIs(info)}, not a file`);
}

const chunkBytes = 1 << 20;
/** Only Deno versions without `tryLock` wait at all. */
const lockWaitMs = 250;

function open(path: string, how: "create" | "existing"): { file: Deno.FsFile; writable: boolean } {
  if (how === "create") {
    const options = { read: true, append: true, createNew: true, mode: 0o600 };
    return { file: Deno.openSync(path, options), writable: true };
  }
  try {
    return { file: Deno.openSync(path, { read: true, append: true }), writable: true };
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.IsADirectory) {
      throw error;
    }
    return { file: Deno.openSync(path, { read: true }), writable: false };
  }
}

function tryLock(file: Deno.FsFile): boolean | Promise<void> {
  const newer = file as Deno.FsFile & { tryLockSync?: (exclusive: boolean) => boolean };
  return newer.tryLockSync === undefined ? file.lock(true) : newer.tryLockSync(true);
}

function within(work: Promise<void>, waitMs: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(false), waitMs);
    work.then(() => resolve(true), reject).finally(() => clearTimeout(timer));
  });
}

function stampOf(info: Deno.FileInfo): FileStamp {
  return {
    size: info.size,
    mtimeMs: info.mtime?.getTime() ?? 0,
    identity: `${info.dev}:${info.ino}`,
  };
}
