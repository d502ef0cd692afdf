/** The rest of a word whose first letter was an answer: `es` after `y` is no text for the next line. */
import type { Typed } from "./keyboard.ts";

export interface RestOfWord {
  /** True where `typed` belongs to the word; what turned out not to is handed to `keep` again. */
  take(typed: Typed): boolean;
  readonly isOpen: boolean;
}

/** Words that a person may write out, by the letter that answers. */
const words: Readonly<Record<string, readonly string[]>> = {
  n: ["no"],
  o: ["once", "ok"],
  p: ["project"],
  s: ["session"],
  v: ["view"],
  y: ["yes"],
};

/** Who pauses that long has ended the word. */
const pauseMs = 600;

export function restOfWord(
  letter: string,
  nowMs: () => number,
  keep: (typed: Typed) => void,
): RestOfWord {
  let rests = (words[letter] ?? []).map((word) => word.slice(1));
  let taken = "", lastMs = nowMs();

  function close(): void {
    rests = [];
    taken = "";
  }

  return {
    get isOpen() {
      return rests.length > 0 && nowMs() - lastMs < pauseMs;
    },
    take(typed) {
      if (!this.isOpen) return false;
      const [, letters, enter] = typed.kind === "keys"
        ? /^([a-z]*)(\r\n?|\n)?$/i.exec(typed.text) ?? []
        : [];
      const left = rests.filter((rest) =>
        letters !== undefined && rest.startsWith(letters.toLowerCase())
      );
      if (left.length === 0) {
        const before = taken;
        close();
        if (before !== "") keep({ kind: "keys", text: before });
        return false;
      }
      lastMs = nowMs();
      taken += letters;
      rests = left.map((rest) => rest.slice(letters!.length));
      if (enter !== undefined) close();
      return true;
    },
  };
}
