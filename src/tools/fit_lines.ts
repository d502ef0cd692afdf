/** The numbered lines of a result: as many as fit into its limit, to the byte. */
import { byteLength } from "../lib/well_formed.ts";
import type { LineRange, ReadLine } from "./read_lines.ts";

/** Bytes of a whole text result, head and closing line included. */
export const maxTextBytes = 200_000;

export interface ShownLines {
  /** Texts without their line ends. */
  readonly lines: readonly { readonly number: number; readonly text: string }[];
  /** The first wanted line that is not shown. */
  readonly nextLine: number | undefined;
  /** The line that alone was too long. */
  readonly cut: CutLine | undefined;
  /** True where bytes of the lines shown were not UTF-8. */
  readonly replaced: boolean;
}

export interface CutLine {
  readonly line: number;
  /** Bytes of it that are shown. */
  readonly shown: number;
  /** Bytes of the whole line; undefined where its end was not looked for. */
  readonly length: number | undefined;
  /** Where the part left out starts, in bytes from the start of what was read. */
  readonly offset: number;
}

export interface LineFormat {
  /** True where CRs before line ends are no part of the text. */
  readonly crlf: boolean;
  readonly isUtf8: (bytes: Uint8Array) => boolean;
}

/**
 * The result that `render` makes of as many lines of `range` as it has room for, and a last line
 * that says where to go on.
 */
export function fitResult(
  range: LineRange,
  format: LineFormat,
  render: (shown: ShownLines) => string,
): string {
  for (let room = maxTextBytes;;) {
    const { used, ...shown } = fitLines(range, room, format);
    const text = withNotice(render(shown), shown.nextLine);
    const excess = byteLength(text) - maxTextBytes;
    if (excess <= 0) return text;
    room = used - excess;
  }
}

function withNotice(text: string, nextLine: number | undefined): string {
  if (nextLine === undefined) return text;
  return `${text}\n[truncated at ${byteLength(text)} bytes; next start_line: ${nextLine}]`;
}

/** The first lines of `range`, in at most `room` bytes of numbered text; the first one at least. */
function fitLines(
  range: LineRange,
  room: number,
  format: LineFormat,
): ShownLines & { readonly used: number } {
  const lines: { number: number; text: string }[] = [];
  let used = 0, replaced = false;
  for (const [index, line] of range.lines.entries()) {
    const { number, bytes } = line;
    const text = textOf(bytes, format);
    const size = numberBytes(number) + byteLength(text);
    if (bytes.length === line.length && used + size <= room) {
      replaced ||= !format.isUtf8(bytes);
      lines.push({ number, text });
      used += size;
      continue;
    }
    if (lines.length > 0) return { lines, nextLine: number, cut: undefined, replaced, used };
    const nextLine = range.lines[index + 1]?.number ?? range.nextLine;
    return { ...cutLine(line, room, format), nextLine };
  }
  return { lines, nextLine: range.nextLine, cut: undefined, replaced, used };
}

/** As much of a line as fits, whole characters only. */
function cutLine(line: ReadLine, room: number, format: LineFormat) {
  const left = room - numberBytes(line.number);
  let head = headBytes(line.bytes, left);
  const replaced = !format.isUtf8(head);
  // A replaced byte takes three.
  if (replaced) head = line.bytes.subarray(0, Math.floor(left / 3));
  const text = textOf(head, { ...format, crlf: false });
  return {
    lines: [{ number: line.number, text }],
    cut: {
      line: line.number,
      shown: head.length,
      length: line.length,
      offset: line.start + head.length,
    },
    replaced,
    used: numberBytes(line.number) + byteLength(text),
  };
}

/** Of a line's number, the tab after it and the line end. */
function numberBytes(number: number): number {
  return String(number).length + 2;
}

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

function textOf(bytes: Uint8Array, { crlf }: LineFormat): string {
  return decoder.decode(crlf && bytes.at(-1) === 13 ? bytes.subarray(0, -1) : bytes);
}

/** The longest head of at most `maxBytes` bytes that does not end inside a character. */
function headBytes(bytes: Uint8Array, maxBytes: number): Uint8Array {
  if (bytes.length <= maxBytes) return bytes;
  let end = maxBytes;
  for (let back = 0; back < 4 && end > 0 && (bytes[end]! & 0xc0) === 0x80; back++) end--;
  return bytes.subarray(0, end);
}
