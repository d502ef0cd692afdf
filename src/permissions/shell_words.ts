/** What a word of a shell command becomes before the command runs: quotes gone, escapes read. */
import type { ShellNode } from "../lib/shell_parser.ts";

export interface ShellWord {
  /** The word with expansions left out, or filled in where a value is known. */
  readonly text: string;
  /** False where an expansion decides what it is. */
  readonly exact: boolean;
  /** Unquoted characters of a file name pattern or a brace expansion are in it. */
  readonly pattern: boolean;
  /** Put together from pieces that say nothing on their own: `${x#y}`, `$a$b`. */
  readonly built?: boolean;
}

/** Values of variables that were assigned plainly in the same command. */
export type KnownValues = ReadonlyMap<string, string>;

/** The word at `node`. */
export function wordOf(node: ShellNode, source: string, known: KnownValues): ShellWord {
  const text = source.slice(node.start, node.end);
  switch (node.type) {
    case "word":
    case "number":
    case "special_character":
    case "extglob_pattern":
    case "regex":
      return { text: unescaped(text), exact: true, pattern: /[*?[{]|[!@+]\(/.test(text) };
    case "raw_string":
      return exactly(text.slice(1, -1));
    case "ansi_c_string":
      return exactly(ansiText(text.slice(2, -1)));
    case "string":
    case "translated_string":
      return quoted(node, source, known);
    case "concatenation":
    case "command_name":
      return node.children.length === 0
        ? { text: unescaped(text), exact: true, pattern: /[*?[{]/.test(text) }
        : joined(node.children.map((child) => wordOf(child, source, known)));
    case "simple_expansion":
    case "expansion":
      return expanded(text, known);
    default:
      // punctuation within a concatenation stands for itself
      return node.named
        ? { text: "", exact: false, pattern: false }
        : { text, exact: true, pattern: /[*?[{]/.test(text) };
  }
}

function exactly(text: string): ShellWord {
  return { text, exact: true, pattern: false };
}

function joined(words: readonly ShellWord[]): ShellWord {
  const text = words.map((word) => word.text).join("");
  const open = words.filter((word) => !word.exact);
  // a path is made of expansions often, a plain name hardly ever
  const built = open.some((word) => word.built) || open.length > 1 && text === "";
  return {
    text,
    exact: open.length === 0,
    pattern: words.some((word) => word.pattern),
    ...built && { built },
  };
}

function unescaped(text: string): string {
  return text.replace(/\\\n/g, "").replace(/\\([^])/g, "$1");
}

/** Text between double quotes, with the expansions in it. */
function quoted(node: ShellNode, source: string, known: KnownValues): ShellWord {
  const parts: ShellWord[] = [];
  let at = source.indexOf('"', node.start) + 1;
  const literal = (end: number) =>
    exactly(source.slice(at, end).replace(/\\\n/g, "").replace(/\\(["\\$`])/g, "$1"));
  for (const child of node.children) {
    if (!child.named || child.type === "string_content") continue;
    parts.push(literal(child.start), { ...wordOf(child, source, known), pattern: false });
    at = child.end;
  }
  return joined([...parts, literal(Math.max(at, node.end - 1))]);
}

function expanded(text: string, known: KnownValues): ShellWord {
  const name = /^\$\{?(\w+)\}?$/.exec(text)?.[1];
  const value = name === undefined ? undefined : known.get(name);
  const changed = /^\$\{(\w+)(?::(?![-=+?])|[#%/^,@])/.exec(text)?.[1];
  const built = changed !== undefined && known.has(changed);
  return { text: value ?? "", exact: false, pattern: false, ...built && { built } };
}

/** Inside `$'...'`. */
function ansiText(text: string): string {
  return text.replace(escape, (all: string, hex, short, long, octal, control, single) => {
    const digits = hex ?? short ?? long;
    if (digits) return codeText(parseInt(digits, 16), all);
    if (octal) return codeText(parseInt(octal, 8) & 0xff, all);
    if (control) return String.fromCharCode(control.charCodeAt(0) & 0x1f);
    return letters[single] ?? (/[\\'"?]/.test(single) ? single : all);
  });
}

const escape =
  /\\(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|([0-7]{1,3})|c([^])|([^]))/g;

const letters: Record<string, string> = {
  a: "\x07",
  b: "\b",
  e: "\x1b",
  E: "\x1b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
};

function codeText(code: number, otherwise: string): string {
  return code <= 0x10ffff ? String.fromCodePoint(code) : otherwise;
}

/** What a brace expansion in a word can come to, the word itself where it has none; bounded. */
export function braceVariants(text: string): string[] {
  let variants = [text];
  for (let round = 0; round < 4; round++) {
    const next = variants.flatMap((one) => {
      const brace = /\{([^{}]*,[^{}]*)\}/.exec(one);
      if (brace === null) return [one];
      return brace[1]!.split(",").map((part) => one.replace(brace[0], () => part));
    });
    if (next.length === variants.length || next.length > 64) break;
    variants = next;
  }
  return variants;
}
