/** Owns how a command stands in a question: every character shown, long ones with what is hidden. */
import { visibleExact } from "../../lib/visible.ts";

const maxLines = 40, headLines = 28, tailLines = 8;
const maxLineChars = 1200, headChars = 900, tailChars = 200;

/** The indented text, whole or shortened; only line feeds are obeyed. */
export function questionText(subject: string, whole: boolean): string {
  const lines = visibleExact(subject).split("\n");
  return (whole ? lines : shorten(lines)).map((line) => `  ${line}`).join("\n");
}

/** True where the shortened text leaves something out. */
export function hides(subject: string): boolean {
  return questionText(subject, false) !== questionText(subject, true);
}

function shorten(lines: readonly string[]): string[] {
  const folded = foldBlanks(lines).map(shortenLine);
  if (folded.length <= maxLines) return folded;
  const hidden = folded.length - headLines - tailLines;
  return [
    ...folded.slice(0, headLines),
    `[... ${hidden} lines hidden here ...]`,
    ...folded.slice(-tailLines),
  ];
}

/** Runs of blank lines must not push the command out of sight. */
function foldBlanks(lines: readonly string[]): string[] {
  const folded: string[] = [];
  for (let at = 0; at < lines.length;) {
    let end = at;
    while (end < lines.length && lines[end]!.trim() === "") end++;
    if (end - at > 2) folded.push(`[... ${end - at} blank lines ...]`);
    else if (end > at) folded.push(...lines.slice(at, end));
    else folded.push(lines[end++]!);
    at = end;
  }
  return folded;
}

function shortenLine(line: string): string {
  if (line.length <= maxLineChars) return line;
  const hidden = line.length - headChars - tailChars;
  const head = line.slice(0, headChars).toWellFormed(),
    tail = line.slice(-tailChars).toWellFormed();
  return `${head}[... ${hidden} characters hidden here ...]${tail}`;
}
