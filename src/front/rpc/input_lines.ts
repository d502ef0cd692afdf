/** The lines that come in on stdin in RPC mode. */
import { splitLines } from "../../lib/jsonl.ts";
import { unlessAborted } from "../../lib/unless_aborted.ts";

export type InputLine = { readonly text: string } | { readonly tooLong: number };

export const maxLineBytes = 20 * 1024 * 1024;

/** Hands lines on, one at a time, until `take` says false, the input ends, or the signal aborts. */
export async function readLines(
  input: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
  take: (line: InputLine) => Promise<boolean>,
): Promise<void> {
  const lines = splitLines(input, maxLineBytes)[Symbol.asyncIterator]();
  while (true) {
    const next = await nextLine(lines, signal);
    if (next === undefined || !await take(next)) return;
  }
}

/** Undefined at the end, and after an abort, which makes the read fail. */
async function nextLine(
  lines: AsyncIterator<InputLine>,
  signal: AbortSignal,
): Promise<InputLine | undefined> {
  try {
    // not a race with one promise for all: it would hold on to every line
    const { done, value } = await unlessAborted(lines.next(), signal);
    return done ? undefined : value;
  } catch (error) {
    if (signal.aborted) return undefined;
    throw error;
  }
}
