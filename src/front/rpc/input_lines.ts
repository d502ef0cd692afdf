/** The lines that come in on stdin in RPC mode. */
import { splitLines } from "../../lib/jsonl.ts";

export type InputLine = { readonly text: string } | { readonly tooLong: number };

export const maxLineBytes = 64 * 1024 * 1024;

/** Hands lines on, one at a time, until `take` says false, the input ends, or the signal aborts. */
export async function readLines(
  input: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
  take: (line: InputLine) => Promise<boolean>,
): Promise<void> {
  const aborted = Promise.withResolvers<"aborted">();
  const onAbort = () => aborted.resolve("aborted");
  if (signal.aborted) onAbort();
  signal.addEventListener("abort", onAbort, { once: true });
  const lines = splitLines(input, maxLineBytes)[Symbol.asyncIterator]();
  try {
    while (true) {
      const reading = lines.next();
      // an abort makes the read fail, which is then no news
      reading.catch(() => {});
      const next = await Promise.race([reading, aborted.promise]);
      if (next === "aborted" || next.done) return;
      if (!await take(next.value)) return;
    }
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}
