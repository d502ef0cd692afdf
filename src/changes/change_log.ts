/** What edit and write changed, turn by turn, within a bound of memory. */
import type { FileChange } from "../core/file_change.ts";

export interface Turn {
  readonly prompt: string;
  /** In order; changes of a file that follow one another without anything between are one. */
  readonly changes: FileChange[];
  /** Paths of changes that were too many to keep. */
  readonly forgotten: Set<string>;
  /** Taken back, as far as it could be. */
  undone: boolean;
}

export interface ChangeLog {
  /** Those that changed files, oldest first. */
  readonly turns: readonly Turn[];
  begin(prompt: string): void;
  add(change: FileChange): void;
  /** Takes changes out that were taken back, and marks the turn. */
  takeBack(turn: Turn, changes: readonly FileChange[]): void;
}

/** Contents that are kept; the oldest are forgotten beyond it. */
const maxKeptBytes = 64 * 1024 * 1024;
/** What a change costs beside its contents. */
const bytesPerChange = 512;

export function createChangeLog(maxBytes = maxKeptBytes): ChangeLog {
  const turns: Turn[] = [];
  let prompt = "", open: Turn | undefined, bytes = 0;

  function forget(): void {
    const turn = turns.find(({ changes }) => changes.length > 0);
    const change = turn?.changes.shift();
    if (turn === undefined || change === undefined) return;
    bytes -= sizeOf(change);
    turn.forgotten.add(change.path);
  }

  return {
    turns,
    begin(next) {
      prompt = next;
      open = undefined;
    },
    add(change) {
      if (open === undefined) {
        open = { prompt, changes: [], forgotten: new Set(), undone: false };
        turns.push(open);
      }
      const at = open.changes.findLastIndex(({ realPath }) => realPath === change.realPath);
      const last = open.changes[at];
      if (last !== undefined && follows(last, change)) {
        bytes -= sizeOf(last);
        open.changes[at] = joined(last, change);
        bytes += sizeOf(open.changes[at]);
      } else {
        open.changes.push(change);
        bytes += sizeOf(change);
      }
      while (bytes > maxBytes && turns.some(({ changes }) => changes.length > 0)) forget();
    },
    takeBack(turn, taken) {
      turn.undone = true;
      for (const change of taken) {
        turn.changes.splice(turn.changes.indexOf(change), 1);
        bytes -= sizeOf(change);
      }
    },
  };
}

/** True where `next` began with what `last` left: nobody else changed the file in between. */
export function follows(last: FileChange, next: FileChange): boolean {
  return next.before instanceof Uint8Array && isEqual(last.after, next.before);
}

/** Two changes that follow one another, as one. */
export function joined(first: FileChange, second: FileChange): FileChange {
  return { ...first, after: second.after };
}

export function isEqual(one: Uint8Array, other: Uint8Array): boolean {
  if (one.length !== other.length) return false;
  for (let at = 0; at < one.length; at++) if (one[at] !== other[at]) return false;
  return true;
}

function sizeOf({ before, after }: FileChange): number {
  const old = before instanceof Uint8Array ? before.length : 0;
  return old + after.length + bytesPerChange;
}
