/** Ctrl-R: looks for an earlier line by a part of it. */
import type { Edited } from "./recall.ts";

export interface HistorySearch {
  /** True for a key that was one of the search. */
  press(key: string): boolean;
  /** Ends it: what was found stays in the line. */
  leave(): void;
}

export interface SearchOptions {
  /** Newest first. */
  readonly entries: () => readonly string[];
  /** What stands in the line. */
  readonly edited: () => Edited;
  /** Shows a line behind a prompt; undefined: the usual one. */
  readonly show: (edited: Edited, prompt?: string) => void;
}

const start = "\x12", back = ["\x7f", "\b"];
const cancel = ["\x1b", "\x07", "\x03"];

export function historySearch({ entries, edited, show }: SearchOptions): HistorySearch {
  let active: { before: Edited; query: string; lines: readonly string[]; at: number } | undefined;

  /** Goes to the first line from `from` on that holds what is looked for. */
  function look(from: number): void {
    const { lines, query, before } = active!;
    const low = query.toLowerCase();
    const found = query === ""
      ? -1
      : lines.findIndex((line, at) => at >= from && line.toLowerCase().includes(low));
    if (found >= 0) active!.at = found;
    const line = query === "" ? before.line : lines[active!.at] ?? before.line;
    const isThere = query === "" || line.toLowerCase().includes(low);
    const prompt = isThere ? `(search: ${query}) ` : `(not found: ${query}) `;
    show({ line, cursor: line.length }, prompt);
  }

  function end(shown: Edited): void {
    active = undefined;
    show(shown);
  }

  return {
    press(key) {
      if (active === undefined) {
        if (key !== start) return false;
        active = { before: edited(), query: "", lines: entries(), at: -1 };
        look(0);
      } else if (key === start) look(active.at + 1);
      else if (back.includes(key)) {
        active.query = [...active.query].slice(0, -1).join("");
        active.at = -1;
        look(0);
      } else if (cancel.includes(key)) end(active.before);
      else if (key >= " " && !key.startsWith("\x7f")) {
        active.query += key;
        look(Math.max(0, active.at));
      } else {
        this.leave();
        return false;
      }
      return true;
    },
    leave() {
      if (active !== undefined) end(edited());
    },
  };
}
