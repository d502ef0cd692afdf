/** Searches a batch of files: the unit of work that is given to a worker. */
import type { TextHits, TextMatcher } from "../engine/hits.ts";
import type { Plan } from "../engine/query.ts";
import type { ByteLook } from "./byte_look.ts";
import { type FileText, type TextReader, withPlainLines } from "./text_file.ts";

export interface FileHits extends TextHits {
  /** Place of the file in its batch. */
  readonly file: number;
  /** Device and inode of the file that was read; absent where none of its lines are known. */
  readonly id?: string | undefined;
}

/** `not_utf8`: searched, but characters beyond ASCII cannot be found. */
export type SkipReason = Exclude<FileText["kind"], "text" | "other"> | "not_utf8";

/** What a thread searches with. */
export interface Searcher {
  readonly reader: TextReader;
  /** Made by the reader. */
  readonly look: ByteLook;
  readonly matcher: TextMatcher;
  /** The pattern may ask for characters that another encoding writes in other bytes. */
  readonly beyondAscii: boolean;
}

export function searcherOf(plan: Plan, reader: TextReader, matcher: TextMatcher): Searcher {
  const beyondAscii = /[^\0-\x7f]|\\(?:[pPXxo]|N\{)/.test(plan.query.pattern);
  return { reader, look: reader.lookFor(plan.bytes), matcher, beyondAscii };
}

export interface BatchResult {
  /** Only files with a match or with undecided lines, in order. */
  readonly hits: readonly FileHits[];
  readonly skipped: readonly { readonly file: number; readonly reason: SkipReason }[];
}

/**
 * The files (see `FileBatch`) are below `root`, which has a final slash; `enter` hears of each file, and may leave it out. With
 * `leave`, files that may match are given to it and not searched: no pattern makes that take long.
 */
export function searchBatch(
  files: Uint8Array,
  root: string,
  { reader, look, matcher, beyondAscii }: Searcher,
  maxLines: number,
  enter: (file: number) => boolean,
  leave?: (file: number) => void,
): BatchResult {
  const hits: FileHits[] = [];
  const skipped: BatchResult["skipped"][number][] = [];
  // Of the files of a batch the first ones are shown first.
  let room = maxLines;
  reader.start(root, files);
  for (let file = 0; reader.next(); file++) {
    if (!enter(file)) continue;
    const content = reader.read(look);
    // Most files end here, before they are decoded.
    if (content.kind === "other") {
      if (beyondAscii && !reader.isUtf8()) skipped.push({ file, reason: "not_utf8" });
      continue;
    }
    if (content.kind !== "text") {
      skipped.push({ file, reason: content.kind });
      continue;
    }
    const mayMatch = matcher.mayMatch(content.text);
    if (mayMatch && leave) {
      leave(file);
      continue;
    }
    if (content.text.includes("\ufffd") && !reader.isUtf8()) {
      skipped.push({ file, reason: "not_utf8" });
    }
    if (!mayMatch) continue;
    const found = matcher.search(withPlainLines(content.text), room);
    if (found.count === 0 && !found.gaveUp) continue;
    hits.push({ file, id: found.lines.length > 0 ? reader.fileId() : undefined, ...found });
    room -= found.lines.length;
  }
  reader.release();
  return { hits, skipped };
}

/** `result` with the files that were left out for the time they took. */
export function withTimeouts(result: BatchResult, without: readonly number[]): BatchResult {
  if (without.length === 0) return result;
  const late = without.map((file): FileHits => ({
    file,
    lines: [],
    count: 0,
    gaveUp: { line: 0, reason: "time limit reached" },
  }));
  return { ...result, hits: [...result.hits, ...late].toSorted((a, b) => a.file - b.file) };
}
