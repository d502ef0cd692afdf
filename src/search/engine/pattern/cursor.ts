/** The position in a pattern that is being read. */
import { type CharSet, foldCase } from "./char_set.ts";

/** Thrown, and caught by whoever starts to read, at the first thing that is not certain. */
export class Uncertain extends Error {}

/** Reading position and what has been seen so far. */
export interface Cursor {
  readonly chars: readonly string[];
  at: number;
  readonly caseInsensitive: boolean;
  captures: number;
  readonly names: Set<string>;
}

/** With the other cases where case does not count. */
export function folded(cursor: Cursor, set: CharSet): CharSet {
  if (!cursor.caseInsensitive) return set;
  const result = foldCase(set);
  if (!result) throw new Uncertain();
  return result;
}

export function peek(cursor: Cursor): string | undefined {
  return cursor.chars[cursor.at];
}

export function rest(cursor: Cursor, length: number): string {
  return cursor.chars.slice(cursor.at, cursor.at + length).join("");
}
