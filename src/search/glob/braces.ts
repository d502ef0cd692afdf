/** The expansion of `{a,b}` in globs, bounded. */

/** More alternatives than this are refused. */
export const maxAlternatives = 1000;

/**
 * The globs that `pattern` stands for; `undefined` where there would be more than `maxAlternatives`.
 * Braces without a comma, or never closed, are ordinary characters.
 */
export function expandBraces(pattern: string): string[] | undefined {
  const parsed = parseSequence(pattern, 0, false);
  return parsed.alternatives;
}

interface Parsed {
  readonly alternatives: string[] | undefined;
  readonly end: number;
}

/** Reads up to the end, or inside braces up to a `,` or `}` of their own. */
function parseSequence(source: string, start: number, inBraces: boolean): Parsed {
  let alternatives: string[] | undefined = [""];
  let i = start;
  while (i < source.length) {
    const char = source[i]!;
    if (inBraces && (char === "," || char === "}")) break;
    let parts: string[] | undefined = [char];
    let next = i + 1;
    if (char === "\\" && i + 1 < source.length) {
      next = i + 2;
      parts = [source.slice(i, next)];
    } else if (char === "[") {
      next = endOfSet(source, i);
      parts = [source.slice(i, next)];
    } else if (char === "{") {
      const group = parseBraces(source, i);
      if (group) {
        next = group.end;
        parts = group.alternatives;
      } else parts = ["\\{"];
    }
    alternatives = product(alternatives, parts);
    i = next;
  }
  return { alternatives, end: i };
}

/** The group that starts at `{`; undefined where it is not one. */
function parseBraces(source: string, start: number): Parsed | undefined {
  if (!closes(source, start)) return undefined;
  let all: string[] | undefined = [];
  let i = start + 1;
  for (;;) {
    const part = parseSequence(source, i, true);
    all = all && part.alternatives && all.length + part.alternatives.length <= maxAlternatives
      ? [...all, ...part.alternatives]
      : undefined;
    i = part.end + 1;
    if (source[part.end] === "}") return { alternatives: all, end: i };
  }
}

/** True where the brace at `start` has a comma of its own and is closed. */
function closes(source: string, start: number): boolean {
  let depth = 0, comma = false;
  for (let i = start; i < source.length; i++) {
    const char = source[i];
    if (char === "\\") i++;
    else if (char === "[") i = endOfSet(source, i) - 1;
    else if (char === "{") depth++;
    else if (char === "," && depth === 1) comma = true;
    else if (char === "}" && --depth === 0) return comma;
  }
  return false;
}

/** Just after the set that starts at `[`, or after the bracket itself where it is none. */
function endOfSet(source: string, start: number): number {
  let i = start + 1;
  if (source[i] === "!" || source[i] === "^") i++;
  if (source[i] === "]") i++;
  for (; i < source.length && source[i] !== "/"; i++) {
    if (source[i] === "\\") i++;
    else if (source.startsWith("[:", i)) {
      const end = source.indexOf(":]", i + 2);
      if (end > 0) i = end + 1;
    } else if (source[i] === "]") return i + 1;
  }
  return start + 1;
}

function product(left: string[] | undefined, right: string[] | undefined): string[] | undefined {
  if (!left || !right || left.length * right.length > maxAlternatives) return undefined;
  if (right.length === 1) return left.map((head) => head + right[0]!);
  return left.flatMap((head) => right.map((tail) => head + tail));
}
