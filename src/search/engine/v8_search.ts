/** Searches a text with V8's engine, all of it at once. */
import { type HitLine, hitLine, mayMatchBy, type TextMatcher } from "./hits.ts";
import { hasOnlyLf, toRegExp } from "./pattern/to_regexp.ts";
import type { PatternNode } from "./pattern/tree.ts";

/**
 * `required` matches in every line that the pattern matches in. Texts with a line longer than
 * `maxLineUnits` go to `fallback`: V8 cannot be told when to give up.
 */
export function v8TextMatcher(
  tree: PatternNode,
  maxLineUnits: number,
  required: RegExp | undefined,
  fallback: () => TextMatcher,
): TextMatcher {
  const plain = toRegExp(tree, true);
  let exact: RegExp | undefined;
  return {
    mayMatch: mayMatchBy(required),
    search(text, maxLines) {
      if (hasLongLine(text, maxLineUnits)) return fallback().search(text, maxLines);
      return searchWith(hasOnlyLf(text) ? plain : exact ??= toRegExp(tree, false), text, maxLines);
    },
  };
}

function searchWith(regexp: RegExp, text: string, maxLines: number) {
  const lines: HitLine[] = [];
  let count = 0, line = 1, start = 0;
  const hasOpenLine = text !== "" && !text.endsWith("\n");
  for (let from = 0; from <= text.length;) {
    regexp.lastIndex = from;
    const match = regexp.exec(text);
    // An empty match after the last LF is on no line.
    if (match === null || (match.index === text.length && !hasOpenLine)) break;
    // V8 also tries empty matches inside a surrogate pair, where no character starts.
    if (isLowSurrogate(text.charCodeAt(match.index))) {
      from = match.index + 1;
      continue;
    }
    const newline = text.indexOf("\n", match.index);
    const end = newline < 0 ? text.length : newline;
    count++;
    if (lines.length < maxLines) {
      for (let next; (next = text.indexOf("\n", start)) >= 0 && next < match.index;) {
        start = next + 1;
        line++;
      }
      const index = match.index - start;
      lines.push(hitLine(text, line, start, end, { start: index, end: index + match[0].length }));
    }
    from = end + 1;
  }
  return { lines, count };
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

/** Looks only once in every `maxUnits` characters. */
function hasLongLine(text: string, maxUnits: number): boolean {
  let lineStart = 0;
  while (text.length - lineStart > maxUnits) {
    const newline = text.lastIndexOf("\n", lineStart + maxUnits);
    if (newline < lineStart) return true;
    lineStart = newline + 1;
  }
  return false;
}
