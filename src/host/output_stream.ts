/** Writing to stdout and stderr: whole strings, in order, whatever the reader does. */
import { ClosedOutput, type Terminal } from "../core/host.ts";
import { messageOf, RunFailure } from "../core/failure.ts";
import { delay } from "../lib/delay.ts";
import { longChars, pieceEncoder, textPieces } from "../lib/text_pieces.ts";
import { quickStdout, type QuickWrite, wholePipeBytes } from "./quick_pipe.ts";

interface Sink {
  write(bytes: Uint8Array): Promise<number>;
}

/** Writes to stdout, each string whole within one write call where it is short. */
export function stdoutWriter(): Pick<Terminal, "writeOut" | "writeAhead"> {
  const writer = orderedWriter(Deno.stdout, quickStdout);
  return {
    async writeOut(text) {
      try {
        await writer.write(text);
      } catch (error) {
        throw outputFailure(error);
      }
    },
    writeAhead(line) {
      if (writer.failure !== undefined) throw outputFailure(writer.failure.error);
      return writer.ahead(line)?.catch((error) => {
        throw outputFailure(error);
      });
    },
  };
}

function outputFailure(error: unknown): Error {
  if (isClosed(error)) return new ClosedOutput("standard output was closed", { cause: error });
  const message = `Standard output cannot be written: ${messageOf(error)}.`;
  return new RunFailure("output", message, { cause: error });
}

/** Writes strings to stderr; a stream that is gone is ignored. */
export function stderrWriter(): Terminal["writeErr"] {
  const writer = orderedWriter(Deno.stderr);
  return (text) =>
    writer.write(text).catch(() => {
      // nobody is there to read it
    });
}

/** Strings that wait are joined up to this, never cut. */
const wholeWriteBytes = wholePipeBytes;
/** What may wait for a slow reader before `ahead` waits, too. */
const maxAheadLength = 256 * 1024;

interface Waiting {
  /** A short string, or the pieces of one that would otherwise be in memory once more. */
  readonly text: string | Iterable<string>;
  /** Missing where nobody waits for this string alone. */
  readonly written?: PromiseWithResolvers<void>;
}

interface OrderedWriter {
  /** The first failure: nothing after it is written by `ahead`. */
  readonly failure: { readonly error: unknown } | undefined;
  write(text: string | Iterable<string>): Promise<void>;
  ahead(line: string): Promise<void> | undefined;
}

/** `quick` is asked for when the first line comes that nobody waits for: many will. */
function orderedWriter(sink: Sink, quick?: () => QuickWrite | undefined): OrderedWriter {
  const buffer = new Uint8Array(wholeWriteBytes);
  let quickWrite: QuickWrite | undefined;
  let waiting: Waiting[] = [];
  let first = 0, waitingLength = 0;
  let writing = false;
  /** Whether the last group held characters of more than one byte. */
  let isWide = false;
  let failure: { readonly error: unknown } | undefined;

  async function writeWaiting(): Promise<void> {
    while (first < waiting.length) {
      const from = first;
      try {
        const { text } = waiting[from]!;
        const bytes = typeof text === "string" ? takeGroup() : (first++, undefined);
        if (bytes === undefined) await writePieces(sink, piecesOf(text));
        else if (quickWrite?.(bytes) !== true) await writeAll(sink, bytes);
        for (let at = from; at < first; at++) waiting[at]!.written?.resolve();
      } catch (error) {
        failure ??= { error };
        for (let at = from; at < first; at++) waiting[at]!.written?.reject(error);
      }
      for (let at = from; at < first; at++) waitingLength -= lengthOf(waiting[at]!.text);
      if (first > 1024) {
        waiting = waiting.slice(first);
        first = 0;
      }
    }
    waiting = [];
    first = 0;
    writing = false;
  }

  /** The first string and those after it that fit into the same write; undefined: it fits into none. */
  function takeGroup(): Uint8Array | undefined {
    const bytes = isWide ? takeEach() : takeJoined();
    if (bytes !== undefined) return bytes;
    const { text } = waiting[first++]!;
    return typeof text === "string" && text.length < longChars ? encoder.encode(text) : undefined;
  }

  /** Joins strings of one-byte characters: encoding each costs as much as encoding all. */
  function takeJoined(): Uint8Array | undefined {
    let joined = "", next = first;
    for (; next < waiting.length; next++) {
      const { text } = waiting[next]!;
      if (typeof text !== "string" || text.length > wholeWriteBytes - joined.length) break;
      joined += text;
    }
    const { read, written } = encoder.encodeInto(joined, buffer);
    isWide = written > read;
    if (read < joined.length) return takeEach();
    if (next === first) return undefined;
    first = next;
    return buffer.subarray(0, written);
  }

  function takeEach(): Uint8Array | undefined {
    let used = 0;
    const from = first;
    for (; first < waiting.length; first++) {
      const { text } = waiting[first]!;
      if (typeof text !== "string" || text.length > wholeWriteBytes - used) break;
      const { read, written } = encoder.encodeInto(text, buffer.subarray(used));
      if (read < text.length) break;
      if (used === 0) isWide = written > read;
      used += written;
    }
    return first > from ? buffer.subarray(0, used) : undefined;
  }

  function add(text: string | Iterable<string>, written?: PromiseWithResolvers<void>): void {
    waiting.push(written === undefined ? { text } : { text, written });
    waitingLength += lengthOf(text);
    if (writing) return;
    writing = true;
    // what comes in the same turn goes out with it
    queueMicrotask(writeWaiting);
  }

  return {
    get failure() {
      return failure;
    },
    write: (text) => {
      const written = Promise.withResolvers<void>();
      // the caller sees the failure through the promise, if it looks at all
      written.promise.catch(() => {});
      add(text, written);
      return written.promise;
    },
    ahead: (line) => {
      quickWrite ??= quick?.();
      quick = undefined;
      const isFar = waitingLength + line.length > maxAheadLength;
      const written = isFar ? Promise.withResolvers<void>() : undefined;
      add(line, written);
      return written?.promise;
    },
  };
}

const encoder = new TextEncoder();

function lengthOf(text: string | Iterable<string>): number {
  return typeof text === "string" ? text.length : 0;
}

async function writePieces(sink: Sink, pieces: Iterable<string>): Promise<void> {
  const encode = pieceEncoder();
  for (const piece of pieces) await writeAll(sink, encode(piece));
}

function piecesOf(text: string | Iterable<string>): Iterable<string> {
  return typeof text === "string" ? textPieces(text) : text;
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
