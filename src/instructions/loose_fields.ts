/**
 * Owns the reading of front matter lines as people mean them, and the knowledge of which lines
 * YAML reads in the same way.
 */

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
  let certain = indent === null && !/[^\P{C}\n]/u.test(block);
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
  const indents = lines.filter((line) => line.trim() !== "")
    .map((line) => /^[ \t]*/.exec(line)![0].length);
  const indent = Math.min(...indents, 1000);
  const texts = lines.map((line) => line.slice(indent).trimEnd());
  if (style === "|") return texts.join("\n");
  return texts.join("\n").replace(/(\S)\n(?=\S)/g, "$1 ");
}

const simple = /^[A-Za-z0-9]/;
const nestedLine =
  /^ {2}(?:[A-Za-z][\w-]*: |- )(?:[A-Za-z0-9][\w.,/()-]*(?: [\w.,/()-]+)*|"[^"\\]*")$/;

/** Whether YAML is known to read the entry as `read` does, or to refuse the block because of it. */
function isCertain(key: string, value: string, more: readonly string[]): boolean {
  if (more.length > 0 && blockHeader.test(value)) {
    const indent = /^ +/.exec(more[0]!)?.[0];
    return indent !== undefined && /^ [>|]-?$/.test(value) &&
      more.every((line) =>
        line.startsWith(indent) && /^\S(.*\S)?$/.test(line.slice(indent.length))
      );
  }
  const text = value.trim();
  if (!value.startsWith(" ") && text !== "") return false;
  const wanted = key === "name" || key === "description";
  if (more.length > 0) {
    if (text === "") {
      return !wanted && more.every((line) => nestedLine.test(line)) && sameForm(more);
    }
    // A sentence over several lines; a colon or a hash in it makes it YAML's to judge.
    return simple.test(text) && !/:|#/.test(text) && !isWord(text) &&
      more.every((line) => /^ +[A-Za-z0-9(]/.test(line) && !/:|#/.test(line));
  }
  if (text === "") return true;
  if (/^"[^"\\]*"$/.test(text) || /^'[^']*'$/.test(text)) return true;
  if (!wanted && /^\[[\w-]+(, ?[\w-]+)*\]$/.test(text)) return true;
  return simple.test(text) && !text.endsWith(":") && !isWord(text);
}

/** All list items, or all different keys: a mixture is not YAML. */
function sameForm(lines: readonly string[]): boolean {
  const keys = lines.map((line) => /^ {2}(- |[^:]*)/.exec(line)![1]!);
  return keys.every((key) => key === "- ") ||
    (!keys.includes("- ") && new Set(keys).size === keys.length);
}

function isWord(text: string): boolean {
  return /^null$/i.test(text);
}
