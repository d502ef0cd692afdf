/** Moves through the lines of a text and, beyond its ends, through earlier texts. */

export interface Edited {
  readonly line: string;
  readonly cursor: number;
}

export interface Recall {
  /** One line up, or the text before; undefined where there is nothing. */
  up(now: Edited): Edited | undefined;
  /** One line down, or the text after, at last the one that was being typed. */
  down(now: Edited): Edited | undefined;
}

/** A walk that begins at a text not sent yet; `entries` are newest first. */
export function startRecall(entries: readonly string[]): Recall {
  /** What stands at each place as it was left: edits stay for as long as the walk. */
  const left = new Map<number, string>();
  let at = -1;

  function go(to: number, now: Edited): Edited | undefined {
    if (to < -1 || to >= entries.length) return undefined;
    left.set(at, now.line);
    at = to;
    const line = left.get(at) ?? entries[at]!;
    return { line, cursor: line.length };
  }

  return {
    up: (now) => inText(now, -1) ?? go(at + 1, now),
    down: (now) => inText(now, 1) ?? go(at - 1, now),
  };
}

/** The same column one line up or down, as far as that line goes. */
function inText({ line, cursor }: Edited, by: -1 | 1): Edited | undefined {
  const lines = line.split("\n");
  const row = line.slice(0, cursor).split("\n").length - 1;
  const column = cursor - (line.lastIndexOf("\n", cursor - 1) + 1);
  const target = lines[row + by];
  if (target === undefined) return undefined;
  const start = lines.slice(0, row + by).reduce((sum, text) => sum + text.length + 1, 0);
  return { line, cursor: start + Math.min(column, target.length) };
}
