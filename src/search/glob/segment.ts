/** Matches one path segment against one glob segment, in time bounded by their product. */
import { setReader } from "./sets.ts";

type Token =
  | { readonly kind: "char"; readonly char: string }
  | { readonly kind: "any" }
  | { readonly kind: "star" }
  | { readonly kind: "set"; readonly has: (code: number) => boolean };

/** What a segment of a glob means: exactly one text, or a test. */
export interface SegmentGlob {
  /** The text it stands for where it holds no wildcard. */
  readonly literal: string | undefined;
  /** The end of every name it matches, where it asks for no more than that (`*.ts`). */
  readonly suffix: string | undefined;
  /** What every name it matches begins with; `""` where that may be anything. */
  readonly start: string;
  /** What every name it matches ends in; `""` where that may be anything. */
  readonly end: string;
  /** What a test may cost for each character of a name, in steps. */
  readonly weight: number;
  test(name: string): boolean;
}

/** Reads one segment (no `/`, no braces). A bracket that is never closed is an ordinary character. */
export function parseSegment(source: string): SegmentGlob {
  const tokens = tokenize(source);
  const literal = tokens.every((token) => token.kind === "char")
    ? tokens.map((token) => token.kind === "char" ? token.char : "").join("")
    : undefined;
  if (literal !== undefined) {
    return {
      literal,
      suffix: undefined,
      start: literal,
      end: literal,
      weight: 1,
      test: (name) => name === literal,
    };
  }
  const suffix = suffixAfterStar(tokens);
  if (suffix !== undefined) {
    return {
      literal,
      suffix,
      start: "",
      end: suffix,
      weight: 1,
      test: (name) => name.endsWith(suffix),
    };
  }
  const start = charsBeforeWildcard(tokens);
  return {
    literal,
    suffix,
    start,
    end: charsAfterWildcard(tokens),
    weight: source.length,
    test: (name) => name.startsWith(start) && matchTokens(tokens, [...name]),
  };
}

function tokenize(source: string): Token[] {
  const tokens: Token[] = [];
  const setAt = setReader(source);
  for (let at = 0; at < source.length;) {
    const escaped = source[at] === "\\" && at + 1 < source.length;
    if (escaped) at++;
    const char = String.fromCodePoint(source.codePointAt(at)!);
    const set = char === "[" && !escaped ? setAt(at) : undefined;
    at = set ? set.end : at + char.length;
    if (set) tokens.push({ kind: "set", has: set.has });
    else if (escaped) tokens.push({ kind: "char", char });
    else if (char === "?") tokens.push({ kind: "any" });
    else if (char !== "*") tokens.push({ kind: "char", char });
    else if (tokens.at(-1)?.kind !== "star") tokens.push({ kind: "star" });
  }
  return tokens;
}

function charsBeforeWildcard(tokens: readonly Token[]): string {
  let start = "";
  for (const token of tokens) {
    if (token.kind !== "char") break;
    start += token.char;
  }
  return start;
}

function charsAfterWildcard(tokens: readonly Token[]): string {
  const last = tokens.findLastIndex(({ kind }) => kind !== "char");
  return tokens.slice(last + 1).map((token) => token.kind === "char" ? token.char : "").join("");
}

/** The text after a single leading star, the commonest shape (`*.ts`). */
function suffixAfterStar(tokens: readonly Token[]): string | undefined {
  if (tokens[0]?.kind !== "star") return undefined;
  let suffix = "";
  for (const token of tokens.slice(1)) {
    if (token.kind !== "char") return undefined;
    suffix += token.char;
  }
  return suffix;
}

/** Only the last star ever needs to give way, so the work is at most tokens times characters. */
function matchTokens(tokens: readonly Token[], chars: readonly string[]): boolean {
  let t = 0, c = 0, starToken = -1, starChar = 0;
  while (c < chars.length) {
    const token = tokens[t];
    if (token?.kind === "star") {
      starToken = t++;
      starChar = c;
    } else if (token !== undefined && takes(token, chars[c]!)) {
      t++;
      c++;
    } else if (starToken >= 0) {
      t = starToken + 1;
      c = ++starChar;
    } else return false;
  }
  while (tokens[t]?.kind === "star") t++;
  return t === tokens.length;
}

function takes(token: Token, char: string): boolean {
  switch (token.kind) {
    case "char":
      return token.char === char;
    case "any":
      return true;
    case "set":
      return token.has(char.codePointAt(0)!);
    case "star":
      return false;
  }
}
