/** Guesses why an old text was not found: what in the file comes close to it. */
import { newlinesIn } from "./text_form.ts";

/** One clause that says what nearly matched, and where; text beyond `maxChars` is not looked at. */
export function nearMatch(text: string, old: string): string {
  const near = text.length <= maxChars && old.length <= maxChars ? closest(text, old) : undefined;
  return near ?? "nothing like it is in the file; read the file and copy the text exactly";
}

const maxChars = 4 * 1024 * 1024;

/** From the slightest difference to the largest; each rewrites without moving a line. */
const differences: readonly { name: string; blur: (text: string) => string }[] = [
  {
    name: "only its line endings differ (CRLF and LF)",
    blur: (text) => text.replace(/\r\n/g, "\n"),
  },
  {
    name: "only white space at the ends of lines differs",
    blur: trimLineEnds,
  },
  {
    name: "only indentation and spacing differ",
    blur: (text) => trimLineEnds(text).replace(/^[^\S\n]+/gm, "").replace(/[^\S\n]+/g, " "),
  },
  { name: "only upper and lower case differ", blur: (text) => text.toLowerCase() },
  {
    name: "only the Unicode form of accented letters differs (composed or decomposed)",
    blur: (text) => text.normalize("NFC"),
  },
  {
    name: "only the kind of quotes, dashes or spaces differs",
    blur: (text) =>
      text.normalize("NFC").replace(/[\u2018\u2019]/g, "'").replace(/[\u201c\u201d]/g, '"')
        .replace(/[\u2010-\u2015]/g, "-").replace(/[\u00a0\u2000-\u200a\u202f]/g, " "),
  },
];

/** Not a pattern: one for white space before line ends takes for ever on a long run elsewhere. */
function trimLineEnds(text: string): string {
  return text.split("\n").map((line) => line.trimEnd()).join("\n");
}

function closest(text: string, old: string): string | undefined {
  const unnumbered = old.replace(/^ *\d+\t/gm, "");
  if (unnumbered !== old && unnumbered !== "" && text.includes(unnumbered)) {
    return `${
      at(text, text.indexOf(unnumbered))
    } it matches without the line numbers that read adds`;
  }
  if (old.endsWith("\n") && text.endsWith(old.replace(/\r?\n$/, "")) && !text.endsWith("\n")) {
    const start = text.length - old.replace(/\r?\n$/, "").length;
    return `${at(text, start)} it matches but for the final newline, which the file does not have`;
  }
  for (const { name, blur } of differences) {
    const blurred = blur(text), wanted = blur(old);
    const found = wanted.trim() === "" ? -1 : blurred.indexOf(wanted);
    if (found >= 0) return `${at(blurred, found)} ${name}${excerpt(text, blurred, found, old)}`;
  }
  return partial(text, old);
}

/** The longest run of whole first lines that is in the file. */
function partial(text: string, old: string): string | undefined {
  const wanted = old.split("\n");
  if (wanted.length < 2) return undefined;
  const lines = text.split("\n");
  let best = 0, bestAt = -1;
  for (let start = 0; start < lines.length; start++) {
    let same = 0;
    while (same < wanted.length && same < 200 && lines[start + same] === wanted[same]) same++;
    if (same > best && wanted.slice(0, same).some((line) => line.trim() !== "")) {
      [best, bestAt] = [same, start];
    }
  }
  if (bestAt < 0) return undefined;
  const next = lines[bestAt + best];
  const found = next === undefined ? "the file ends" : `the file has ${quoted(next)}`;
  return `its first ${best} of ${wanted.length} lines match at line ${bestAt + 1}, then ${found} ` +
    `where old_text has ${quoted(wanted[best]!)}`;
}

function at(text: string, index: number): string {
  return `on line ${newlinesIn(text, 0, index) + 1}`;
}

const maxExcerptLines = 40;
const maxExcerptChars = 4000;

/** The file's own lines there, to be copied: tabs stand as tabs; line ends that differ are named. */
function excerpt(text: string, blurred: string, index: number, old: string): string {
  const first = newlinesIn(blurred, 0, index);
  const count = old.replace(/\r?\n$/, "").split("\n").length;
  const lines = text.split("\n").slice(first, first + Math.min(count, maxExcerptLines));
  const shown = lines.map((line) => line.replace(/\r$/, "")).join("\n");
  const cut = shown.length > maxExcerptChars
    ? `${shown.slice(0, maxExcerptChars).toWellFormed()}...`
    : shown;
  const more = count > maxExcerptLines ? `\n[${count - maxExcerptLines} more lines]` : "";
  const differs = `${indentation(lines, old)}${lineEnds(lines, old)}`;
  return count === 1
    ? `${differs}: the file has ${quoted(lines[0]!)}`
    : `${differs}; the file has:\n${cut}${more}`;
}

/** Which of tabs and spaces stand where, in case they are not the same. */
function indentation(lines: readonly string[], old: string): string {
  const usedBy = (all: readonly string[]) => {
    const starts = all.map((line) => /^[ \t]*/.exec(line)![0]).join("");
    const tabs = starts.includes("\t"), spaces = starts.includes(" ");
    return tabs && spaces ? "tabs and spaces" : tabs ? "tabs" : spaces ? "spaces" : "nothing";
  };
  const inFile = usedBy(lines), inOld = usedBy(old.split("\n"));
  return inFile === inOld ? "" : ` (the file indents with ${inFile}, old_text with ${inOld})`;
}

/** How the lines end, in case old_text has them otherwise. */
function lineEnds(lines: readonly string[], old: string): string {
  const nameOf = (all: readonly string[]) => {
    const crlf = all.filter((line) => line.endsWith("\r")).length;
    return crlf === 0 ? "LF" : crlf === all.length ? "CRLF" : "CRLF and LF mixed";
  };
  const inFile = nameOf(lines), inOld = nameOf(old.split("\n").slice(0, -1));
  if (inFile === inOld || !old.includes("\n")) return "";
  return inFile === "CRLF and LF mixed"
    ? ` (in the file ${lines.map((line) => line.endsWith("\r") ? "CRLF" : "LF").join(", ")})`
    : ` (${inFile} in the file, ${inOld} in old_text)`;
}

function quoted(line: string): string {
  return JSON.stringify(line.length <= 200 ? line : `${line.slice(0, 200).toWellFormed()}...`);
}
