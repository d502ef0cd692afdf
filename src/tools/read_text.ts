/** The result of reading a text file that fits in memory. */
import { ToolFailure } from "../core/failure.ts";
import type { ToolOutput } from "../core/tool.ts";
import type { NodeFiles } from "../host/files/node_files.ts";
import type { FoundFile } from "../host/files/open_file.ts";
import { versionOf } from "../host/files/version.ts";
import { shellWord } from "../lib/shell_word.ts";
import { shownPath } from "../lib/shown_path.ts";
import { decodeMarked, markOf } from "../lib/byte_order_mark.ts";
import { counted, resultText } from "./file_result.ts";
import { type CutLine, fitResult, maxTextBytes, type ShownLines } from "./fit_lines.ts";
import { lineReader } from "./read_lines.ts";
import { describeEndings, isAllCrlf, lineEndingsOf } from "./text_form.ts";

/** Lines from 1, both inclusive; `last` may be Infinity. */
export interface WantedLines {
  readonly first: number;
  readonly last: number;
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

  const reader = lineReader({ ...wanted, maxBytes: maxTextBytes, countAll: true });
  reader.feed(text);
  const range = reader.finish(true);
  const total = range.total!;
  assertStarts(path, wanted.first, total);

  const endings = lineEndingsOf(text);
  const valid = decoded || node.isUtf8(text);
  const render = (shown: ShownLines) => {
    const head = {
      path: shownPath(file.place.path),
      version: versionOf(node, bytes),
      lines: linesOf(shown, String(total)),
      encoding: decoded
        ? `${mark.encoding} with a byte order mark; shown decoded, edit refuses it`
        : valid
        ? undefined
        : `not UTF-8; ${invalidBytes(shown)}; edit refuses it`,
      bom: mark?.encoding === "UTF-8" ? "UTF-8" : undefined,
      "line endings": describeEndings(endings),
      "final newline": total > 0 && !range.endsWithNewline ? "missing" : undefined,
      note: total === 0 ? "the file is empty" : undefined,
    };
    const cut = shown.cut &&
      (decoded
        ? `[line ${shown.cut.line} is cut; convert the file to UTF-8 with iconv to reach the rest]`
        : cutNote(shown.cut, path, mark?.length ?? 0));
    return resultText(head, bodyOf(shown, cut));
  };
  const format = { crlf: isAllCrlf(endings), isUtf8: node.isUtf8 };
  return { text: fitResult(range, format, render) };
}

export function linesOf({ lines }: ShownLines, total: string): string {
  return `${lines[0]?.number ?? 0}-${lines.at(-1)?.number ?? 0} of ${total}`;
}

/** Numbered lines, then how to get the rest of one that is cut. */
export function bodyOf({ lines }: ShownLines, cut: string | undefined): string {
  const rows = lines.map(({ number, text }) => `${number}\t${text}`);
  return [...rows, ...cut === undefined ? [] : [cut]].join("\n");
}

/**
 * Says that a line is cut, and which command shows the rest, as line numbers cannot.
 * `markLength` is what comes before the bytes that `cut` counts in the file at `path`.
 */
export function cutNote(cut: CutLine, path: string, markLength: number): string {
  const whole = cut.length === undefined ? "more" : `${cut.length}`;
  const start = cut.offset + markLength + 1;
  return `[line ${cut.line} is cut: ${cut.shown} of ${whole} bytes shown; for what follows run: ` +
    `tail -c +${start} ${shellWord(path.startsWith("-") ? `./${path}` : path)} | head -c 90000]`;
}

export function invalidBytes(shown: ShownLines): string {
  return shown.replaced
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
