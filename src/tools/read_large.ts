/** Reads a range of lines from a file too large to hold: one pass, flat memory, an end to it. */
import { ToolFailure } from "../core/failure.ts";
import type { ToolOutput } from "../core/tool.ts";
import type { NodeFiles } from "../host/files/node_files.ts";
import type { FoundFile } from "../host/files/open_file.ts";
import { versionOfLarge } from "../host/files/version.ts";
import { delay } from "../lib/delay.ts";
import { joinBytes } from "../lib/join_bytes.ts";
import { shownPath } from "../lib/shown_path.ts";
import { markOf } from "../lib/byte_order_mark.ts";
import { resultText } from "./file_result.ts";
import { fitResult, maxTextBytes, type ShownLines } from "./fit_lines.ts";
import { imageFormatOf } from "./read_image.ts";
import { type LineRange, lineReader } from "./read_lines.ts";
import {
  assertStarts,
  binaryFile,
  bodyOf,
  cutNote,
  invalidBytes,
  linesOf,
  type WantedLines,
} from "./read_text.ts";
import { describeEndings, isAllCrlf, lineEndingsOf } from "./text_form.ts";

/** The way to a line this far into a file takes seconds; beyond it a command is the better way. */
const maxScannedBytes = 8 * 1024 ** 3;
const chunkBytes = 1024 * 1024;
/** Aborts and other work get a turn after this many bytes. */
const turnBytes = 32 * chunkBytes;
const sniffedBytes = 8 * 1024;

export async function readLarge(
  node: NodeFiles,
  file: FoundFile,
  path: string,
  wanted: WantedLines,
  signal: AbortSignal,
): Promise<ToolOutput> {
  const { sizeBytes } = file.stat;
  const reader = lineReader({ ...wanted, maxBytes: maxTextBytes, countAll: false });
  const chunk = new Uint8Array(chunkBytes);
  let scanned = 0, done = false, atEnd = false, markLength = 0;
  while (!done) {
    const count = node.fs.readSync(file.fd, chunk, 0, chunkBytes, scanned);
    if (count === 0) {
      atEnd = true;
      break;
    }
    const bytes = chunk.subarray(0, count);
    if (scanned === 0) markLength = assertReadable(path, bytes, sizeBytes);
    done = reader.feed(scanned === 0 ? bytes.subarray(markLength) : bytes);
    scanned += count;
    if (!done && scanned >= maxScannedBytes) throw tooFar(path, wanted.first, sizeBytes);
    if (scanned % turnBytes === 0) {
      await delay(0, signal);
      signal.throwIfAborted();
    }
  }
  const range = reader.finish(atEnd);
  if (range.total !== undefined) assertStarts(path, wanted.first, range.total);
  return { text: resultOf(node, file, path, range, markLength) };
}

function resultOf(
  node: NodeFiles,
  file: FoundFile,
  path: string,
  range: LineRange,
  markLength: number,
): string {
  const endingsOf = (count: number) =>
    lineEndingsOf(joinBytes(range.lines.slice(0, count).flatMap(({ bytes }) => [bytes, newline])));
  const render = (shown: ShownLines) => {
    if (shown.lines.some(({ text }) => text.includes("\0"))) {
      throw binaryFile(path, file.stat.sizeBytes);
    }
    const endings = endingsOf(shown.lines.length);
    const described = describeEndings({ ...endings, crlfLines: [], lfLines: [] });
    const head = {
      path: shownPath(file.place.path),
      version: versionOfLarge(node, file.stat),
      lines: linesOf(shown, range.total === undefined ? "more" : String(range.total)),
      size: `${file.stat.sizeBytes} bytes; too large to count its lines, or for edit`,
      encoding: shown.replaced ? `not UTF-8; ${invalidBytes(shown)}` : undefined,
      bom: markLength > 0 ? "UTF-8" : undefined,
      "line endings": described && `${described} in the lines shown`,
      "final newline": range.total !== undefined && !range.endsWithNewline ? "missing" : undefined,
    };
    return resultText(head, bodyOf(shown, shown.cut && cutNote(shown.cut, path, markLength)));
  };
  const format = { crlf: isAllCrlf(endingsOf(range.lines.length)), isUtf8: node.isUtf8 };
  return fitResult(range, format, render);
}

const newline = Uint8Array.of(10);

/** Bytes of a UTF-8 mark at the start; throws for images, other encodings and binary files. */
function assertReadable(path: string, start: Uint8Array, sizeBytes: number): number {
  const format = imageFormatOf(start);
  if (format !== undefined) {
    throw new ToolFailure(
      "too_large",
      `image too large: ${
        shownPath(path)
      } is a ${format} of ${sizeBytes} bytes, the limit is 5 MiB`,
    );
  }
  const mark = markOf(start);
  if (mark !== undefined && mark.encoding !== "UTF-8") {
    throw new ToolFailure(
      "too_large",
      `too large to decode: ${shownPath(path)} is ${mark.encoding} of ${sizeBytes} bytes; ` +
        "convert it with iconv first",
    );
  }
  if (start.subarray(0, sniffedBytes).includes(0)) throw binaryFile(path, sizeBytes);
  return mark?.length ?? 0;
}

function tooFar(path: string, first: number, sizeBytes: number): ToolFailure {
  return new ToolFailure(
    "too_large",
    `too far into the file: the first ${maxScannedBytes} of ${sizeBytes} bytes of ${
      shownPath(path)
    } were searched for line ${first}; use a command such as tail -c instead`,
  );
}
