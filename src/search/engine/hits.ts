/** The matches of one text: lines, numbers, and how they are counted. */
import { shortenLine } from "./shorten.ts";

export interface HitLine {
  /** From 1. */
  readonly line: number;
  /** Without its end, shortened around the match where it is long. */
  readonly text: string;
}

export interface TextHits {
  /** The first `maxLines` matching lines. */
  readonly lines: readonly HitLine[];
  /** All matching lines. */
  readonly count: number;
  /** Set where some lines could not be decided; matches on them may be missing. */
  readonly gaveUp?: { readonly line: number; readonly reason: string };
}

/** Searches one text whose lines end in LF; a final LF starts no further line. */
export interface TextMatcher {
  /** False where no line of the text can match; quick, and the text may be in any form. */
  mayMatch(text: string): boolean;
  search(text: string, maxLines: number): TextHits;
}

/** `mayMatch` of a matcher with `required`, which matches in every line that matches. */
export function mayMatchBy(required: RegExp | undefined): TextMatcher["mayMatch"] {
  return (text) => {
    if (required) required.lastIndex = 0;
    return required === undefined || required.test(text);
  };
}

export function hitLine(text: string, line: number, start: number, end: number, match: {
  readonly start: number;
  readonly end: number;
}): HitLine {
  return { line, text: shortenLine(text.slice(start, end), match.start, match.end) };
}
