/** Owns writing to stdout and stderr: whole strings, in order, whatever the reader does. */
import { ClosedOutput, type Terminal } from "../core/host.ts";
import { messageOf, RunFailure } from "../core/failure.ts";
import { delay } from "../lib/delay.ts";

interface Sink {
  write(bytes: Uint8Array): Promise<number>;
}

/** Writes strings to stdout one after another, each whole within one write call. */
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

/** What a pipe takes whole or not at all: strings that wait are joined up to this, never cut. */
const wholeWriteBytes = 4096;

interface Waiting {
  readonly bytes: Uint8Array;
  done(): void;
  fail(error: unknown): void;
}

function orderedWriter(sink: Sink): (text: string) => Promise<void> {
  const encoder = new TextEncoder();
  const waiting: Waiting[] = [];
  let writing = false;

  async function writeWaiting(): Promise<void> {
    writing = true;
    while (waiting.length > 0) {
      const group = nextGroup(waiting);
      try {
        await writeAll(sink, joined(group));
        for (const item of group) item.done();
      } catch (error) {
        for (const item of group) item.fail(error);
      }
    }
    writing = false;
  }

  return (text) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    // the caller sees the failure through the promise, if it looks at all
    promise.catch(() => {});
    waiting.push({ bytes: encoder.encode(text), done: resolve, fail: reject });
    if (!writing) void writeWaiting();
    return promise;
  };
}

/** Takes the first of the waiting strings, and those behind it that fit into the same write. */
function nextGroup(waiting: Waiting[]): Waiting[] {
  let count = 0, bytes = 0;
  while (count < waiting.length) {
    bytes += waiting[count]!.bytes.length;
    if (count > 0 && bytes > wholeWriteBytes) break;
    count++;
  }
  return waiting.splice(0, count);
}

function joined(group: readonly Waiting[]): Uint8Array {
  if (group.length === 1) return group[0]!.bytes;
  const all = new Uint8Array(group.reduce((sum, { bytes }) => sum + bytes.length, 0));
  let at = 0;
  for (const { bytes } of group) {
    all.set(bytes, at);
    at += bytes.length;
  }
  return all;
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
