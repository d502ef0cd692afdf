/** The sets of a glob, as `[a-z_]` or `[![:digit:]]`: where each ends, and what it holds. */

export interface GlobSet {
  /** Just after its `]`. */
  readonly end: number;
  /** `code` is a code point. */
  has(code: number): boolean;
}

/**
 * Reads the sets of `source`, one after the other from left to right; the place given is that of a `[`.
 * Undefined for a bracket that no `]` closes within its segment. What one such bracket has looked
 * through is not looked through again, so that many of them cost no more than one.
 */
export function setReader(source: string): (start: number) => GlobSet | undefined {
  let unclosedUntil = 0;
  return (start) => {
    if (start < unclosedUntil && classAt(source, start) === undefined) return undefined;
    const ranges: number[] = [];
    const classes: RegExp[] = [];
    let at = start + 1;
    const negated = source[at] === "!" || source[at] === "^";
    if (negated) at++;
    for (let first = true;; first = false) {
      if (source[at] === "]" && !first) break;
      const named = classAt(source, at);
      if (named) {
        if (named.test) classes.push(named.test);
        at = named.end;
        continue;
      }
      const low = memberAt(source, at);
      if (!low) {
        unclosedUntil = Math.max(unclosedUntil, at);
        return undefined;
      }
      at = low.end;
      const isRange = source[at] === "-" && source[at + 1] !== "]";
      const high = isRange ? memberAt(source, at + 1) : undefined;
      if (high) at = high.end;
      ranges.push(low.code, (high ?? low).code);
    }
    return { end: at + 1, has: (code) => holds(ranges, classes, code) !== negated };
  };
}

function holds(ranges: readonly number[], classes: readonly RegExp[], code: number): boolean {
  for (let at = 0; at < ranges.length; at += 2) {
    if (code >= ranges[at]! && code <= ranges[at + 1]!) return true;
  }
  return classes.length > 0 &&
    classes.some((members) => members.test(String.fromCodePoint(code)));
}

/** One character, perhaps after a backslash; undefined at the end of the segment. */
function memberAt(source: string, at: number): { code: number; end: number } | undefined {
  const from = source[at] === "\\" ? at + 1 : at;
  const code = source.codePointAt(from);
  if (code === undefined || source[from] === "/") return undefined;
  return { code, end: from + (code > 0xffff ? 2 : 1) };
}

/** A named class, `[:digit:]`; one of an unknown name has no members. */
function classAt(source: string, at: number): { end: number; test?: RegExp } | undefined {
  if (source[at] !== "[" || source[at + 1] !== ":") return undefined;
  const name = /^[a-z]+(?=:\])/.exec(source.slice(at + 2, at + 2 + longestName))?.[0];
  if (name === undefined) return undefined;
  const known = Object.hasOwn(namedClasses, name) ? namedClasses[name]! : undefined;
  return { end: at + 2 + name.length + 2, ...(known ? { test: known } : {}) };
}

/** With the `:]` after it. */
const longestName = 16;

const namedClasses: Record<string, RegExp> = {
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
