/** The text of a grep result: lines, and honest endings. */
import { shownWhole } from "../lib/shown_path.ts";
import { byteLength } from "../lib/well_formed.ts";
import type { SkipReason } from "../search/scan/batch.ts";
import type { LineSpan } from "../search/engine/pattern/line_span.ts";
import type { GrepResult } from "../search/scan/grep_files.ts";
import { faultNotes, leftOutLine, leftOutNotes } from "./search_notes.ts";

/** Bytes of the whole text. */
const maxBytes = 100_000;

/** The text for the model. */
export function renderMatches(result: GrepResult): string {
  if (result.onlyFile) {
    return `${whySkipped[result.onlyFile.reason]}: ${shownWhole(result.onlyFile.path)}`;
  }
  const lines = result.matches.map((match) =>
    `${shownWhole(match.path)}:${match.line}:${match.text}`
  );
  const sizes = lines.map((line) => byteLength(line) + 1);
  for (;;) {
    const text = [...lines, ...notesFor(result, lines.length)].join("\n");
    let excess = byteLength(text) - maxBytes;
    if (excess <= 0 || lines.length === 0) return text;
    for (; excess > 0 && lines.length > 0; lines.pop()) excess -= sizes[lines.length - 1]!;
  }
}

/** What is said after the matches of which `shown` are shown. */
function notesFor(result: GrepResult, shown: number): string[] {
  const notes: string[] = [];
  const omitted = result.omitted + result.matches.length - shown;
  if (shown === 0 && omitted === 0) {
    const none = result.end === "all" ? "No matches" : "No matches in what was searched";
    notes.push(none, ...lineSpanNotes(result.lineSpan), ...leftOutNotes(result.leftOut));
    notes.push(...skippedNotes(result.skipped, ["binary", "large", "not_utf8"]));
  }
  if (omitted > 0) notes.push(omittedNote(omitted, result.end));
  if (shown > 0 || omitted > 0) {
    if (result.lineSpan === "part") notes.push(...lineSpanNotes("part"));
    notes.push(
      ...leftOutLine(result.leftOut, skippedClauses(result.skipped, ["large", "not_utf8"])),
    );
  }
  if (result.end === "deadline") {
    notes.push("[the search took too long and ended early: narrow it]");
  }
  if (result.changed > 0) notes.push(changedNote(result.changed));
  if (result.warning !== undefined) notes.push(`[with this pattern, ${result.warning}]`);
  notes.push(...undecidedNotes(result), ...skippedNotes(result.skipped, ["unreadable"]));
  notes.push(...faultNotes(result.leftOut));
  return notes;
}

const whySkipped: Record<SkipReason, string> = {
  binary: "Not searched, as it is a binary file (it holds a NUL byte)",
  large: "Not searched, as it is larger than 1 MiB",
  unreadable: "Not searched, as it cannot be read",
  not_utf8: "",
};

const lineSpans: Record<LineSpan, string> = {
  whole: "the pattern can only match across lines, but lines are searched one by one",
  part: "part of the pattern can only match across lines, but lines are searched one by one",
  perhaps: "lines are searched one by one: a line end in the pattern matches nothing",
};

function lineSpanNotes(span: LineSpan | undefined): string[] {
  return span === undefined ? [] : [`[${lineSpans[span]}]`];
}

function omittedNote(omitted: number, end: GrepResult["end"]): string {
  const count = `${omitted} more ${omitted === 1 ? "match" : "matches"} omitted`;
  return end === "all" ? `[${count}]` : `[at least ${count}: not all files were searched]`;
}

function changedNote(files: number): string {
  const which = files === 1 ? "1 file that matched was" : `${files} files that matched were`;
  return `[${which} replaced during the search, and left out: search again]`;
}

function skippedNotes(skipped: GrepResult["skipped"], reasons: readonly SkipReason[]): string[] {
  return skippedClauses(skipped, reasons).map((clause) => `[${clause}]`);
}

function skippedClauses(
  skipped: GrepResult["skipped"],
  reasons: readonly SkipReason[],
): string[] {
  return reasons.flatMap((reason) => {
    const { count, paths } = skipped[reason];
    if (count === 0) return [];
    const more = count > paths.length ? `, and ${count - paths.length} more` : "";
    return [`${skippedAs[reason]}: ${paths.map((path) => shownWhole(path)).join(", ")}${more}`];
  });
}

const skippedAs: Record<SkipReason, string> = {
  binary: "skipped as binary",
  large: "skipped as larger than 1 MiB",
  unreadable: "skipped as unreadable",
  not_utf8: "what is not ASCII in files that are not UTF-8",
};

function undecidedNotes(result: GrepResult): string[] {
  const notes = result.undecided.map(({ path, line, reason }) =>
    `[${reason} in ${shownWhole(path)}${line > 0 ? `:${line}` : ""}; matches there may be missing]`
  );
  const more = result.undecidedCount - notes.length;
  if (more > 0) notes.push(`[the same in ${more} more ${more === 1 ? "file" : "files"}]`);
  return notes;
}
