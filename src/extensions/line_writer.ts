/** Writes whole lines to an extension, one after the other, as long as it reads them. */
import { toLine } from "../lib/jsonl.ts";
import type { ToExtension } from "./protocol.ts";

export interface LineWriter {
  /** False where it reads nothing any more. */
  write(line: ToExtension): boolean;
  /** Resolves when all that was written so far is read, or cannot be. */
  settled(): Promise<void>;
}

/** What it does not read is kept up to so much. */
const maxUnreadBytes = 16 * 1024 * 1024;

/** That the program has gone is nothing to `write`: whoever opened it is told. */
export function lineWriter(write: (bytes: Uint8Array) => Promise<void>): LineWriter {
  const encoder = new TextEncoder();
  let last: Promise<void> = Promise.resolve(), unreadBytes = 0;
  return {
    write(line) {
      if (unreadBytes > maxUnreadBytes) return false;
      const bytes = encoder.encode(toLine(line));
      unreadBytes += bytes.length;
      last = last.then(() => write(bytes)).catch(() => {})
        .then(() => void (unreadBytes -= bytes.length));
      return true;
    },
    settled: () => last,
  };
}
