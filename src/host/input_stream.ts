/** Reading stdin: abortable, and nothing lost between one reader and the next. */
import type { Terminal } from "../core/host.ts";
import { messageOf, RunFailure } from "../core/failure.ts";
import { delay } from "../lib/delay.ts";
import { unlessAborted } from "../lib/unless_aborted.ts";

/** stdin's bytes in pieces. A read that an abort interrupted is handed to the next reader. */
export function readInput(): Terminal["readIn"] {
  let pending: Promise<Uint8Array | null> | undefined;
  return async function* (signal) {
    while (true) {
      signal?.throwIfAborted();
      pending ??= readPiece();
      const piece = await (signal ? unlessAborted(pending, signal) : pending);
      pending = undefined;
      if (piece === null) return;
      yield piece;
    }
  };
}

async function readPiece(): Promise<Uint8Array | null> {
  const buffer = new Uint8Array(65536);
  while (true) {
    try {
      const length = await Deno.stdin.read(buffer);
      return length === null ? null : buffer.subarray(0, length);
    } catch (error) {
      if (error instanceof Deno.errors.Interrupted) continue;
      if (error instanceof Deno.errors.WouldBlock) await delay(10);
      else if (isGone(error)) return null;
      else {
        throw new RunFailure("usage", `Standard input cannot be read: ${messageOf(error)}.`, {
          cause: error,
        });
      }
    }
  }
}

/** A terminal that hung up, or that belongs to another job, reads as an end. */
function isGone(error: unknown): boolean {
  return error instanceof Deno.errors.BadResource || error instanceof Deno.errors.ConnectionReset ||
    (error as { code?: unknown }).code === "EIO";
}
