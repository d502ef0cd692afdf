/** Owns unified diffs; the one wrapper of the diff library. */

export interface DiffText {
  /** Hunks in unified form, without file names; empty where nothing differs. */
  readonly hunks: string;
  readonly added: number;
  readonly removed: number;
}

const contextLines = 3;
/** More differing lines than this are not paired up: finding the shortest diff would take too long. */
const maxEdits = 2000;

/** What differs between two texts, line by line. */
export async function unifiedDiff(before: string, after: string): Promise<DiffText> {
  const old = linesOf(before), now = linesOf(after);
  // Equal ends are cut off first: they are most of a file, and cost the library the most.
  let head = 0;
  const shorter = Math.min(old.length, now.length);
  while (head < shorter && old[head] === now[head]) head++;
  let tail = 0;
  while (tail < shorter - head && old.at(-1 - tail) === now.at(-1 - tail)) tail++;
  if (head === old.length && head === now.length) return { hunks: "", added: 0, removed: 0 };

  const from = Math.max(0, head - contextLines);
  const oldPart = old.slice(from, old.length - Math.max(0, tail - contextLines));
  const newPart = now.slice(from, now.length - Math.max(0, tail - contextLines));
  const hunks = await hunksOf(oldPart, newPart) ?? [replaceAll(oldPart, newPart)];
  let added = 0, removed = 0;
  const lines: string[] = [];
  for (const hunk of hunks) {
    lines.push(
      `@@ -${span(hunk.oldStart + from, hunk.oldLines)} +${
        span(hunk.newStart + from, hunk.newLines)
      } @@`,
    );
    for (const line of hunk.lines) {
      if (line.startsWith("+")) added++;
      if (line.startsWith("-")) removed++;
      lines.push(line);
    }
  }
  return { hunks: lines.join("\n"), added, removed };
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
