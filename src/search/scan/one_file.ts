/** The one file that a search has open: each of a batch in turn, read as a whole, and asked which file it is where it matches. */
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { maxPathBytes, type SystemCalls, systemCalls } from "../system_calls.ts";

export interface OneFile {
  /** Begins with the files of a batch (see `FileBatch`); `root`, with a final slash, goes in front of each. */
  start(root: string, batch: Uint8Array): void;
  /** Goes on to the next file; false where there is none. */
  next(): boolean;
  /** Opens the file: bytes read, at most the buffer's length; undefined where it cannot be read. */
  read(buffer: Uint8Array): number | undefined;
  /** Device and inode of the file that was read last, as `FoundInside` has them. */
  id(): string | undefined;
  close(): void;
}

const slash = 0x2f;
/** A pipe that has taken the place of a file is not waited for; not every system has that flag. */
const openFlags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);
/** Where Linux makes files up: each read gives a few lines of them, and one of nothing is the end. */
const processes = "/proc/";

export function createOneFile(): OneFile {
  let batch: Uint8Array = new Uint8Array(0),
    root = "",
    inPieces = false,
    folderAt = 0,
    folderEnd = 0,
    nameAt = 0,
    end = -1;
  /** One of the two is open at most. */
  let byCalls: number | undefined, byRuntime: number | undefined;
  /** The folder of the current file, while it is open: names in it take the kernel less time than paths. */
  let folder: number | undefined;
  let calls: SystemCalls | undefined;
  const path = new Uint8Array(maxPathBytes + 1);
  const encoder = new TextEncoder(), utf8 = new TextDecoder("utf-8", { ignoreBOM: true });

  const close = () => {
    if (byCalls !== undefined) calls!.close(byCalls);
    if (byRuntime !== undefined) closeSync(byRuntime);
    byCalls = byRuntime = undefined;
  };
  const closeFolder = () => {
    if (folder !== undefined && folder >= 0) calls!.close(folder);
    folder = undefined;
  };
  /** Below 0 where it cannot be opened. */
  const openFolder = () => {
    const { read, written } = encoder.encodeInto(root, path);
    if (read < root.length || written + folderEnd - folderAt > maxPathBytes) return -1;
    path.set(batch.subarray(folderAt, folderEnd), written);
    path[written + folderEnd - folderAt] = 0;
    return calls!.openFolder(path);
  };
  const open = () => {
    calls = systemCalls();
    if (!calls) {
      const name = utf8.decode(batch.subarray(folderAt, folderEnd)) +
        utf8.decode(batch.subarray(nameAt, end));
      byRuntime = openSync(root + name, openFlags);
      return true;
    }
    folder ??= openFolder();
    const file = folder < 0 ? folder : calls.open(batch.subarray(nameAt), folder);
    if (file >= 0) byCalls = file;
    return file >= 0;
  };
  /** Throws, or gives a number below 0, where it cannot be read. */
  const readOnce = (buffer: Uint8Array) =>
    byCalls !== undefined ? calls!.read(byCalls, buffer) : readSync(byRuntime!, buffer);

  return {
    start(below, bytes) {
      close();
      closeFolder();
      root = below;
      inPieces = below === "/" || below.startsWith(processes);
      batch = bytes;
      end = -1;
    },
    next() {
      for (;;) {
        const start = end + 1;
        if (start >= batch.length) return false;
        end = batch.indexOf(0, start);
        nameAt = start;
        if (batch[end - 1] !== slash) return true;
        closeFolder();
        folderAt = start;
        // that of the root is a slash alone
        folderEnd = end - start === 1 ? start : end;
      }
    },
    read(buffer) {
      close();
      try {
        if (!open()) return undefined;
        let total = readOnce(buffer);
        // A short read of an ordinary file is its end; files that the kernel makes up come in pieces.
        while (total > 0 && total < buffer.length && (inPieces || total % 4096 === 0)) {
          const more = readOnce(buffer.subarray(total));
          if (more < 0) return undefined;
          if (more === 0) break;
          total += more;
        }
        return total < 0 ? undefined : total;
      } catch {
        return undefined;
      }
    },
    id() {
      const found = byCalls !== undefined
        ? calls!.identityOf(byCalls)
        : byRuntime === undefined
        ? undefined
        : fstatSync(byRuntime);
      return found && `${found.dev}-${found.ino}`;
    },
    close() {
      close();
      closeFolder();
    },
  };
}
