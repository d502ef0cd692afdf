/** The result of reading a text file that fits in memory. */
import { ToolFailure } from "../core/failure.ts";
import type { ToolOutput } from "../core/tool.ts";
import type { NodeFiles } from "../host/files/node_files.ts";
import type { FoundFile } from "../host/files/open_file.ts";
import { shownPath } from "../host/files/path_rule.ts";
import { versionOf } from "../host/files/version.ts";
import { byteLength } from "../lib/well_formed.ts";
import { counted, resultText } from "./file_result.ts";
import { type CutLine, type LineRange, lineReader } from "./read_lines.ts";
import { decodeMarked, describeEndings, isAllCrlf, lineEndingsOf, markOf } from "./text_form.ts";

/** Lines from 1, both inclusive; `last` may be Infinity. */
export interface WantedLines {
  readonly first: number;
  readonly last: number;
}

/** Bytes of a whole text result, head and closing line included. */
const maxTextBytes = 200_000;
const headBytes = 1_500;

/** Bytes of numbered lines that leave room for the head, whose parts with the path vary. */
export function bodyLimit(path: string): number {
  return maxTextBytes - headBytes - 4 * byteLength(shownPath(path));
}

export function readText(
  node: NodeFiles,
  file: FoundFile,
  path: string,
  bytes: Uint8Array,
  wanted: WantedLines,
): ToolOutput {
  const mark = markOf(bytes);
  const decoded = mark !== undefined && mark.encoding !== "UTF-8";
  const text = decoded
    ? new TextEncoder().encode(decodeMarked(bytes, mark))
    : bytes.subarray(mark?.length ?? 0);
  if (text.includes(0)) throw binaryFile(path, bytes.length);

  const reader = lineReader({
    ...wanted,
    maxBytes: bodyLimit(path),
    countAll: true,
    isUtf8: node.isUtf8,
  });
  reader.feed(text);
  const range = reader.finish(true);
  const total = range.total!;
  assertStarts(path, wanted.first, total);

  const endings = lineEndingsOf(text);
  const valid = decoded || node.isUtf8(text);
  const head = {
    path: shownPath(file.place.path),
    version: versionOf(node, bytes),
    lines: linesOf(range, String(total)),
    encoding: decoded
      ? `${mark.encoding} with a byte order mark; shown decoded, edit refuses it`
      : valid
      ? undefined
      : `not UTF-8; ${invalidBytes(range)}; edit refuses it`,
    bom: mark?.encoding === "UTF-8" ? "UTF-8" : undefined,
    "line endings": describeEndings(endings),
    "final newline": total > 0 && !range.endsWithNewline ? "missing" : undefined,
    note: total === 0 ? "the file is empty" : undefined,
  };
  const cut = range.cut &&
    (decoded
      ? `[line ${range.cut.line} is cut; convert the file to UTF-8 with iconv to reach the rest]`
      : cutNote(range.cut, path, mark?.length ?? 0));
  return { text: resultText(head, bodyOf(range, isAllCrlf(endings), cut)) };
}

export function linesOf(range: LineRange, total: string): string {
  const first = range.lines[0]?.number ?? 0, last = range.lines.at(-1)?.number ?? 0;
  return `${first}-${last} of ${total}`;
}

/** Numbered lines, then what was left out and how to get it. */
export function bodyOf(range: LineRange, stripCr: boolean, cut: string | undefined): string {
  const lines = range.lines.map(({ number, text }) =>
    `${number}\t${stripCr && text.endsWith("\r") ? text.slice(0, -1) : text}`
  );
  if (cut !== undefined) lines.push(cut);
  if (range.nextLine !== undefined) {
    lines.push(`[truncated at ${maxTextBytes} bytes; next start_line: ${range.nextLine}]`);
  }
  return lines.join("\n");
}

/**
 * Says that a line is cut, and which command shows the rest, as line numbers cannot.
 * `markLength` is what comes before the bytes that `cut` counts in the file at `path`.
 */
export function cutNote(cut: CutLine, path: string, markLength: number): string {
  const whole = cut.length === undefined ? "more" : `${cut.length}`;
  const start = cut.offset + markLength + 1;
  return `[line ${cut.line} is cut: ${cut.shown} of ${whole} bytes shown; for what follows run: ` +
    `tail -c +${start} ${shellWord(path)} | head -c 90000]`;
}

export function invalidBytes(range: LineRange): string {
  return range.replaced
    ? "bytes that are not were replaced by U+FFFD"
    : "the lines shown are, others are not";
}

export function assertStarts(path: string, first: number, total: number): void {
  if (first <= Math.max(total, 1)) return;
  throw new ToolFailure(
    "invalid_arguments",
    `start_line ${first} is past the end: ${shownPath(path)} has ${counted(total, "line")}`,
  );
}

export function binaryFile(path: string, sizeBytes: number): ToolFailure {
  return new ToolFailure(
    "not_text",
    `binary file: ${shownPath(path)} holds NUL bytes and is no image (${
      counted(sizeBytes, "byte")
    }); ` +
      "look at it with a command such as file, strings or xxd",
  );
}

function shellWord(path: string): string {
  const word = path.startsWith("-") ? `./${path}` : path;
  return /^[\w./+:@%-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
