/** Of very many states in a row, each of which replaces the one before, only the last is read. */
import type { SplitLine } from "../lib/jsonl.ts";

export interface StateLines {
  push(line: SplitLine): void;
  /** Hands on what was held back; to be called before the lines' bytes are gone. */
  flush(): void;
}

/** `take` gets all lines but replaced ones, and says whether a line was a state alone. */
export function stateLines(take: (line: SplitLine) => boolean): StateLines {
  /** All of the last state but its text and what ends it. */
  let head: Uint8Array | undefined;
  let waiting: SplitLine | undefined;

  function flush(): void {
    const line = waiting;
    waiting = undefined;
    if (line !== undefined) take(line);
  }

  return {
    push(line) {
      if (head !== undefined && "bytes" in line && replaces(line.bytes, head)) {
        waiting = line;
        return;
      }
      flush();
      const isState = take(line);
      head = isState && "bytes" in line ? headOf(line.bytes) : undefined;
    },
    flush,
  };
}

const quote = 0x22;
const before = new TextEncoder().encode('"text":"'), end = new TextEncoder().encode('"}}');

/** Undefined where the text does not stand last. */
function headOf(bytes: Uint8Array): Uint8Array | undefined {
  const textStart = bytes.lastIndexOf(quote, bytes.length - end.length - 1) + 1;
  const head = bytes.slice(0, textStart);
  return endsWith(bytes, end) && endsWith(head, before) ? head : undefined;
}

/** The same but for the text, which must be one: without a quote in it. */
function replaces(bytes: Uint8Array, head: Uint8Array): boolean {
  if (bytes.indexOf(quote, head.length) !== bytes.length - end.length) return false;
  // a loop, for speed
  for (let at = head.length - 1; at >= 0; at--) if (bytes[at] !== head[at]) return false;
  return endsWith(bytes, end);
}

function endsWith(bytes: Uint8Array, tail: Uint8Array): boolean {
  const start = bytes.length - tail.length;
  for (let at = 0; at < tail.length; at++) if (bytes[start + at] !== tail[at]) return false;
  return true;
}
