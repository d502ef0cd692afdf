/** JSON with comments and trailing commas: reading it, and changing it without losing comments. */
import {
  applyEdits,
  findNodeAtLocation,
  modify,
  type Node,
  type ParseError,
  type ParseOptions,
  parseTree,
  printParseErrorCode,
  visit,
} from "jsonc-parser";
import { setKey } from "./set_key.ts";

/** Plain JSON; the same type as in core, which this room cannot import. */
export type JsoncValue =
  | null
  | boolean
  | number
  | string
  | JsoncValue[]
  | { [key: string]: JsoncValue };

export interface JsoncProblem {
  readonly message: string;
  /** From 1. */
  readonly line: number;
  /** From 1, in UTF-16 units. */
  readonly column: number;
}

const maxProblems = 10;

/**
 * Reads JSON that may hold comments and trailing commas; a byte order mark is skipped. The
 * first problems are given, in the order of the text. For texts that are mostly strict JSON `lenient_json.ts` is quicker.
 */
export function parseJsonc(
  text: string,
): { readonly value: JsoncValue } | { readonly problems: readonly JsoncProblem[] } {
  const body = text.startsWith("\ufeff") ? text.slice(1) : text;
  try {
    const errors = firstErrors(body, { allowTrailingComma: true, disallowComments: false });
    if (errors.length > 0) return { problems: errors.map((error) => problemAt(body, error)) };
    const root = parseTree(body, [], { allowTrailingComma: true, disallowComments: false });
    return root === undefined ? { problems: [] } : { value: valueOf(root) };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return { problems: [{ message: "nested too deeply", line: 1, column: 1 }] };
  }
}

/** Text that is no JSON at all has as many errors as words, so that few of them are looked for. */
function firstErrors(text: string, options: ParseOptions): ParseError[] {
  const errors: ParseError[] = [];
  const enough = new Error("enough");
  try {
    visit(text, {
      onError(error, offset, length) {
        errors.push({ error, offset, length });
        if (errors.length === maxProblems) throw enough;
      },
    }, options);
  } catch (error) {
    if (error !== enough) throw error;
  }
  return errors;
}

/**
 * The first thing that keeps `text` from being one strict JSON value, with what follows it;
 * undefined where the strict grammar has no complaint.
 */
export function firstJsonProblem(
  text: string,
): JsoncProblem & { readonly kind: "second_value" | "syntax" } | undefined {
  let errors: ParseError[];
  try {
    errors = firstErrors(text, { allowTrailingComma: false, disallowComments: true });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return { kind: "syntax", message: "nested too deeply", line: 1, column: 1 };
  }
  const [first] = errors;
  if (first === undefined) return undefined;
  const kind = printParseErrorCode(first.error) === "EndOfFileExpected" ? "second_value" : "syntax";
  return { kind, ...problemAt(text, first) };
}

/**
 * `text` with the value at `path` set, or removed where `value` is undefined. Comments, key order
 * and the file's way of indenting stay. `text` must be readable by `parseJsonc`, or be empty.
 */
export function setJsoncValue(
  text: string,
  path: readonly (string | number)[],
  value: JsoncValue | undefined,
): string {
  const mark = text.startsWith("\ufeff") ? "\ufeff" : "";
  const body = text.slice(mark.length);
  const base = body.trim() === "" ? "{}\n" : body;
  const edits = modify(base, [...path], value, {
    formattingOptions: { ...indentationOf(base), eol: base.includes("\r\n") ? "\r\n" : "\n" },
  });
  return mark + applyEdits(base, edits);
}

function valueOf(node: Node): JsoncValue {
  switch (node.type) {
    case "object": {
      const result: { [key: string]: JsoncValue } = {};
      for (const property of node.children ?? []) {
        const [key, value] = property.children ?? [];
        if (key === undefined || value === undefined) continue;
        setKey(result, String(key.value), valueOf(value));
      }
      return result;
    }
    case "array":
      return (node.children ?? []).map(valueOf);
    default:
      return node.value as JsoncValue;
  }
}

function problemAt(text: string, error: ParseError): JsoncProblem {
  const before = text.slice(0, error.offset);
  const lineStart = before.lastIndexOf("\n") + 1;
  return {
    message: sentences[printParseErrorCode(error.error)] ?? "is not valid JSON",
    line: before.split("\n").length,
    column: error.offset - lineStart + 1,
  };
}

const sentences: Record<string, string> = {
  InvalidSymbol: "expected a JSON value",
  InvalidNumberFormat: "expected a number in JSON's form",
  PropertyNameExpected: "expected a key in double quotes",
  ValueExpected: "expected a value",
  ColonExpected: 'expected ":"',
  CommaExpected: 'expected ","',
  CloseBraceExpected: 'expected "}"',
  CloseBracketExpected: 'expected "]"',
  EndOfFileExpected: "expected nothing after the value",
  InvalidCommentToken: "expected no comment",
  UnexpectedEndOfComment: "expected the end of the comment",
  UnexpectedEndOfString: "expected the end of the string",
  UnexpectedEndOfNumber: "expected the rest of the number",
  InvalidUnicode: "expected four hexadecimal digits after \\u",
  InvalidEscapeCharacter: "expected a known escape after \\",
  InvalidCharacter: "expected no control character in a string",
};

function indentationOf(text: string): { insertSpaces: boolean; tabSize: number } {
  const indent = /^([ \t]+)["\]}]/m.exec(text)?.[1];
  if (indent === undefined) return { insertSpaces: true, tabSize: 2 };
  return indent.includes("\t")
    ? { insertSpaces: false, tabSize: 1 }
    : { insertSpaces: true, tabSize: indent.length };
}

/** The line of the key at `path`, from 1; undefined where the text does not hold it. */
export function lineOfKey(text: string, path: readonly (string | number)[]): number | undefined {
  const body = text.startsWith("\ufeff") ? text.slice(1) : text;
  const root = parseTree(body, [], { allowTrailingComma: true, disallowComments: false });
  const node = root === undefined ? undefined : findNodeAtLocation(root, [...path]);
  const offset = node?.parent?.type === "property" ? node.parent.offset : node?.offset;
  return offset === undefined ? undefined : body.slice(0, offset).split("\n").length;
}
