/** Reads the text of simple shell commands: words without quotes, assignments, redirections. */

/** Stands in a word's text for the value of a variable, and in a text for a here document. */
export const unknown = "\0", hereMark = "\ue000";

export interface ShellWord {
  /** Without quotes and escapes. */
  readonly text: string;
  readonly source: string;
  /** True where unquoted braces, or a file name pattern, make other words of it. */
  readonly braces: boolean;
  readonly pattern: boolean;
}

/** A word that the text does not have. */
export const hole: ShellWord = { text: unknown, source: "", braces: true, pattern: true };

/** True for a word that is the same in every run. */
export function isFixed({ text, braces, pattern }: ShellWord): boolean {
  return !braces && !pattern && !text.includes(unknown);
}

/** The last part of a path, as the name of a program. */
export function baseName(path: string): string {
  return path.slice(path.search(/[^/\\]*$/)).toLowerCase().replace(/\.exe$/, "");
}

export interface SimpleCommand {
  /** `NAME=value` in front of the program. */
  readonly assignments: readonly ShellWord[];
  /** The program and its arguments. */
  readonly words: readonly ShellWord[];
  /** Where its input comes from, and the files that its output goes to. */
  readonly inputs: readonly ShellWord[];
  readonly targets: readonly ShellWord[];
}

const variable = String.raw`\$(?:[A-Za-z_]\w*|[\d@*#?!$-]|\{\w+\})`;
const dollar = String.raw`\$(?![\w@*#?!$\-{(\[])`;
const piece = new RegExp(
  String.raw`'([^']*)'|\$'((?:[^'\\]|\\[^])*)'|"((?:[^"\\\x60$]|\\[^]|${variable}|${dollar})*)"|` +
    String.raw`\\([^])|${variable}|(${dollar}(?!['"])|[^\s'"\x60$\\<>|&;()\x00-\x1f\x7f]+)`,
  "y",
);
const inDoubleQuotes = new RegExp(String.raw`\\(\n|["\\\x60$])|${variable}`, "g");
const between = /(?:[ \t]|\\\n)*((?:\d*(?:<<<|<>|<&|>&|>>|>\||<|>)|&>>?)(?:[ \t]|\\\n)*)?/y;

/** Undefined where `text` is more than words of quotes and variables, and redirections. */
export function readSimpleCommand(text: string): SimpleCommand | undefined {
  const assignments: ShellWord[] = [], words: ShellWord[] = [];
  const inputs: ShellWord[] = [], targets: ShellWord[] = [];
  for (let at = 0; at < text.length;) {
    between.lastIndex = at;
    const [skipped = "", operator = ""] = between.exec(text) ?? [];
    at += skipped.length;
    if (at === text.length && operator === "") break;
    const word = text[at] === "#" ? undefined : readWord(text, at);
    if (word === undefined) return undefined;
    at += word.source.length;
    if (operator.includes("<")) inputs.push(word);
    if (operator.includes(">")) targets.push(word);
    const isAssignment = words.length === 0 && /^[A-Za-z_]\w*\+?=/.test(word.source);
    if (operator === "") (isAssignment ? assignments : words).push(word);
  }
  return { assignments, words, inputs, targets };
}

function readWord(source: string, start: number): ShellWord | undefined {
  let text = "", bare = "", end = start;
  piece.lastIndex = start;
  for (let found = piece.exec(source); found !== null; found = piece.exec(source)) {
    const [, single, ansi, double, escaped, plain] = found;
    text += single ?? (ansi === undefined ? undefined : unescaped(ansi)) ??
      double?.replace(inDoubleQuotes, (_, one?: string) => one?.replace("\n", "") ?? unknown) ??
      escaped?.replace("\n", "") ?? plain ?? unknown;
    bare += plain ?? "";
    end = piece.lastIndex;
  }
  const braces = /\{[^]*(?:,|\.\.)/.test(bare), pattern = /[*?[]/.test(bare);
  return end === start ? undefined : { text, source: source.slice(start, end), braces, pattern };
}

/** Text with the escapes of `$'...'` read; other letters than `n` become a blank. */
export function unescaped(text: string): string {
  const escape =
    /\\(?:x([\da-fA-F]{1,2})|u([\da-fA-F]{1,4})|U([\da-fA-F]{1,8})|0?([0-7]{1,3})|([^]))/g;
  return text.replace(escape, (_, hex, short, long, octal, one?: string) => {
    if (one !== undefined) return one === "n" ? "\n" : /[a-z]/i.test(one) ? " " : one;
    const code = octal ? parseInt(octal, 8) & 0xff : parseInt(hex ?? short ?? long, 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : " ";
  });
}

const hereDocument =
  /(?<!<)<<(-?)[ \t]*(?:([\w.-]+)|\\([\w.-]+)|'([\w.-]+)'|"([\w.-]+)")(?=[\s;&|<>)])((?:[^'"\\\n]|'[^'\n]*'|"(?:[^"\\\n]|\\[^\n])*"|\\[^\n]){0,300})\n/g;
const maxDocuments = 20;

/**
 * The text without its here documents: `<` and the mark stand for each. Those that hold more than
 * variables stay, and so does what only looks like one where no end follows; one within quotes
 * leaves a mark that is no redirection.
 */
export function withoutHereDocuments(text: string): string {
  hereDocument.lastIndex = 0;
  for (let round = 0; round < maxDocuments; round++) {
    const found = hereDocument.exec(text);
    if (found === null) break;
    const [, tabs, open, escaped, single, double, rest] = found, start = hereDocument.lastIndex;
    const name = (open ?? escaped ?? single ?? double)!.replaceAll(".", "\\.");
    const last = new RegExp(`^${tabs && "\\t*"}${name}(?:\\n|(?![^]))`, "mg");
    last.lastIndex = start;
    const inside = text.slice(start, last.exec(text)?.index).replace(/\\[^\n]|\$\{\w+\}/g, "");
    if (last.lastIndex === 0 || open !== undefined && /[`\\]|\$[({[]/.test(inside)) continue;
    text = `${text.slice(0, found.index)}<${hereMark}${rest}\n${text.slice(last.lastIndex)}`;
    hereDocument.lastIndex = found.index + 2;
  }
  return text;
}
