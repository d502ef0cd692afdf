/** Unified diffs; the one wrapper of the diff library. */

export interface DiffText {
  /** Hunks in unified form, without file names; empty where nothing differs. */
  readonly hunks: string;
  readonly added: number;
  readonly removed: number;
}

const contextLines = 3;
/** More differing lines than this are not paired up: finding the shortest diff would take too long. */
const maxEdits = 2000;
const maxMs = 500;
/** Texts whose differing parts are longer than this together are not compared. */
const maxComparedChars = 1024 * 1024;

/** What differs between two texts, line by line; undefined where that is too much to compare. */
export async function unifiedDiff(before: string, after: string): Promise<DiffText | undefined> {
  if (before === after) return { hunks: "", added: 0, removed: 0 };
  const { start, oldEnd, newEnd } = differingPart(before, after);
  if (oldEnd + newEnd - 2 * start > maxComparedChars) return undefined;
  const firstLine = countLines(before, start);
  const old = linesOf(before.slice(start, oldEnd)), now = linesOf(after.slice(start, newEnd));
  const hunks = await hunksOf(old, now) ?? [replaceAll(old, now)];
  let added = 0, removed = 0;
  const lines: string[] = [];
  for (const hunk of hunks) {
    const oldSpan = span(hunk.oldStart + firstLine, hunk.oldLines);
    const newSpan = span(hunk.newStart + firstLine, hunk.newLines);
    lines.push(`@@ -${oldSpan} +${newSpan} @@`);
    for (const line of hunk.lines) {
      if (line.startsWith("+")) added++;
      if (line.startsWith("-")) removed++;
      lines.push(line);
    }
  }
  return { hunks: lines.join("\n"), added, removed };
}

/**
 * Whole lines around what differs, with context: equal ends are most of a file, and looking at them
 * character by character costs least.
 */
function differingPart(
  before: string,
  after: string,
): { start: number; oldEnd: number; newEnd: number } {
  const shorter = Math.min(before.length, after.length);
  let same = 0;
  while (same < shorter && before.charCodeAt(same) === after.charCodeAt(same)) same++;
  let tail = 0;
  while (
    tail < shorter - same &&
    before.charCodeAt(before.length - 1 - tail) === after.charCodeAt(after.length - 1 - tail)
  ) tail++;
  let start = lineStart(before, same);
  for (let line = 0; line < contextLines && start > 0; line++) start = lineStart(before, start - 1);
  let oldEnd = before.length - tail;
  for (let line = 0; line <= contextLines; line++) {
    const newline = before.indexOf("\n", oldEnd);
    oldEnd = newline < 0 ? before.length : newline + 1;
  }
  return { start, oldEnd, newEnd: after.length - (before.length - oldEnd) };
}

function lineStart(text: string, index: number): number {
  return index === 0 ? 0 : text.lastIndexOf("\n", index - 1) + 1;
}

function countLines(text: string, end: number): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at >= 0 && at < end; at = text.indexOf("\n", at + 1)) count++;
  return count;
}

interface Hunk {
  readonly oldStart: number;
  readonly oldLines: number;
  readonly newStart: number;
  readonly newLines: number;
  readonly lines: readonly string[];
}

/** Undefined where the texts differ too much. */
async function hunksOf(old: string[], now: string[]): Promise<readonly Hunk[] | undefined> {
  const { structuredPatch } = await import("diff");
  const patch = structuredPatch("", "", old.join(""), now.join(""), undefined, undefined, {
    context: contextLines,
    maxEditLength: maxEdits,
    timeout: maxMs,
  });
  return patch?.hunks;
}

function replaceAll(old: string[], now: string[]): Hunk {
  const marked = (mark: string, lines: string[]) =>
    lines.flatMap((line) =>
      line.endsWith("\n")
        ? [mark + line.slice(0, -1)]
        : [mark + line, "\\ No newline at end of file"]
    );
  return {
    oldStart: 1,
    oldLines: old.length,
    newStart: 1,
    newLines: now.length,
    lines: [...marked("-", old), ...marked("+", now)],
  };
}

function linesOf(text: string): string[] {
  const lines = text.split("\n");
  const last = lines.pop()!;
  const ended = lines.map((line) => `${line}\n`);
  return last === "" ? ended : [...ended, last];
}

/** An empty side is named by the line before it, as everywhere. */
function span(start: number, count: number): string {
  return count === 1 ? `${start}` : `${count === 0 ? start - 1 : start},${count}`;
}
