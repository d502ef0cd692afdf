/** Cuts a range of lines out of bytes that arrive in pieces, within a byte limit. */
import { joinBytes } from "../lib/join_bytes.ts";
import { countNewlines } from "./newlines.ts";

export interface ReadLine {
  readonly number: number;
  /** Without the LF; a CR before it stays. Of a line beyond the limit its start. */
  readonly bytes: Uint8Array;
  /** Bytes of the whole line; undefined where its end was not looked for. */
  readonly length: number | undefined;
  /** Where it starts, in bytes from the start of what was fed. */
  readonly start: number;
}

export interface LineRange {
  readonly lines: readonly ReadLine[];
  /** All lines of the file; undefined where the reading stopped before its end. */
  readonly total: number | undefined;
  /** The first line of the range that did not fit. */
  readonly nextLine: number | undefined;
  readonly endsWithNewline: boolean;
}

export interface LineReader {
  /** Takes the next bytes; true when no more are needed. */
  feed(bytes: Uint8Array): boolean;
  /** The result; `atEnd` says that the file has no more bytes than were fed. */
  finish(atEnd: boolean): LineRange;
}

/**
 * Reads lines `first` to `last` (from 1, inclusive), as many as `maxBytes` of numbered text can hold
 * at most, and the first one at least. With `countAll` it goes on to the end of the file to count its lines.
 */
export function lineReader(options: {
  first: number;
  last: number;
  maxBytes: number;
  countAll: boolean;
}): LineReader {
  const { first, last, maxBytes, countAll } = options;
  const lines: ReadLine[] = [];
  let line = 1, offset = 0, lineStart = 0, lastByte = -1, used = 0;
  let full = false, done = false;
  let nextLine: number | undefined;
  // The current line: its bytes as far as they can be shown, and its whole length so far.
  let kept: Uint8Array[] = [], keptBytes = 0, lineBytes = 0;

  function endLine(known: boolean): void {
    const bytes = joinBytes(kept);
    // A CR before the LF may be no part of the text.
    const size = String(line).length + 2 + lineBytes - (bytes.at(-1) === 13 ? 1 : 0);
    const fits = used + size <= maxBytes;
    if (fits || lines.length === 0) {
      lines.push({
        number: line,
        bytes,
        length: known ? lineBytes : undefined,
        start: lineStart,
      });
      used += size;
    }
    if (!fits) {
      full = true;
      nextLine = lines.at(-1)?.number === line ? line + 1 : line;
    }
    kept = [];
    keptBytes = lineBytes = 0;
  }

  /** Counts lines up to the first wanted one, or all that are left; gives the index after them. */
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
      return { lines, total, nextLine, endsWithNewline };
    },
  };
}
