/** Writes a pattern's tree as JavaScript's regular expressions. */
import { type CharSet, complementOf, sizeOf, withoutNewline } from "./char_set.ts";
import type { PatternNode } from "./tree.ts";

/**
 * The pattern for whole texts of many lines: no part of it takes a LF, and starts and ends are those of
 * lines. With `m` only LF may end a line in the text; without it CR and U+2028 may occur as well.
 */
export function toRegExp(tree: PatternNode, onlyLf: boolean): RegExp {
  return new RegExp(write(tree, onlyLf), onlyLf ? "gmu" : "gu");
}

/** True where only LF ends a line, as far as JavaScript's `m` flag is concerned. */
export function hasOnlyLf(text: string): boolean {
  return !text.includes("\r") && !text.includes("\u2028") && !text.includes("\u2029");
}

function write(node: PatternNode, onlyLf: boolean): string {
  switch (node.kind) {
    case "set":
      return writeSet(node.set);
    case "sequence":
      return node.items.map((item) => write(item, onlyLf)).join("");
    case "choice":
      return `(?:${node.options.map((option) => write(option, onlyLf)).join("|")})`;
    case "group":
      return `(${node.capture === undefined ? "?:" : ""}${write(node.body, onlyLf)})`;
    case "repeat":
      return writeRepeat(node, onlyLf);
    case "assertion":
      switch (node.at) {
        case "start":
          return onlyLf ? "^" : "(?<![^\\n])";
        case "end":
          return onlyLf ? "$" : "(?![^\\n])";
        case "boundary":
          return "\\b";
        case "inside":
          return "\\B";
      }
      break;
    case "look":
      return `(?${node.ahead ? "" : "<"}${node.negative ? "!" : "="}${write(node.body, onlyLf)})`;
    case "backreference":
      // Grouped, so that a digit after it stays a digit.
      return `(?:\\${node.group})`;
  }
}

function writeRepeat(node: Extract<PatternNode, { kind: "repeat" }>, onlyLf: boolean): string {
  const body = write(node.body, onlyLf);
  const atom = node.body.kind === "set" || node.body.kind === "group" ? body : `(?:${body})`;
  return `${atom}${writeBounds(node.min, node.max)}${node.mode === "lazy" ? "?" : ""}`;
}

function writeBounds(min: number, max: number): string {
  if (max === Infinity) return min === 0 ? "*" : min === 1 ? "+" : `{${min},}`;
  if (min === 0 && max === 1) return "?";
  return min === max ? `{${min}}` : `{${min},${max}}`;
}

export function writeSet(set: CharSet): string {
  const [only] = set;
  if (only && set.length === 1 && only[0] === only[1]) return writeChar(only[0]);
  const others = withoutNewline(complementOf(set));
  const negated = sizeOf(set) > sizeOf(others);
  const ranges = (negated ? others : set).map(([from, to]) =>
    from === to ? writeChar(from) : `${writeChar(from)}-${writeChar(to)}`
  );
  return negated ? `[^${ranges.join("")}\\n]` : `[${ranges.join("")}]`;
}

function writeChar(code: number): string {
  const char = String.fromCodePoint(code);
  return /^[0-9A-Za-z_ ]$/.test(char) ? char : `\\u{${code.toString(16)}}`;
}
