/** Owns writing to stdout and stderr: whole strings, in order, whatever the reader does. */
import { ClosedOutput, type Terminal } from "../core/host.ts";
import { messageOf, RunFailure } from "../core/failure.ts";
import { delay } from "../lib/delay.ts";

interface Sink {
  write(bytes: Uint8Array): Promise<number>;
}

/** Writes strings to stdout one after another, each with one write call where the system takes it. */
export function stdoutWriter(): Terminal["writeOut"] {
  const write = orderedWriter(Deno.stdout);
  return async (text) => {
    try {
      await write(text);
    } catch (error) {
      if (isClosed(error)) throw new ClosedOutput("standard output was closed", { cause: error });
      throw new RunFailure(
        "output",
        `Standard output cannot be written: ${messageOf(error)}.`,
        { cause: error },
      );
    }
  };
}

/** Writes strings to stderr; a stream that is gone is passed over. */
export function stderrWriter(): Terminal["writeErr"] {
  const write = orderedWriter(Deno.stderr);
  return (text) =>
    write(text).catch(() => {
      // nobody is there to be told
    });
}

function orderedWriter(sink: Sink): (text: string) => Promise<void> {
  const encoder = new TextEncoder();
  let last: Promise<unknown> = Promise.resolve();
  return (text) => {
    if (text === "") return last.then(() => {}, () => {});
    const bytes = encoder.encode(text);
    const mine = last.then(() => writeAll(sink, bytes), () => writeAll(sink, bytes));
    last = mine;
    // the caller sees the failure through its own promise
    last.catch(() => {});
    return mine;
  };
}

async function writeAll(sink: Sink, bytes: Uint8Array): Promise<void> {
  let written = 0, waitMs = 1;
  while (written < bytes.length) {
    try {
      written += await sink.write(bytes.subarray(written));
      waitMs = 1;
    } catch (error) {
      if (error instanceof Deno.errors.Interrupted) continue;
      // a pipe that another process made non-blocking, and that is full
      if (!(error instanceof Deno.errors.WouldBlock)) throw error;
      await delay(waitMs);
      waitMs = Math.min(waitMs * 2, 20);
    }
  }
}

/** A pipe without a reader, or a terminal that hung up. */
function isClosed(error: unknown): boolean {
  return error instanceof Deno.errors.BrokenPipe || error instanceof Deno.errors.ConnectionReset ||
    error instanceof Deno.errors.BadResource || (error as { code?: unknown }).code === "EIO";
}
