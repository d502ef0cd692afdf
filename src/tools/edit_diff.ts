/** The diff that a result shows: named, and cut where it grows long. */
import { unifiedDiff } from "../lib/diff.ts";
import { byteLength, headOf } from "../lib/well_formed.ts";
import { counted } from "./file_result.ts";

const maxDiffBytes = 10_000;

export interface ShownDiff {
  /** Unified diff with file names; undefined where the text is the same or was not compared. */
  readonly text: string | undefined;
  /** `+2 -1 lines`; undefined where the texts were not compared. */
  readonly summary: string | undefined;
}

/** The diff from `before` (undefined: no file) to `after`; CRs before an LF are no difference. */
export async function shownDiff(
  path: string,
  before: string | undefined,
  after: string,
): Promise<ShownDiff> {
  const plain = (text: string) => text.replaceAll("\r\n", "\n");
  const diff = await unifiedDiff(plain(before ?? ""), plain(after));
  if (diff === undefined) return { text: undefined, summary: undefined };
  const { hunks, added, removed } = diff;
  const summary = `+${added} -${removed} lines`;
  if (hunks === "") return { text: undefined, summary };
  const names = [before === undefined ? "--- /dev/null" : `--- a/${path}`, `+++ b/${path}`];
  return { text: [...names, shorten(hunks)].join("\n"), summary };
}

function shorten(hunks: string): string {
  if (byteLength(hunks) <= maxDiffBytes) return hunks;
  const head = headOf(hunks, maxDiffBytes);
  const end = head.lastIndexOf("\n");
  const kept = end > 0 ? head.slice(0, end) : head;
  const left = hunks.slice(kept.length).split("\n").length - (end > 0 ? 1 : 0);
  return `${kept}\n[diff shortened: ${counted(left, "more line")}]`;
}
