/** Breaks a text into lines at its blanks. */
import { textWidth } from "./text_width.ts";

/** Lines of at most `columns`, but for words that are longer; none for a blank text. */
export function wrapped(text: string, columns: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(/\s+/)) {
    if (word === "") continue;
    const longer = line === "" ? word : `${line} ${word}`;
    if (line !== "" && textWidth(longer) > columns) {
      lines.push(line);
      line = word;
    } else line = longer;
  }
  return line === "" ? lines : [...lines, line];
}
