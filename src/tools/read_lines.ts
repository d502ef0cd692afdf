/** The cutting of a range of lines out of bytes that arrive in pieces, within a byte limit. */
import { joinBytes } from "../lib/join_bytes.ts";
import { byteLength } from "../lib/well_formed.ts";
import { countNewlines } from "./newlines.ts";

export interface ShownLine {
  readonly number: number;
  /** Without its LF; a CR before it stays. */
  readonly text: string;
}

export interface LineRange {
  readonly lines: readonly ShownLine[];
  /** All lines of the file; undefined where the reading stopped before its end. */
  readonly total: number | undefined;
  /** The first line of the range that did not fit. */
  readonly nextLine: number | undefined;
  /** The line that alone was too long. */
  readonly cut: CutLine | undefined;
  /** True where bytes of the lines shown were not UTF-8. */
  readonly replaced: boolean;
  readonly endsWithNewline: boolean;
}

export interface CutLine {
  readonly line: number;
  /** Bytes of it that are shown. */
  readonly shown: number;
  /** Bytes of the whole line; undefined where its end was not looked for. */
  readonly length: number | undefined;
  /** Where the part left out starts, in bytes from the start of what was fed. */
  readonly offset: number;
}

export interface LineReader {
  /** Takes the next bytes; true when no more are needed. */
  feed(bytes: Uint8Array): boolean;
  /** The result; `atEnd` tells that the file has no more bytes than were fed. */
  finish(atEnd: boolean): LineRange;
}

/**
 * Reads lines `first` to `last` (from 1, inclusive) into at most `maxBytes` of numbered text.
 * With `countAll` it goes on to the end of the file to count its lines.
 */
export function lineReader(options: {
  first: number;
  last: number;
  maxBytes: number;
  countAll: boolean;
  isUtf8: (bytes: Uint8Array) => boolean;
}): LineReader {
  const { first, last, maxBytes, countAll, isUtf8 } = options;
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const lines: ShownLine[] = [];
  let line = 1, offset = 0, lineStart = 0, lastByte = -1, used = 0;
  let full = false, done = false, replaced = false;
  let nextLine: number | undefined;
  let cut: CutLine | undefined;
  // The current line: its bytes as far as they can be shown, and its whole length so far.
  let kept: Uint8Array[] = [], keptBytes = 0, lineBytes = 0;

  function endLine(known: boolean): void {
    const bytes = joinBytes(kept);
    const room = maxBytes - used - String(line).length - 2;
    const text = decoder.decode(bytes);
    const fits = keptBytes === lineBytes && byteLength(text) <= room;
    if (fits) {
      if (!isUtf8(bytes)) replaced = true;
      lines.push({ number: line, text });
      used = maxBytes - room + byteLength(text);
    } else {
      full = true;
      nextLine = line;
      if (lines.length === 0) {
        cutLine(bytes, room, known);
        nextLine = line + 1;
      }
    }
    kept = [];
    keptBytes = lineBytes = 0;
  }

  /** Shows as much of a line as fits, whole characters only. */
  function cutLine(bytes: Uint8Array, room: number, known: boolean): void {
    let head = headBytes(bytes, room);
    if (!isUtf8(head)) {
      replaced = true;
      head = bytes.subarray(0, Math.floor(room / 3)); // A replaced byte takes three.
    }
    lines.push({ number: line, text: decoder.decode(head) });
    const length = known ? lineBytes : undefined;
    cut = { line, shown: head.length, offset: lineStart + head.length, length };
  }

  /** Counts lines up to the first wanted one, or all that are left; gives the index behind them. */
  function skipLines(bytes: Uint8Array, from: number): number {
    const until = line < first ? first : Infinity;
    const newlines = countNewlines(bytes.subarray(from));
    if (line + newlines < until) {
      line += newlines;
      return bytes.length;
    }
    let at = from;
    while (line < until) if (bytes[at++] === 10) line++;
    return at;
  }

  function take(bytes: Uint8Array): void {
    const room = maxBytes - keptBytes;
    if (room > 0) {
      const piece = bytes.length <= room ? bytes : bytes.subarray(0, room);
      kept.push(piece.slice());
      keptBytes += piece.length;
    }
    lineBytes += bytes.length;
  }

  return {
    feed(bytes) {
      let at = 0;
      while (at < bytes.length && !done) {
        const wanted = line >= first && line <= last && !full;
        if (!wanted && line >= first && !countAll) {
          done = true;
          break;
        }
        if (!wanted) {
          at = skipLines(bytes, at);
          lineStart = offset + at;
          continue;
        }
        const newline = bytes.indexOf(10, at);
        const end = newline < 0 ? bytes.length : newline;
        take(bytes.subarray(at, end));
        at = end;
        if (newline >= 0) {
          endLine(true);
          line++;
          at = newline + 1;
          lineStart = offset + at;
        } else if (!countAll && lineBytes > maxBytes) {
          endLine(false);
          done = true;
        }
      }
      if (bytes.length > 0 && at > 0) lastByte = bytes[at - 1]!;
      offset += at;
      return done;
    },
    finish(atEnd) {
      const endsWithNewline = lastByte === 10;
      if (!done && lastByte >= 0 && !endsWithNewline) {
        if (line >= first && line <= last && !full) endLine(true);
        line++;
      }
      const total = atEnd && !done ? line - 1 : undefined;
      if (
        nextLine !== undefined && ((total !== undefined && nextLine > total) || nextLine > last)
      ) nextLine = undefined;
      return { lines, total, nextLine, cut, replaced, endsWithNewline };
    },
  };
}

/** The longest head of at most `maxBytes` bytes that does not end inside a character. */
function headBytes(bytes: Uint8Array, maxBytes: number): Uint8Array {
  if (bytes.length <= maxBytes) return bytes;
  let end = maxBytes;
  for (let back = 0; back < 4 && end > 0 && (bytes[end]! & 0xc0) === 0x80; back++) end--;
  return bytes.subarray(0, end);
}
