/** Searches a batch of files: the unit of work that is given to a worker. */
import type { TextHits, TextMatcher } from "../engine/hits.ts";
import type { ByteLook } from "./byte_look.ts";
import { type FileText, type TextReader, withPlainLines } from "./text_file.ts";

export interface FileHits extends TextHits {
  /** Place of the file in its batch. */
  readonly file: number;
  /** Device and inode of the file that was read; absent where none of its lines are known. */
  readonly id?: string | undefined;
}

export type SkipReason = Exclude<FileText["kind"], "text" | "other">;

/** What a thread searches with. */
export interface Searcher {
  readonly reader: TextReader;
  /** Made by the reader. */
  readonly look: ByteLook;
  readonly matcher: TextMatcher;
}

export interface BatchResult {
  /** Only files with a match or with undecided lines, in order. */
  readonly hits: readonly FileHits[];
  readonly skipped: readonly { readonly file: number; readonly reason: SkipReason }[];
}

/** Each path is `root` and a relative path; `enter` hears of each file, and may leave it out. */
export function searchBatch(
  paths: readonly string[],
  root: string,
  { reader, look, matcher }: Searcher,
  maxLines: number,
  enter: (file: number) => boolean,
): BatchResult {
  const hits: FileHits[] = [];
  const skipped: BatchResult["skipped"][number][] = [];
  // Of the files of a batch the first ones are shown first.
  let room = maxLines;
  for (let file = 0; file < paths.length; file++) {
    if (!enter(file)) continue;
    const content = reader.read(root + paths[file]!, look);
    // Most files end here, before they are decoded.
    if (content.kind === "other") continue;
    if (content.kind !== "text") {
      skipped.push({ file, reason: content.kind });
      continue;
    }
    if (!matcher.mayMatch(content.text)) continue;
    const found = matcher.search(withPlainLines(content.text), room);
    if (found.count === 0 && !found.gaveUp) continue;
    hits.push({ file, id: found.lines.length > 0 ? reader.fileId() : undefined, ...found });
    room -= found.lines.length;
  }
  reader.release();
  return { hits, skipped };
}
