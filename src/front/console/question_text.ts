/** How a command is shown in a question: every character visible, long ones with what is hidden. */
import { visibleExact } from "../../lib/visible.ts";
import type { Style } from "./style.ts";

const maxLines = 40, headLines = 28, tailLines = 8;
const maxLineChars = 1200, headChars = 900, tailChars = 200;

/** The indented text, with notes in `style` where something is left out; only line feeds are obeyed. */
export function questionText(subject: string, style: Pick<Style, "yellow">): string {
  return indented(shorten(visibleExact(subject).split("\n"), style.yellow));
}

export function wholeText(subject: string): string {
  return indented(visibleExact(subject).split("\n"));
}

/** True where `questionText` leaves something out. */
export function hides(subject: string): boolean {
  return questionText(subject, { yellow: (note) => note }) !== wholeText(subject);
}

function indented(lines: readonly string[]): string {
  return lines.map((line) => `  ${line}`).join("\n");
}

type Mark = (note: string) => string;

function shorten(lines: readonly string[], mark: Mark): string[] {
  const folded = foldBlanks(lines, mark).map((line) => shortenLine(line, mark));
  if (folded.length <= maxLines) return folded;
  const hidden = folded.length - headLines - tailLines;
  return [
    ...folded.slice(0, headLines),
    mark(`[... ${hidden} lines hidden here ...]`),
    ...folded.slice(-tailLines),
  ];
}

/** Runs of blank lines must not push the command out of sight. */
function foldBlanks(lines: readonly string[], mark: Mark): string[] {
  const folded: string[] = [];
  for (let at = 0; at < lines.length;) {
    let end = at;
    while (end < lines.length && lines[end]!.trim() === "") end++;
    if (end - at > 2) folded.push(mark(`[... ${end - at} blank lines ...]`));
    else if (end > at) folded.push(...lines.slice(at, end));
    else folded.push(lines[end++]!);
    at = end;
  }
  return folded;
}

function shortenLine(line: string, mark: Mark): string {
  if (line.length <= maxLineChars) return line;
  const hidden = line.length - headChars - tailChars;
  const head = line.slice(0, headChars).toWellFormed(),
    tail = line.slice(-tailChars).toWellFormed();
  return `${head}${mark(`[... ${hidden} characters hidden here ...]`)}${tail}`;
}
