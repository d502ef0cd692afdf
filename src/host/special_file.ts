/** Writes to pipes and devices without ever standing still: an abort ends every wait. */
import { delay } from "../lib/delay.ts";
import { unlessAborted } from "../lib/unless_aborted.ts";

export interface SpecialFile {
  /** Rejects with the signal's reason, also where no reader ever comes. */
  write(bytes: Uint8Array, signal: AbortSignal): Promise<void>;
  /** May be called twice. */
  close(): void;
}

interface Opened {
  /** Some of the bytes, at least one; gives how many. */
  write(bytes: Uint8Array, signal: AbortSignal): Promise<number>;
  close(): void;
}

/**
 * The pipe, device or socket at `path`. It is opened with the first write, as a pipe can only be while
 * somebody reads it: until then the write waits.
 */
export function specialFile(path: string): SpecialFile {
  let opened: Opened | undefined;
  let closed = false;
  const open = async (signal: AbortSignal) => {
    const file = Deno.statSync(path).isFifo ? await openPipe(path, signal) : openDevice(path);
    if (closed) file.close();
    return opened = file;
  };
  return {
    async write(bytes, signal) {
      const file = opened ?? await open(signal);
      for (let done = 0; done < bytes.length && !closed;) {
        done += await file.write(bytes.subarray(done), signal);
      }
    },
    close() {
      if (!closed) opened?.close();
      closed = true;
    },
  };
}

/** The runtime writes to it from another thread, so that only the wait has to be given up. */
function openDevice(path: string): Opened {
  const file = Deno.openSync(path, { write: true });
  return {
    write: (bytes, signal) => unlessAborted(file.write(bytes), signal),
    close: () => file.close(),
  };
}

/** What a pipe takes as a whole or not at all. */
const wholeBytes = Deno.build.os === "linux" ? 4096 : 512;
/** Milliseconds between two tries. */
const shortestWaitMs = 2, longestWaitMs = 50;

/** Opening a pipe for writing stands still while nobody reads it, in every thread: it is tried. */
async function openPipe(path: string, signal: AbortSignal): Promise<Opened> {
  const { closeSync, constants, openSync, writeSync } = await import("node:fs");
  const flags = constants.O_WRONLY | (constants.O_NONBLOCK ?? 0);
  const fd = await untilReady(() => openSync(path, flags), "ENXIO", signal);
  return {
    write: (bytes, signal) =>
      untilReady(() => writeSync(fd, bytes.subarray(0, wholeBytes)), "EAGAIN", signal),
    close: () => closeSync(fd),
  };
}

/** What `attempt` gives, once it no longer fails with the code that says to wait. */
async function untilReady<T>(
  attempt: () => T,
  waitCode: "ENXIO" | "EAGAIN",
  signal: AbortSignal,
): Promise<T> {
  for (let waitMs = shortestWaitMs;; waitMs = Math.min(waitMs * 2, longestWaitMs)) {
    signal.throwIfAborted();
    try {
      return attempt();
    } catch (error) {
      if ((error as { code?: unknown }).code !== waitCode) throw error;
    }
    await delay(waitMs, signal);
  }
}
