/** The matching of one path segment against one glob segment, in time bounded by their product. */

type Token =
  | { readonly kind: "char"; readonly char: string }
  | { readonly kind: "any" }
  | { readonly kind: "star" }
  | { readonly kind: "set"; readonly has: (char: string) => boolean };

/** What a segment of a glob means: exactly one text, or a test. */
export interface SegmentGlob {
  /** The text it stands for where it holds no wildcard. */
  readonly literal: string | undefined;
  test(name: string): boolean;
}

/** Reads one segment (no `/`, no braces). A bracket that is never closed is an ordinary character. */
export function parseSegment(source: string): SegmentGlob {
  const tokens = tokenize(source);
  const literal = tokens.every((token) => token.kind === "char")
    ? tokens.map((token) => token.kind === "char" ? token.char : "").join("")
    : undefined;
  if (literal !== undefined) return { literal, test: (name) => name === literal };
  const suffix = suffixAfterStar(tokens);
  if (suffix !== undefined) return { literal, test: (name) => name.endsWith(suffix) };
  return { literal, test: (name) => matchTokens(tokens, [...name]) };
}

function tokenize(source: string): Token[] {
  const chars = [...source];
  const tokens: Token[] = [];
  for (let i = 0; i < chars.length; i++) {
    const char = chars[i]!;
    if (char === "\\" && i + 1 < chars.length) tokens.push({ kind: "char", char: chars[++i]! });
    else if (char === "*") {
      if (tokens.at(-1)?.kind !== "star") tokens.push({ kind: "star" });
    } else if (char === "?") tokens.push({ kind: "any" });
    else if (char === "[") {
      const set = parseSet(chars, i);
      tokens.push(set ? { kind: "set", has: set.has } : { kind: "char", char });
      if (set) i = set.end;
    } else tokens.push({ kind: "char", char });
  }
  return tokens;
}

/** The set that starts at `[`, and the place of its `]`; undefined where it is never closed. */
function parseSet(chars: readonly string[], start: number) {
  const parts: ((char: string) => boolean)[] = [];
  let i = start + 1;
  const negated = chars[i] === "!" || chars[i] === "^";
  if (negated) i++;
  for (let first = true;; first = false) {
    const char = chars[i];
    if (char === undefined) return undefined;
    if (char === "]" && !first) break;
    const posix = char === "[" && chars[i + 1] === ":" ? posixClass(chars, i) : undefined;
    if (posix) {
      parts.push(posix.has);
      i = posix.end + 1;
      continue;
    }
    const low = memberAt(chars, i);
    if (!low) return undefined;
    i = low.next;
    const high = chars[i] === "-" && chars[i + 1] !== "]" ? memberAt(chars, i + 1) : undefined;
    if (high) i = high.next;
    const from = low.char.codePointAt(0)!, to = (high ?? low).char.codePointAt(0)!;
    parts.push((other) => {
      const code = other.codePointAt(0)!;
      return code >= from && code <= to;
    });
  }
  return { end: i, has: (char: string) => parts.some((part) => part(char)) !== negated };
}

function memberAt(chars: readonly string[], index: number) {
  const char = chars[index];
  if (char !== "\\") return char === undefined ? undefined : { char, next: index + 1 };
  const escaped = chars[index + 1];
  return escaped === undefined ? undefined : { char: escaped, next: index + 2 };
}

const posixClasses: Record<string, RegExp> = {
  alnum: /^[0-9A-Za-z]$/,
  alpha: /^[A-Za-z]$/,
  ascii: /^[\0-\x7f]$/,
  blank: /^[ \t]$/,
  // deno-lint-ignore no-control-regex -- the class of control characters is what is meant
  cntrl: /^[\0-\x1f\x7f]$/,
  digit: /^[0-9]$/,
  graph: /^[!-~]$/,
  lower: /^[a-z]$/,
  print: /^[ -~]$/,
  punct: /^[!-/:-@[-`{-~]$/,
  space: /^[\t-\r ]$/,
  upper: /^[A-Z]$/,
  word: /^[0-9A-Za-z_]$/,
  xdigit: /^[0-9A-Fa-f]$/,
};

function posixClass(chars: readonly string[], start: number) {
  const end = chars.indexOf("]", start + 2);
  if (end < 0 || chars[end - 1] !== ":") return undefined;
  const name = chars.slice(start + 2, end - 1).join("");
  if (!/^[a-z]+$/.test(name)) return undefined;
  const known = Object.hasOwn(posixClasses, name) ? posixClasses[name] : undefined;
  return { end, has: (char: string) => known?.test(char) ?? false };
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
      return token.has(char);
    case "star":
      return false;
  }
}
