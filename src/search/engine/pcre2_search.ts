/** Searches a text with PCRE2, line by line. */
import { type HitLine, hitLine, mayMatchBy, type TextMatcher } from "./hits.ts";
import type { Pcre2Matcher } from "./pcre2.ts";

/** After so many lines that could not be decided the rest of the text is left. */
const maxUndecided = 3;

/**
 * Only lines in which `required` matches are handed over, where it is given. Lines with a match of
 * `unknown` are not decided, as PCRE2 does not know what such characters are.
 */
export function pcre2TextMatcher(
  matcher: Pcre2Matcher,
  required?: RegExp,
  unknown?: RegExp,
): TextMatcher {
  return {
    mayMatch: mayMatchBy(required),
    search(text, maxLines) {
      const lines: HitLine[] = [];
      let count = 0, undecided = 0, loaded = false;
      let gaveUp: { line: number; reason: string } | undefined;
      const isUnknown = unknown && partsWith(unknown, text);
      let line = 1;
      for (let start = 0; start < text.length;) {
        if (required) {
          required.lastIndex = start;
          const hit = required.exec(text);
          if (!hit) break;
          for (let next; (next = text.indexOf("\n", start)) >= 0 && next < hit.index;) {
            start = next + 1;
            line++;
          }
        }
        if (!loaded) {
          matcher.load(text);
          loaded = true;
        }
        const newline = text.indexOf("\n", start);
        const end = newline < 0 ? text.length : newline;
        const result = matcher.matchLoaded(start, end);
        if (result.kind === "match") {
          count++;
          if (lines.length < maxLines) lines.push(hitLine(text, line, start, end, result));
        } else if (result.kind === "gave up") {
          gaveUp ??= { line, reason: result.reason };
          if (++undecided >= maxUndecided) break;
        }
        if (!gaveUp && isUnknown?.(start, end)) {
          gaveUp = { line, reason: "characters newer than Unicode 12.1" };
        }
        start = end + 1;
        line++;
      }
      return gaveUp ? { lines, count, gaveUp } : { lines, count };
    },
  };
}

/** Whether a part of the text, each further on than the one before, holds a match; in one pass over it. */
function partsWith(regexp: RegExp, text: string): (start: number, end: number) => boolean {
  let index = -1;
  return (start, end) => {
    if (index < start) {
      regexp.lastIndex = start;
      index = regexp.exec(text)?.index ?? Infinity;
    }
    return index < end;
  };
}
