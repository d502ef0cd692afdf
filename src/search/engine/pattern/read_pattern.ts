/**
 * Reads the part of PCRE's syntax that is certain to mean the same everywhere. Everything else, down to
 * the least doubt, is not read: PCRE2 itself takes such patterns.
 */
import { anyChar, withoutNewline } from "./char_set.ts";
import { type Cursor, folded, peek, rest, Uncertain } from "./cursor.ts";
import { readClass } from "./read_class.ts";
import { readCharEscape } from "./read_escape.ts";
import type { PatternNode } from "./tree.ts";

const maxPatternChars = 2000;
const maxDepth = 50;
const maxRepeat = 200;

/** The tree of `pattern`; undefined where it is not certain what it means. */
export function readPattern(pattern: string, caseInsensitive: boolean): PatternNode | undefined {
  if (pattern.length > maxPatternChars || !pattern.isWellFormed()) return undefined;
  const flags = /^\(\?([ims]+)\)/.exec(pattern);
  const cursor: Cursor = {
    chars: [...pattern.slice(flags?.[0].length ?? 0)],
    at: 0,
    caseInsensitive: caseInsensitive || (flags?.[1]?.includes("i") ?? false),
    captures: 0,
    names: new Set(),
  };
  try {
    const tree = readChoice(cursor, 0);
    return cursor.at === cursor.chars.length ? tree : undefined;
  } catch (error) {
    if (error instanceof Uncertain) return undefined;
    throw error;
  }
}

function readChoice(cursor: Cursor, depth: number): PatternNode {
  if (depth > maxDepth) throw new Uncertain();
  const options = [readSequence(cursor, depth)];
  while (peek(cursor) === "|") {
    cursor.at++;
    options.push(readSequence(cursor, depth));
  }
  return options.length === 1 ? options[0]! : { kind: "choice", options };
}

function readSequence(cursor: Cursor, depth: number): PatternNode {
  const items: PatternNode[] = [];
  for (let char; (char = peek(cursor)) !== undefined && char !== "|" && char !== ")";) {
    items.push(readRepeat(cursor, readAtom(cursor, depth)));
  }
  return items.length === 1 ? items[0]! : { kind: "sequence", items };
}

function readAtom(cursor: Cursor, depth: number): PatternNode {
  const char = cursor.chars[cursor.at++]!;
  switch (char) {
    case "(":
      return readGroup(cursor, depth);
    case "[":
      return { kind: "set", set: withoutNewline(readClass(cursor)) };
    case ".":
      return { kind: "set", set: anyChar };
    case "^":
      return { kind: "assertion", at: "start" };
    case "$":
      return { kind: "assertion", at: "end" };
    case "\\":
      return readEscape(cursor);
    case "*":
    case "+":
    case "?":
      throw new Uncertain();
    case "{":
      // PCRE's versions disagree about `{,3}` and `{ 1 }`; anything else is an ordinary brace.
      if (/^\s*\d*\s*(?:,\s*\d*\s*)?\}/.test(rest(cursor, 40))) throw new Uncertain();
      return literal(cursor, char);
    default:
      return literal(cursor, char);
  }
}

function readRepeat(cursor: Cursor, body: PatternNode): PatternNode {
  const bounds = readBounds(cursor);
  if (!bounds) return body;
  if (body.kind === "assertion" || body.kind === "look") throw new Uncertain();
  const [min, max] = bounds;
  if (min > max || min > maxRepeat || (max !== Infinity && max > maxRepeat)) throw new Uncertain();
  const suffix = peek(cursor);
  const mode = suffix === "?" ? "lazy" : suffix === "+" ? "possessive" : "greedy";
  if (mode !== "greedy") cursor.at++;
  // `a**` and the like are errors or surprises.
  if (/^(?:[*+?]|\{\s*[\d,])/.test(rest(cursor, 40))) throw new Uncertain();
  return { kind: "repeat", body, min, max, mode };
}

function readBounds(cursor: Cursor): [min: number, max: number] | undefined {
  const char = peek(cursor);
  if (char === "*" || char === "+" || char === "?") {
    cursor.at++;
    return char === "*" ? [0, Infinity] : char === "+" ? [1, Infinity] : [0, 1];
  }
  if (char !== "{") return undefined;
  const counted = /^\{(\d{1,5})(?:(,)(\d{0,5}))?\}/.exec(rest(cursor, 40));
  if (!counted) return undefined;
  cursor.at += counted[0].length;
  const min = Number(counted[1]);
  return [min, counted[2] === undefined ? min : counted[3] ? Number(counted[3]) : Infinity];
}

function readGroup(cursor: Cursor, depth: number): PatternNode {
  const opening = /^\?(?:[:>=!]|<[=!]|P?<([A-Za-z_]\w{0,30})>)/.exec(rest(cursor, 40));
  // `(*` starts a verb, `(?` anything else a construct that is left to PCRE2.
  if (!opening && (peek(cursor) === "?" || peek(cursor) === "*")) throw new Uncertain();
  cursor.at += opening?.[0].length ?? 0;
  const kind = opening?.[0] ?? "(";
  const name = opening?.[1];
  if (name !== undefined) {
    if (cursor.names.has(name)) throw new Uncertain();
    cursor.names.add(name);
  }
  const capture = kind === "(" || name !== undefined ? ++cursor.captures : undefined;
  const body = readChoice(cursor, depth + 1);
  if (cursor.chars[cursor.at++] !== ")") throw new Uncertain();
  if (/[=!]$/.test(kind) && name === undefined) {
    return { kind: "look", ahead: !kind.includes("<"), negative: kind.endsWith("!"), body };
  }
  return { kind: "group", body, capture, atomic: kind === "?>" };
}

function readEscape(cursor: Cursor): PatternNode {
  const char = cursor.chars[cursor.at];
  if (char === undefined) throw new Uncertain();
  const at = assertions[char];
  if (at) {
    cursor.at++;
    return { kind: "assertion", at };
  }
  if (/[1-9]/.test(char) && !/[0-9]/.test(cursor.chars[cursor.at + 1] ?? "")) {
    // Regardless of case the text may come back in the other case, which a plain reference misses.
    if (cursor.caseInsensitive) throw new Uncertain();
    cursor.at++;
    return { kind: "backreference", group: Number(char) };
  }
  const escaped = readCharEscape(cursor);
  const set = typeof escaped === "number" ? folded(cursor, [[escaped, escaped]]) : escaped;
  return { kind: "set", set: withoutNewline(set) };
}

const assertions: Partial<Record<string, "start" | "end" | "boundary" | "inside">> = {
  A: "start",
  z: "end",
  Z: "end",
  b: "boundary",
  B: "inside",
};

function literal(cursor: Cursor, char: string): PatternNode {
  const code = char.codePointAt(0)!;
  return { kind: "set", set: withoutNewline(folded(cursor, [[code, code]])) };
}
