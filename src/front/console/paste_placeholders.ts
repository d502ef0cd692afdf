/** Long texts in the input line: a short mark stands for each until the line is sent. */

export interface PastePlaceholders {
  /** `text` itself where it fits into an input line, else a mark for it. */
  shorten(text: string): string;
  /** The line with every mark replaced by its text. */
  expand(line: string): string;
}

const maxLines = 8;
const maxChars = 1000;
/** Kept for history that may still be called up. */
const maxHeld = 1000;
const maxHeldChars = 64 * 1024 * 1024;

export function pastePlaceholders(): PastePlaceholders {
  const texts = new Map<string, string>();
  let count = 0, heldChars = 0;
  return {
    shorten(text) {
      const lines = text.split("\n").length;
      // what a terminal would obey must not be echoed
      if (lines <= maxLines && text.length <= maxChars && !/(?![\n\t])\p{Cc}/u.test(text)) {
        return text;
      }
      const size = lines > 1 ? `${lines} lines` : `${text.length} characters`;
      const mark = `[text ${++count}: ${size}]`;
      texts.set(mark, text);
      heldChars += text.length;
      for (const [oldest, { length }] of texts) {
        if (oldest === mark || (texts.size <= maxHeld && heldChars <= maxHeldChars)) break;
        texts.delete(oldest);
        heldChars -= length;
      }
      return mark;
    },
    expand: (line) =>
      line.replace(/\[text \d+: \d+ (?:lines|characters)\]/g, (mark) => texts.get(mark) ?? mark),
  };
}
