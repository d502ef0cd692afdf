/** The one file that a search has open: read as a whole, and asked which file it is where it matches. */
import { type SystemCalls, systemCalls } from "../system_calls.ts";

export interface OneFile {
  /** Opens a file in place of the one before: bytes read, at most the buffer's length; undefined where it cannot be read. */
  read(path: string, buffer: Uint8Array): number | undefined;
  /** Device and inode of the file that was read last, as `FoundInside` has them. */
  id(): string | undefined;
  close(): void;
}

export function createOneFile(): OneFile {
  /** One of the two is open at most. */
  let byCalls: number | undefined, byRuntime: Deno.FsFile | undefined;
  let calls: SystemCalls | undefined;

  const close = () => {
    if (byCalls !== undefined) calls!.close(byCalls);
    byRuntime?.close();
    byCalls = byRuntime = undefined;
  };
  const open = (path: string) => {
    calls = systemCalls();
    if (!calls) {
      byRuntime = Deno.openSync(path);
      return true;
    }
    const file = calls.open(path);
    if (file >= 0) byCalls = file;
    return file >= 0;
  };
  /** Throws, or gives a number below 0, where it cannot be read. */
  const readOnce = (buffer: Uint8Array) =>
    byCalls !== undefined ? calls!.read(byCalls, buffer) : byRuntime!.readSync(buffer) ?? 0;

  return {
    read(path, buffer) {
      close();
      try {
        if (!open(path)) return undefined;
        let total = readOnce(buffer);
        // A short read of an ordinary file is its end; files that the kernel makes up come in pages.
        while (total > 0 && total < buffer.length && total % 4096 === 0) {
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
      const found = byCalls !== undefined ? calls!.identityOf(byCalls) : byRuntime?.statSync();
      return found && `${found.dev}-${found.ino}`;
    },
    close,
  };
}
