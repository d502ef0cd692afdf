/** Reads front matter lines as people mean them, and knows which lines YAML reads in the same way. */

import { isCertain } from "./certain_yaml.ts";

export interface LooseField {
  readonly text: string;
  /** Line of its key in the block, from 1. */
  readonly line: number;
  /** True where YAML would take the end of an unquoted value for a comment. */
  readonly comment: boolean;
}

export interface LooseFields {
  readonly fields: ReadonlyMap<string, LooseField>;
  /** True where YAML gives the same text for every field, or refuses the block as a whole. */
  readonly certain: boolean;
}

/** The top-level fields of `block`, which has LF line ends. */
export function readLoosely(block: string): LooseFields {
  const lines = block.split("\n");
  const indent = /^[ \t]+(?=[\w"'-]+[ \t]*:)/.exec(lines.find((line) => line.trim() !== "") ?? "");
  const level = indent === null
    ? lines
    : lines.map((line) => line.startsWith(indent[0]) ? line.slice(indent[0].length) : line);
  const fields = new Map<string, LooseField>();
  // JavaScript's white space is wider than YAML's; tabs and invisible characters are YAML's to judge.
  let certain = indent === null &&
    (/^[\n -~]*$/.test(block) || !/[^\P{C}\n]|[^\S \n]/u.test(block));
  for (let at = 0; at < level.length;) {
    const entry = /^(["']?)([\w-]+)\1[ \t]*:(.*)$/.exec(level[at]!);
    if (entry === null) {
      if (!/^(#.*)?$/.test(level[at]!)) certain = false;
      at++;
      continue;
    }
    let next = at + 1;
    while (next < level.length && belongs(level[next]!)) next++;
    const [, quote, key, value] = entry as unknown as [string, string, string, string];
    const more = withoutBlankEnd(level.slice(at + 1, next));
    certain &&= quote === "" && /^[A-Za-z]/.test(key) && !fields.has(key) &&
      isCertain(key, value, more);
    fields.set(key, { ...read(value, more), line: at + 1 });
    at = next;
  }
  return { fields, certain };
}

/** Whether a line continues the field above it: indented, blank, or no key of its own. */
function belongs(line: string): boolean {
  return /^([ \t]|$)/.test(line) || !/^(#|["']?[\w-]+["']?[ \t]*:)/.test(line);
}

function withoutBlankEnd(lines: string[]): string[] {
  let end = lines.length;
  while (end > 0 && lines[end - 1]!.trim() === "") end--;
  return lines.slice(0, end);
}

const blockHeader = /^[ \t]+([>|])[-+\d]{0,2}[ \t]*(?:#.*)?$/;

function read(value: string, more: string[]): { text: string; comment: boolean } {
  const header = blockHeader.exec(value);
  if (header !== null) return { text: readBlock(header[1]!, more), comment: false };
  const text = [value, ...more].map((line) => line.trim()).filter((line) => line !== "").join(" ");
  const quote = text[0];
  if (quote !== '"' && quote !== "'") return { text, comment: /(^|[ \t])#/.test(text) };
  const closed = text.length > 1 && text.endsWith(quote);
  if (!closed) return { text, comment: false };
  const inner = text.slice(1, -1);
  return {
    text: quote === "'"
      ? inner.replaceAll("''", "'")
      // Only where YAML refuses the whole block: other backslashes are meant as they stand.
      : inner.replace(/\\(["\\])/g, "$1"),
    comment: false,
  };
}

function readBlock(style: string, lines: string[]): string {
  const indent = lines.filter((line) => line.trim() !== "")
    .reduce((least, line) => Math.min(least, /^[ \t]*/.exec(line)![0].length), 1000);
  const texts = lines.map((line) => line.slice(indent).trimEnd());
  if (style === "|") return texts.join("\n");
  return texts.join("\n").replace(/(\S)\n(\n*)(?=\S)/g, (_, end, blank) => end + (blank || " "));
}
