/** Writing to stdout and stderr: whole strings, in order, whatever the reader does. */
import { ClosedOutput, type Terminal } from "../core/host.ts";
import { messageOf, RunFailure } from "../core/failure.ts";
import { delay } from "../lib/delay.ts";
import { longChars, pieceEncoder, textPieces } from "../lib/text_pieces.ts";
import { joinBytes } from "../lib/join_bytes.ts";

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

/** Writes strings to stderr; a stream that is gone is ignored. */
export function stderrWriter(): Terminal["writeErr"] {
  const write = orderedWriter(Deno.stderr);
  return (text) =>
    write(text).catch(() => {
      // nobody is there to read it
    });
}

/** What a pipe takes whole or not at all: strings that wait are joined up to this, never cut. */
const wholeWriteBytes = 4096;

interface Waiting {
  readonly bytes: Uint8Array;
  /** Instead of bytes, for what would otherwise be in memory once more. */
  readonly pieces?: Iterable<string>;
  done(): void;
  fail(error: unknown): void;
}

function orderedWriter(sink: Sink): (text: string | Iterable<string>) => Promise<void> {
  const encoder = new TextEncoder();
  const waiting: Waiting[] = [];
  let writing = false;

  async function writeWaiting(): Promise<void> {
    writing = true;
    while (waiting.length > 0) {
      const group = nextGroup(waiting);
      try {
        const { pieces } = group[0]!;
        if (pieces === undefined) await writeAll(sink, joinBytes(group.map(({ bytes }) => bytes)));
        else await writePieces(sink, pieces);
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
    const whole = typeof text === "string" && text.length < longChars;
    waiting.push({
      ...whole ? { bytes: encoder.encode(text) } : { bytes: none, pieces: piecesOf(text) },
      done: resolve,
      fail: reject,
    });
    if (!writing) void writeWaiting();
    return promise;
  };
}

async function writePieces(sink: Sink, pieces: Iterable<string>): Promise<void> {
  const encode = pieceEncoder();
  for (const piece of pieces) await writeAll(sink, encode(piece));
}

const none = new Uint8Array();

function piecesOf(text: string | Iterable<string>): Iterable<string> {
  return typeof text === "string" ? textPieces(text) : text;
}

/** Takes the first of the waiting strings, and those after it that fit into the same write. */
function nextGroup(waiting: Waiting[]): Waiting[] {
  if (waiting[0]!.pieces) return waiting.splice(0, 1);
  let count = 0, bytes = 0;
  while (count < waiting.length && !waiting[count]!.pieces) {
    bytes += waiting[count]!.bytes.length;
    if (count > 0 && bytes > wholeWriteBytes) break;
    count++;
  }
  return waiting.splice(0, count);
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
