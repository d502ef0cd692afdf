/** Reads a session file: every record that can be read, and a notice of what cannot. */
import { type Json, parseJson } from "../core/json.ts";
import type { SessionRecord } from "../core/record.ts";
import { decodeUtf8 } from "../lib/decode_utf8.ts";
import { lineSplitter, type SplitLine } from "../lib/jsonl.ts";
import { yieldToEvents } from "../lib/yield_to_events.ts";
import { checkRecord } from "./check_record.ts";
import { splitGlued } from "./glued_records.ts";

/** Longer records are neither written nor read. */
export const maxRecordBytes = 64 * 1024 * 1024;

export interface ReadReport {
  /** One sentence for each thing that was lost or looked odd; a bounded number. */
  readonly notices: readonly string[];
  /** Bytes read. */
  readonly totalBytes: number;
  /** Bytes up to and with the last LF. */
  readonly endedBytes: number;
  /**
   * clean: the file ends in LF, or is empty · unended: its last record is whole but lacks the LF ·
   * torn: what follows the last LF is no record
   */
  readonly tail: "clean" | "unended" | "torn";
}

export interface RecordReader {
  record(record: SessionRecord, line: number): void;
  /** A record of a kind unknown here. */
  unknown?(value: Json): void;
}

/** How long the reading of a long file holds up all else. */
const sliceMs = 20;

/** Hands every readable record of a session file to `reader`, in order, in one pass. */
export async function readRecords(
  chunks: Iterable<Uint8Array>,
  reader: RecordReader,
): Promise<ReadReport> {
  const splitter = lineSplitter(maxRecordBytes);
  const notices = noticeList();
  let line = 0, totalBytes = 0, endedBytes = 0;
  let tail: ReadReport["tail"] = "clean";

  const take = (split: SplitLine) => {
    if ("tooLong" in split) {
      line++;
      const size = Math.ceil(split.tooLong / (1024 * 1024));
      notices.add(`line ${line} was skipped: its ${size} MiB are more than a record may have`);
      return false;
    }
    const { text, replaced } = decodeUtf8(split.bytes);
    return takeText(text, replaced, split.ended);
  };

  const takeText = (text: string, replaced: boolean, ended: boolean) => {
    line++;
    const whole = parseJson(text);
    if (whole !== undefined) return accept(whole, replaced);
    if (isBlank(text)) return true;
    if (!ended) return false;
    return salvage(text, replaced);
  };

  const accept = (value: Json, replaced: boolean) => {
    const checked = checkRecord(value);
    if ("problem" in checked) {
      notices.add(`line ${line} was skipped: ${checked.problem}`);
      return true;
    }
    if ("unknownKind" in checked) {
      notices.addUnknown(checked.unknownKind);
      reader.unknown?.(value);
      return true;
    }
    if (replaced) notices.add(`line ${line} held bytes that are not UTF-8; they were replaced`);
    reader.record(checked.record, line);
    return true;
  };

  const salvage = (text: string, replaced: boolean) => {
    const { values, lostChars } = splitGlued(text);
    if (values.length === 0) {
      const nuls = text.length - text.replaceAll("\0", "").length;
      notices.add(
        nuls === text.length
          ? `line ${line} was skipped: it holds ${nuls} NUL bytes and no record`
          : `line ${line} was skipped: its ${text.length} characters are no record` +
            ` (${JSON.stringify(excerpt(text))})`,
      );
    } else {
      if (lostChars > 0) {
        notices.add(
          `line ${line} lost ${lostChars} characters of an unfinished record; ` +
            `${values.length === 1 ? "the record" : "the records"} beside them could be read`,
        );
      }
      for (const value of values) accept(value, replaced);
    }
    return true;
  };

  let sliceEnd = performance.now() + sliceMs;
  for (const chunk of chunks) {
    if (performance.now() >= sliceEnd) {
      // the chunk is not filled again before the next one is asked for
      await yieldToEvents();
      sliceEnd = performance.now() + sliceMs;
    }
    const newline = chunk.lastIndexOf(10);
    if (newline >= 0) endedBytes = totalBytes + newline + 1;
    totalBytes += chunk.length;
    const { before, lines, after } = linesWithin(chunk, newline + 1);
    for (const split of splitter.push(before)) take(split);
    for (const text of lines) takeText(text, false, true);
    for (const split of splitter.push(after)) take(split);
  }
  const rest = splitter.end();
  if (rest !== undefined) {
    tail = take(rest) ? "unended" : "torn";
    if (tail === "torn" && !("tooLong" in rest)) {
      const bytes = totalBytes - endedBytes;
      notices.add(`the last line was skipped: its ${bytes} bytes are an unfinished record`);
    }
  }
  return { notices: notices.all(), totalBytes, endedBytes, tail };
}

/**
 * The lines that lie within `chunk`, decoded at once: one at a time takes twice as long. None where that
 * is no UTF-8; then all is `before`, to be split as bytes. `end`: where the last line ends.
 */
function linesWithin(chunk: Uint8Array, end: number) {
  const start = chunk.indexOf(10) + 1;
  const { text, replaced } = decodeUtf8(chunk.subarray(start, end), { keepMark: true });
  if (replaced || text === "") return { before: chunk, lines: [], after: nothing };
  return { before: chunk.subarray(0, start), lines: linesOf(text), after: chunk.subarray(end) };
}

const nothing = new Uint8Array();

/** Without LF, and without a byte order mark at the start. */
function* linesOf(text: string): Generator<string> {
  for (let at = 0; at < text.length;) {
    const end = text.indexOf("\n", at);
    yield text.slice(text[at] === "\ufeff" ? at + 1 : at, end);
    at = end + 1;
  }
}

function isBlank(text: string): boolean {
  return /^\s*$/.test(text);
}

function excerpt(text: string): string {
  return text.length <= 60 ? text : `${text.slice(0, 60)}…`;
}

function noticeList() {
  const maxNotices = 20;
  const sentences: string[] = [];
  const unknownKinds = new Map<string, number>();
  let more = 0;
  return {
    add(sentence: string) {
      if (sentences.length < maxNotices) sentences.push(sentence);
      else more++;
    },
    addUnknown(kind: string) {
      if (unknownKinds.size < maxNotices || unknownKinds.has(kind)) {
        unknownKinds.set(kind, (unknownKinds.get(kind) ?? 0) + 1);
      }
    },
    all(): string[] {
      const all = [...sentences];
      if (more > 0) all.push(`${more} more lines could not be read`);
      for (const [kind, count] of unknownKinds) {
        const records = count === 1 ? "1 record" : `${count} records`;
        all.push(
          `${records} of the unknown kind ${JSON.stringify(excerpt(kind))} ${
            count === 1 ? "was" : "were"
          } ignored`,
        );
      }
      return all;
    },
  };
}
