/** The text that is typed while a turn runs: edited at its end alone. */
import type { Typed } from "./keyboard.ts";

export type DraftEnd = "enter" | "alt_enter";

export interface Draft {
  readonly text: string;
  /** Takes what was typed; calls `finish` for each text that a key ends, which is none of the draft's then. */
  take(typed: Typed, finish: (text: string, end: DraftEnd) => void): void;
  /** Gives the text away. */
  clear(): string;
}

const maxChars = 16 * 1024 * 1024;

/** Keys with a meaning, other sequences and controls, and runs of text. */
const alt = String.raw`\x1b[\r\n]`;
const sequence = String.raw`\x1b(?:\[[0-?]*[ -/]*[@-~]|O[^]|[^\x1b[O])`;
const pieces = new RegExp(
  String.raw`${alt}|${sequence}|\x1b|[\0-\x1f\x7f]|[^\0-\x1f\x7f\x1b]+`,
  "g",
);
// deno-lint-ignore no-control-regex -- what a terminal sends for a key, cut off
const openEscape = /\x1b(?:\[[0-?]*[ -/]*|O)?$/;

export function createDraft(): Draft {
  let text = "", cut = "";

  function add(more: string): void {
    if (text.length + more.length <= maxChars) text += more;
  }

  return {
    get text() {
      return text;
    },
    take(typed, finish) {
      if (typed.kind === "paste") add(typed.text);
      if (typed.kind !== "keys") return;
      // an Escape that nothing follows at once is a key by itself
      const begins = /^[[O\r\n]/.test(typed.text) || cut.length > 1;
      const keys = (begins ? cut : "") + typed.text;
      cut = openEscape.exec(keys)?.[0] ?? "";
      for (const key of keys.slice(0, keys.length - cut.length).match(pieces) ?? []) {
        switch (key) {
          case "\x1b\r":
          case "\x1b\n":
            finish(this.clear(), "alt_enter");
            break;
          case "\x1b[13;2u": // Shift-Enter
          case "\x1b[27;2;13~":
            add("\n");
            break;
          case "\r":
          case "\n":
            if (/(?<!\\)(?:\\\\)*\\$/.test(text)) text = `${text.slice(0, -1)}\n`;
            else finish(this.clear(), "enter");
            break;
          case "\x7f":
          case "\b":
            text = withoutLast(text);
            break;
          case "\x15": // Ctrl-U
            text = text.slice(0, text.lastIndexOf("\n") + 1);
            break;
          case "\x17": // Ctrl-W
            text = text.replace(/[^\s]*[ \t]*$|\n$/, "");
            break;
          default:
            // other keys have no meaning here
            if (key >= " ") add(key);
        }
      }
    },
    clear() {
      const whole = text;
      text = "";
      return whole;
    },
  };
}

function withoutLast(text: string): string {
  const tail = text.slice(-64);
  const last = [...new Intl.Segmenter(undefined, { granularity: "grapheme" }).segment(tail)].at(-1);
  return text.slice(0, text.length - (last?.segment.length ?? 0));
}

/** The text that keys come to. */
export function textOfKeys(keys: string): string {
  const draft = createDraft();
  draft.take({ kind: "keys", text: keys }, () => {});
  return draft.text;
}
