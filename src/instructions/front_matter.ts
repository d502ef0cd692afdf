/** Front matter: where it ends, and its text fields as YAML or as its writer meant them. */
import { type LooseField, readLoosely } from "./loose_fields.ts";

export interface FrontMatter {
  /** Top-level fields that hold text; a missing or empty one is absent. */
  readonly fields: ReadonlyMap<string, string>;
  /** Line of each top-level field in the file, from 1, empty ones included. */
  readonly lines: ReadonlyMap<string, number>;
  /** What its writer should know, with the line in the file. */
  readonly notes: readonly { readonly line: number; readonly message: string }[];
}

export type SplitText =
  | {
    readonly kind: "split";
    readonly block: string;
    /** Line of the file on which `block` starts, from 1. */
    readonly firstLine: number;
    readonly body: string;
  }
  | { readonly kind: "none"; readonly body: string }
  /** It starts like front matter, but no closing `---` follows. */
  | { readonly kind: "unclosed"; readonly line: number };

/** Takes text with LF line ends apart. */
export function splitFrontMatter(text: string): SplitText {
  const opening = /^(?:[ \t]*\n)*---[ \t]*(?:\n|$)/.exec(text);
  if (opening === null) return { kind: "none", body: text };
  const firstLine = opening[0].split("\n").length;
  const rest = text.slice(opening[0].length);
  const closing = /^(?:---|\.\.\.)[ \t]*(?:\n|$)/m.exec(rest);
  if (closing === null) return { kind: "unclosed", line: firstLine - 1 };
  return {
    kind: "split",
    block: rest.slice(0, closing.index),
    firstLine,
    body: rest.slice(closing.index + closing[0].length),
  };
}

/** Longer blocks are read as plain lines: the parser takes time beyond proportion for some. */
const maxYamlChars = 16 * 1024;

/**
 * The text fields of a front matter block. The YAML parser decides, and is loaded only where the
 * plain reading of lines is not certain to agree with it. What YAML refuses (`a: b: c`, tabs) or
 * would cut (` #`) is taken as it is written, so that no description is lost.
 */
export async function readFrontMatter(block: string, firstLine: number): Promise<FrontMatter> {
  const loose = readLoosely(block);
  if (loose.certain || block.length > maxYamlChars) {
    return result(loose.fields, new Map(), firstLine);
  }
  const { readYamlMap } = await import("../lib/yaml.ts");
  const yaml = readYamlMap(block);
  if (yaml.kind === "map") return result(loose.fields, yaml.values, firstLine);
  const { line, message } = yaml;
  return result(loose.fields, new Map(), firstLine, { line: line + firstLine - 1, message });
}

/** Front matter that needs no YAML parser, or undefined. The same as `readFrontMatter` gives. */
export function readPlainFrontMatter(block: string, firstLine: number): FrontMatter | undefined {
  const loose = readLoosely(block);
  return loose.certain ? result(loose.fields, new Map(), firstLine) : undefined;
}

function result(
  loose: ReadonlyMap<string, LooseField>,
  yaml: ReadonlyMap<string, unknown>,
  firstLine: number,
  invalid?: { line: number; message: string },
): FrontMatter {
  const fields = new Map<string, string>();
  const lines = new Map<string, number>();
  const notes: { line: number; message: string }[] = [];
  for (const key of new Set([...loose.keys(), ...yaml.keys()])) {
    const written = loose.get(key);
    const value = yaml.get(key);
    if (written !== undefined) lines.set(key, written.line + firstLine - 1);
    const text = textOf(written, value, yaml.has(key)).trim();
    if (text !== "") fields.set(key, text);
    if (written?.comment === true) {
      const line = written.line + firstLine - 1;
      notes.push({
        line,
        message: `${key}: YAML would drop the text from " #" on; quote the value`,
      });
    }
  }
  if (invalid !== undefined && fields.size === 0) notes.push(invalid);
  return { fields, lines, notes };
}

function textOf(written: LooseField | undefined, value: unknown, known: boolean): string {
  if (written?.comment === true) return written.text;
  if (typeof value === "string") return value;
  if (known && value === null) return "";
  // Numbers, words like `true`, and lists or maps that were meant as a sentence.
  return written?.text ?? (value === undefined ? "" : String(value));
}
