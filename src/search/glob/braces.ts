/** Expands `{a,b}` in globs, within bounds. */
import { setReader } from "./sets.ts";

/** More alternatives than this are refused, */
export const maxAlternatives = 1000;
/** and so are alternatives that are longer than this together. */
export const maxExpandedChars = 64 * 1024;

/**
 * The globs that `pattern` stands for; `undefined` where there would be too many.
 * Braces without a comma, or never closed, are ordinary characters.
 */
export function expandBraces(pattern: string): string[] | undefined {
  const marks = findMarks(pattern);
  let at = 0;

  /** Up to the end, or to the `,` or `}` that ends an alternative. */
  function readSequence(): Alternatives | undefined {
    let read: Alternatives | undefined = { texts: [""], chars: 0 };
    for (;;) {
      const from = at;
      while (at < pattern.length && !marks.has(at)) at++;
      read = product(read, { texts: [pattern.slice(from, at)], chars: at - from });
      if (pattern[at] !== "{") return read;
      read = product(read, readGroup());
    }
  }

  function readGroup(): Alternatives | undefined {
    let all: Alternatives | undefined = { texts: [], chars: 0 };
    do {
      at++;
      all = sum(all, readSequence());
    } while (pattern[at] === ",");
    at++;
    return all;
  }

  return readSequence()?.texts;
}

interface Alternatives {
  readonly texts: string[];
  /** Of all of them together. */
  readonly chars: number;
}

/** The places of the braces that are groups, and of the commas that part their alternatives. */
function findMarks(pattern: string): ReadonlySet<number> {
  const marks = new Set<number>();
  const open: { readonly at: number; readonly commas: number[] }[] = [];
  const setAt = setReader(pattern);
  for (let at = 0; at < pattern.length;) {
    const char = pattern[at]!;
    const set = char === "[" ? setAt(at) : undefined;
    if (char === "{") open.push({ at, commas: [] });
    else if (char === ",") open.at(-1)?.commas.push(at);
    else if (char === "}") {
      const group = open.pop();
      if (group && group.commas.length > 0) {
        for (const mark of [group.at, ...group.commas, at]) marks.add(mark);
      }
    }
    at = set ? set.end : at + (char === "\\" ? 2 : 1);
  }
  return marks;
}

function product(
  left: Alternatives | undefined,
  right: Alternatives | undefined,
): Alternatives | undefined {
  if (!left || !right) return undefined;
  const chars = left.chars * right.texts.length + right.chars * left.texts.length;
  if (left.texts.length * right.texts.length > maxAlternatives || chars > maxExpandedChars) {
    return undefined;
  }
  return { texts: left.texts.flatMap((head) => right.texts.map((tail) => head + tail)), chars };
}

function sum(
  left: Alternatives | undefined,
  right: Alternatives | undefined,
): Alternatives | undefined {
  if (!left || !right || left.texts.length + right.texts.length > maxAlternatives) return undefined;
  left.texts.push(...right.texts);
  return { texts: left.texts, chars: left.chars + right.chars };
}
