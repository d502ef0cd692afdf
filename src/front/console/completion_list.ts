/** The list of what could complete a word. */
import { oneLine } from "../../lib/one_line.ts";
import { shortenToWidth, textWidth } from "../../lib/text_width.ts";
import type { Completion } from "./complete.ts";

const maxRows = 30, maxTextColumns = 48;

/** Lines of at most `columns`: one for each where there are notes, else side by side. */
export function completionList(found: readonly Completion[], columns: number): string {
  return rows(found, columns).map((row) => `${row}\n`).join("");
}

function rows(found: readonly Completion[], columns: number): string[] {
  const shown = found.map(({ text, note = "" }) => ({
    text: oneLine(text),
    note: oneLine(note, 300),
  }));
  const longest = Math.max(...shown.map(({ text }) => textWidth(text)));
  if (shown.every(({ note }) => note === "")) {
    return sideBySide(shown.map(({ text }) => text), longest, columns);
  }
  const wide = Math.min(longest, maxTextColumns);
  const lines = shown.slice(0, maxRows).map(({ text, note }) =>
    shortenToWidth(`  ${padded(text, wide)}  ${note}`.trimEnd(), columns)
  );
  return [...lines, ...left(shown.length - lines.length)];
}

function sideBySide(texts: readonly string[], longest: number, columns: number): string[] {
  const each = longest + 2;
  const perRow = Math.max(1, Math.floor((columns - 2) / each));
  const lines: string[] = [];
  for (let at = 0; at < texts.length && lines.length < maxRows; at += perRow) {
    const row = texts.slice(at, at + perRow).map((text) => padded(text, each)).join("");
    lines.push(shortenToWidth(`  ${row}`.trimEnd(), columns));
  }
  return [...lines, ...left(texts.length - lines.length * perRow)];
}

function left(count: number): string[] {
  return count > 0 ? [`  … ${count} more`] : [];
}

function padded(text: string, columns: number): string {
  return text + " ".repeat(Math.max(0, columns - textWidth(text)));
}
