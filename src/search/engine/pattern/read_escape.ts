/** Reads what follows a backslash and means characters. */
import {
  type CharSet,
  complementOf,
  digits,
  horizontalSpaces,
  lastCodePoint,
  spaces,
  wordChars,
} from "./char_set.ts";
import { type Cursor, rest, Uncertain } from "./cursor.ts";

/** Reads on after a backslash, inside a class or outside: one character, or a set. */
export function readCharEscape(cursor: Cursor): number | CharSet {
  const char = cursor.chars[cursor.at++];
  if (char === undefined) throw new Uncertain();
  const set = sets[char];
  if (set) return set;
  const control = controls[char];
  if (control !== undefined) return control;
  if (char === "x") {
    const hex = /^(?:([0-9A-Fa-f]{2})|\{([0-9A-Fa-f]{1,6})\})/.exec(rest(cursor, 10));
    if (!hex) throw new Uncertain();
    cursor.at += hex[0].length;
    const code = parseInt(hex[1] ?? hex[2]!, 16);
    if (code > lastCodePoint || (code >= 0xd800 && code <= 0xdfff)) throw new Uncertain();
    return code;
  }
  // A backslash before anything else but ASCII punctuation may mean something.
  if (!/^[!-/:-@[-`{-~ ]$/.test(char)) throw new Uncertain();
  return char.codePointAt(0)!;
}

const sets: Partial<Record<string, CharSet>> = {
  d: digits,
  D: complementOf(digits),
  w: wordChars,
  W: complementOf(wordChars),
  s: spaces,
  S: complementOf(spaces),
  h: horizontalSpaces,
  H: complementOf(horizontalSpaces),
};

const controls: Partial<Record<string, number>> = { t: 9, n: 10, f: 12, r: 13, e: 27, a: 7 };
