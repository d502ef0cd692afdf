/** JSON lines: values to whole lines, and byte streams back to lines. */
import { longChars, textPieces } from "./text_pieces.ts";
import { joinBytes } from "./join_bytes.ts";

/**
 * One JSON value as one line with its LF. Lone surrogates become U+FFFD, since a lone surrogate
 * cannot be sent as UTF-8; U+0085, U+2028 and U+2029 are escaped, since some readers split lines there.
 */
export function toLine(value: unknown): string {
  return `${toText(value)}\n`;
}

/** The same without its LF. */
export function toText(value: unknown): string {
  return printable(JSON.stringify(value) ?? "null");
}

/**
 * The same line; where `value` holds a string of great length, in pieces that are made when they
 * are asked for, as often as they are: the line is never in memory as a whole.
 */
export function toLinePieces(value: unknown): string | Iterable<string> {
  return holdsLong(value) ? { [Symbol.iterator]: () => linePieces(value) } : toLine(value);
}

function holdsLong(value: unknown): boolean {
  if (typeof value === "string") return value.length >= longChars;
  return typeof value === "object" && value !== null && Object.values(value).some(holdsLong);
}

function* linePieces(value: unknown): Generator<string> {
  const long: string[] = [];
  const mark = `\0${crypto.randomUUID()}`; // nobody else writes it
  const frame = JSON.stringify(
    value,
    (_, item) =>
      typeof item === "string" && item.length >= longChars ? (long.push(item), mark) : item,
  );
  for (const [at, part] of printable(frame).split(JSON.stringify(mark)).entries()) {
    yield part;
    const text = long[at];
    if (text === undefined) continue;
    yield '"';
    for (const piece of textPieces(text)) yield printable(JSON.stringify(piece)).slice(1, -1);
    yield '"';
  }
  yield "\n";
}

/** JSON text without what others cannot read. */
function printable(json: string): string {
  let text = json;
  // JSON.stringify escapes lone surrogates and nothing else as \ud...; an escaped backslash
  // in front of such letters is plain text and must stay.
  if (text.includes("\\ud")) {
    text = text.replace(
      /\\(?:u(d[89a-f][0-9a-f]{2})|[^])/g,
      (escape, lone) => lone === undefined ? escape : "\ufffd",
    );
  }
  if (/[\u0085\u2028\u2029]/.test(text)) {
    text = text.replace(
      /[\u0085\u2028\u2029]/g,
      (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
    );
  }
  return text;
}

/**
 * One line of a stream, without its LF; `tooLong` is the size in bytes of one that was dropped, and `edges`
 * are its first and last bytes.
 */
export type SplitLine =
  | { readonly bytes: Uint8Array; readonly ended: boolean }
  | {
    readonly tooLong: number;
    readonly edges: readonly [Uint8Array, Uint8Array];
    readonly ended: boolean;
  };

/** Splits bytes on LF only, in constant memory beyond the longest line that is let through. */
export interface LineSplitter {
  /** The lines that `chunk` ends. Their bytes may lie in `chunk`: use them before it is reused. */
  push(chunk: Uint8Array): SplitLine[];
  /** What follows the last LF, `ended: false`; undefined where nothing does. */
  end(): SplitLine | undefined;
}

const edgeBytes = 2048;

/** The first bytes of pieces that together may be very long. */
function startOf(pieces: readonly Uint8Array[]): Uint8Array {
  const first: Uint8Array[] = [];
  let length = 0;
  for (const piece of pieces) {
    if (length >= edgeBytes) break;
    first.push(piece.subarray(0, edgeBytes));
    length += piece.length;
  }
  return joinBytes(first).slice(0, edgeBytes);
}

/** A splitter that drops lines of more than `maxBytes` bytes. */
export function lineSplitter(maxBytes: number): LineSplitter {
  let pieces: Uint8Array[] = [];
  let length = 0;
  /** Of a line that is dropped. */
  let edges: [Uint8Array, Uint8Array] | undefined;

  function finish(last: Uint8Array, ended: boolean): SplitLine {
    const total = length + last.length;
    if (total > maxBytes) drop(last);
    const before = pieces, dropped = edges;
    pieces = [];
    edges = undefined;
    length = 0;
    if (dropped !== undefined) return { tooLong: total, edges: dropped, ended };
    return { bytes: joinBytes([...before, last]), ended };
  }

  /** Keeps of the line no more than its edges, of which `piece` is the newest part. */
  function drop(piece: Uint8Array): void {
    edges ??= [startOf([...pieces, piece]), new Uint8Array()];
    edges[1] = joinBytes([edges[1], piece.subarray(-edgeBytes)]).slice(-edgeBytes);
    pieces = [];
  }

  return {
    push(chunk) {
      const lines: SplitLine[] = [];
      let from = 0;
      for (;;) {
        const at = chunk.indexOf(10, from);
        if (at < 0) break;
        lines.push(finish(chunk.subarray(from, at), true));
        from = at + 1;
      }
      if (from < chunk.length) {
        length += chunk.length - from;
        if (length <= maxBytes) pieces.push(chunk.slice(from));
        else drop(chunk.subarray(from));
      }
      return lines;
    },
    end: () => length === 0 ? undefined : finish(new Uint8Array(0), false),
  };
}

/**
 * The lines of a stream of bytes as text, without LF or CRLF. Bytes that are not UTF-8 become
 * U+FFFD. A line of more than `maxBytes` bytes is dropped and reported as `tooLong`, its size in bytes.
 * The last line counts also without its LF.
 */
export async function* splitLines(
  chunks: AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<{ readonly text: string } | { readonly tooLong: number }> {
  const splitter = lineSplitter(maxBytes);
  for await (const chunk of chunks) {
    // decoded before anything is yielded: the chunk's owner may reuse it by then
    for (const line of splitter.push(chunk).map(asText)) yield line;
  }
  const rest = splitter.end();
  if (rest !== undefined) yield asText(rest);
}

const decoder = new TextDecoder();

function asText(line: SplitLine): { text: string } | { tooLong: number } {
  if ("tooLong" in line) return { tooLong: line.tooLong };
  const text = decoder.decode(line.bytes);
  return { text: text.endsWith("\r") ? text.slice(0, -1) : text };
}
