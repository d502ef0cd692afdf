/** Writes one session file: whole lines only, never over another's change. */
import { messageOf } from "../core/failure.ts";
import type { SessionRecord } from "../core/record.ts";
import { type AppendFile, type FileStamp, openAppendFile } from "../host/append_file.ts";
import { copyFile, makePrivateFolder, removeFile } from "../host/session_files.ts";
import { joinBytes } from "../lib/join_bytes.ts";
import { toLinePieces } from "../lib/jsonl.ts";
import { pieceEncoder } from "../lib/text_pieces.ts";
import { byteLength } from "../lib/well_formed.ts";
import { maxRecordBytes, type ReadReport } from "./read_records.ts";
import { compactTime } from "./session_id.ts";

export type Notice = (level: "info" | "warning", sentence: string) => void;

export interface JournalFileStart {
  readonly id: string;
  readonly folder: string;
  readonly path: string;
  /** The first record of a file that is yet to be made. */
  readonly header: SessionRecord;
  /** The file as it was read; without it the first record makes it. */
  readonly loaded?: {
    readonly file: AppendFile;
    readonly stamp: FileStamp;
    readonly report: Pick<ReadReport, "endedBytes" | "tail">;
  };
  readonly now: () => number;
  readonly notice: Notice;
}

export interface JournalFile {
  /** True once the file is there. */
  readonly exists: boolean;
  /** Bytes that are safely in the file. */
  readonly bytes: number;
  /** What cannot be saved is reported once, and retried with the next record; no failure to write throws. */
  append(record: SessionRecord): Promise<void>;
  /** Waits until what was written is on the disk. Never throws. */
  sync(): Promise<void>;
  close(): void;
}

/** Unsaved records are kept for another try up to this size. */
const maxPendingBytes = 32 * 1024 * 1024;

export function journalFile(start: JournalFileStart): JournalFile {
  const { id, path, notice } = start;
  let file = start.loaded?.file;
  let stamp = start.loaded?.stamp;
  let tail = start.loaded?.report.tail ?? "clean";
  let bytes = tail === "torn" ? start.loaded!.report.endedBytes : stamp?.size ?? 0;

  let pending: Line[] = [];
  let pendingBytes = 0;
  let failing = false;
  let stopped = false;
  let mustCutBack = false;
  // One record at a time: making the file has to wait for its lock.
  let queue: Promise<void> = Promise.resolve();

  if (file !== undefined && !file.writable) {
    stop(`${path} is read-only; the run goes on without saving`);
  }

  async function appendNow(record: SessionRecord) {
    if (stopped) return;
    const line = encode(record);
    if (line.length > maxRecordBytes) {
      notice("warning", `a record of ${line.length} bytes is too large for session ${id}`);
      return;
    }
    pending.push(line);
    pendingBytes += line.length;
    try {
      if (file === undefined) await make();
      if (file === undefined) return; // closed while it waited
      writePending(file);
      if (failing) notice("info", `session ${id} is saved again`);
      failing = false;
    } catch (error) {
      failed(error);
    }
  }

  async function make() {
    makePrivateFolder(start.folder);
    const made = openAppendFile(path, "create");
    file = made;
    stamp = made.stamp();
    await made.lock();
  }

  function writePending(file: AppendFile) {
    if (changed(file)) {
      return stop(
        `session ${id} was changed by another program (${path}); ` +
          "the run goes on, but is not saved any more",
      );
    }
    if (mustCutBack) cutBack(file);
    repairTail(file);
    const head = bytes === 0 ? [encode(start.header)] : tail === "unended" ? [lineOf("\n")] : [];
    const lines = [...head, ...pending];
    const length = lines.reduce((sum, line) => sum + line.length, 0);
    try {
      for (const written of inWrites(lines, length)) file.write(written);
    } catch (error) {
      undo(file);
      throw error;
    }
    bytes += length;
    tail = "clean";
    stamp = file.stamp();
    pending = [];
    pendingBytes = 0;
  }

  function changed(file: AppendFile): boolean {
    const now = file.stampOfPath();
    return now === undefined || stamp === undefined || now.identity !== stamp.identity ||
      now.size !== stamp.size || now.mtimeMs !== stamp.mtimeMs;
  }

  /** Half a line at the end goes, once the file as it was is kept beside it. */
  function repairTail(file: AppendFile) {
    if (tail !== "torn") return;
    const recovery = `${path}.recovery-${compactTime(start.now())}`;
    copyFile(path, recovery);
    file.truncate(bytes);
    stamp = file.stamp();
    tail = "clean";
    notice("info", `the unfinished last line of session ${id} was removed; see ${recovery}`);
  }

  /** No half line is left behind a write that failed, nor a file that holds nothing. */
  function undo(failedFile: AppendFile) {
    mustCutBack = true;
    try {
      cutBack(failedFile);
      if (bytes > 0) return;
      removeFile(path);
      failedFile.close();
      file = undefined;
    } catch {
      // The write's own error is the one to report; what could not be undone is retried
      // before the next write, or repaired when the session is opened again.
      stamp = failedFile.stamp();
    }
  }

  function cutBack(file: AppendFile) {
    file.truncate(bytes);
    mustCutBack = false;
    stamp = file.stamp();
  }

  function failed(error: unknown) {
    if (!failing) {
      notice(
        "warning",
        `session ${id} cannot be saved in ${path}: ${messageOf(error)}; ` +
          "the run goes on, and saving is tried again with each record",
      );
    }
    failing = true;
    if (pendingBytes <= maxPendingBytes) return;
    stop(`session ${id}: too much is unsaved; the run goes on without saving`);
  }

  function stop(sentence: string) {
    stopped = true;
    pending = [];
    pendingBytes = 0;
    notice("warning", sentence);
  }

  return {
    get exists() {
      return bytes > 0;
    },
    get bytes() {
      return bytes;
    },
    append(record) {
      const appended = queue.then(() => appendNow(record));
      // what is wrong with one record is no reason to lose the next
      queue = appended.catch(() => {});
      return appended;
    },
    async sync() {
      await queue;
      if (file === undefined || stopped) return;
      try {
        await file.sync();
      } catch (error) {
        failed(error);
      }
    },
    close() {
      file?.close();
      file = undefined;
      stopped = true;
    },
  };
}

const encoder = new TextEncoder();

/** A whole line, or the end of one. */
interface Line {
  /** Bytes. */
  readonly length: number;
  chunks(): Iterable<Uint8Array>;
}

/** The kind comes first: lists and repairs look for it there. */
function encode({ kind, ...rest }: SessionRecord): Line {
  return lineOf(toLinePieces({ kind, ...rest }));
}

function lineOf(text: string | Iterable<string>): Line {
  if (typeof text === "string") {
    const bytes = encoder.encode(text);
    return { length: bytes.length, chunks: () => [bytes] };
  }
  let length = 0;
  for (const piece of text) length += byteLength(piece);
  if (length <= maxWholeBytes) return lineOf([...text].join(""));
  return {
    length,
    *chunks() {
      const encode = pieceEncoder();
      for (const piece of text) yield encode(piece);
    },
  };
}

/** Up to this many bytes go out in one write. */
const maxWholeBytes = 1024 * 1024;

/** Each is to be written before the next is asked for. */
function inWrites(lines: readonly Line[], length: number): Iterable<Uint8Array> {
  const chunks = chunksOf(lines);
  return length <= maxWholeBytes ? [joinBytes([...chunks])] : chunks;
}

function* chunksOf(lines: readonly Line[]): Generator<Uint8Array> {
  for (const line of lines) yield* line.chunks();
}
