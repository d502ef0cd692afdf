/** Bold and code within a line of Markdown: the marks stay, dimmed. */
import type { Style } from "./style.ts";

type MarkStyle = Pick<Style, "bold" | "dim" | "cyan">;

export interface InlineMarks {
  /** One word, or words that belong together, in colours. */
  word(text: string): string;
  /** A new line: nothing reaches across it. */
  newLine(heading: boolean): void;
}

export function inlineMarks(style: MarkStyle): InlineMarks {
  let bold = false, heading = false;
  const plain = (text: string) => text === "" ? "" : bold || heading ? style.bold(text) : text;

  /** Whether the `**` at `at` begins or ends bold text. */
  function toggles(text: string, at: number): boolean {
    const before = text[at - 1], after = text[at + 2];
    if (before === "\\") return false;
    if (bold) return before !== undefined;
    return after !== undefined && after !== "*" &&
      (before === undefined || !/[\p{L}\p{N}*]/u.test(before));
  }

  return {
    newLine(isHeading) {
      bold = false;
      heading = isHeading;
    },
    word(text) {
      if (heading && /^#+$/.test(text)) return style.dim(text);
      let shown = "", from = 0;
      const marks = /(`+)(?!`)([^]*?[^`])\1(?!`)|\*\*/g;
      for (let found = marks.exec(text); found !== null; found = marks.exec(text)) {
        const [whole, ticks, code = ""] = found;
        if (ticks === undefined && !toggles(text, found.index)) continue;
        shown += plain(text.slice(from, found.index));
        from = found.index + whole.length;
        if (ticks === undefined) {
          shown += style.dim(whole);
          bold = !bold;
        } else shown += style.dim(ticks) + style.cyan(code) + style.dim(ticks);
      }
      return shown + plain(text.slice(from));
    },
  };
}
