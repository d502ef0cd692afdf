/** The changes of a session as one unified diff. */
import type { FileChange } from "../core/file_change.ts";
import { decodeUtf8 } from "../lib/decode_utf8.ts";
import { unifiedDiff } from "../lib/diff.ts";
import { shownPath } from "../lib/shown_path.ts";
import { type ChangeLog, follows, isEqual, joined } from "./change_log.ts";

/** "" where nothing was changed, or all was changed back. */
export async function changeDiff({ turns }: Pick<ChangeLog, "turns">): Promise<string> {
  const parts: string[] = [];
  for (const change of joinedChanges(turns.flatMap(({ changes }) => changes))) {
    const part = await diffOf(change);
    if (part !== "") parts.push(part);
  }
  const forgotten = new Set(turns.flatMap((turn) => [...turn.forgotten]));
  if (forgotten.size > 0) {
    const names = [...forgotten].map(shownPath).join(", ");
    parts.push(`[older changes are not shown, they were too many to keep: ${names}]`);
  }
  return parts.join("\n");
}

/** Changes of one file that follow one another as one; by path, those of one path in their order. */
function joinedChanges(changes: readonly FileChange[]): FileChange[] {
  const byPath = new Map<string, FileChange[]>();
  for (const change of changes) {
    const before = byPath.get(change.realPath) ?? [];
    const last = before.at(-1);
    if (last !== undefined && follows(last, change)) before.splice(-1, 1, joined(last, change));
    else before.push(change);
    byPath.set(change.realPath, before);
  }
  return [...byPath.values()].flat().sort((a, b) => a.path < b.path ? -1 : a.path > b.path ? 1 : 0);
}

async function diffOf({ path, before, after }: FileChange): Promise<string> {
  const shown = shownPath(path);
  const isNew = before === "none";
  const names = `${isNew ? "--- /dev/null" : `--- a/${shown}`}\n+++ b/${shown}`;
  const lacks = (why: string) => `${names}\n[not shown: ${why}]`;
  if (before === "too large") return lacks("the file was too large to keep");
  const old = isNew ? new Uint8Array() : before;
  if (isEqual(old, after)) return isNew ? `${names}\n[an empty file]` : "";
  const oldText = textIn(old), newText = textIn(after);
  if (oldText === undefined || newText === undefined) return lacks("not UTF-8 text");
  const diff = await unifiedDiff(plain(oldText), plain(newText));
  if (diff === undefined) return lacks("too much to compare");
  return diff.hunks === ""
    ? lacks("line ends or the byte order mark alone")
    : `${names}\n${diff.hunks}`;
}

/** Undefined for what is no text. */
function textIn(bytes: Uint8Array): string | undefined {
  const { text, replaced } = decodeUtf8(bytes);
  return replaced || bytes.includes(0) ? undefined : text;
}

/** CRs before an LF are no difference. */
function plain(text: string): string {
  return text.replaceAll("\r\n", "\n");
}
