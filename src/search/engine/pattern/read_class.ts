/** Reads `[...]` in a pattern. */
import { type CharSet, complementOf, unionOf } from "./char_set.ts";
import { type Cursor, folded, rest, Uncertain } from "./cursor.ts";
import { readCharEscape } from "./read_escape.ts";

/** Reads from just after `[` to just after the `]` that closes it. */
export function readClass(cursor: Cursor): CharSet {
  const negated = cursor.chars[cursor.at] === "^";
  if (negated) cursor.at++;
  // `[]a]` and `[^]a]` hold a bracket in PCRE; they are rare enough to be left to it.
  if (cursor.chars[cursor.at] === "]") throw new Uncertain();
  const parts: CharSet[] = [];
  for (;;) {
    const char = cursor.chars[cursor.at];
    if (char === undefined) throw new Uncertain();
    if (char === "]") break;
    parts.push(readMember(cursor));
  }
  cursor.at++;
  const set = unionOf(...parts);
  return negated ? complementOf(set) : set;
}

function readMember(cursor: Cursor): CharSet {
  const posix = /^\[(?::([a-z]+):\]|[:.=])/.exec(rest(cursor, 20));
  if (posix) {
    const set = posix[1] === undefined ? undefined : posixSets[posix[1]];
    // Without regard to case `[:upper:]` changes its meaning.
    if (!set || cursor.caseInsensitive) throw new Uncertain();
    cursor.at += posix[0].length;
    notARange(cursor);
    return set;
  }
  const low = readOne(cursor);
  if (typeof low !== "number") {
    notARange(cursor);
    return low;
  }
  if (cursor.chars[cursor.at] !== "-" || cursor.chars[cursor.at + 1] === "]") {
    return folded(cursor, [[low, low]]);
  }
  cursor.at++;
  const high = readOne(cursor);
  if (typeof high !== "number" || high < low) throw new Uncertain();
  return folded(cursor, [[low, high]]);
}

/** What follows a set and looks like a range (`\d-z`) is an error in some versions. */
function notARange(cursor: Cursor) {
  if (cursor.chars[cursor.at] === "-" && cursor.chars[cursor.at + 1] !== "]") throw new Uncertain();
}

function readOne(cursor: Cursor): number | CharSet {
  const char = cursor.chars[cursor.at++];
  if (char === undefined || (char === "[" && /^[:.=]/.test(rest(cursor, 1)))) throw new Uncertain();
  if (char !== "\\") return char.codePointAt(0)!;
  if (cursor.chars[cursor.at] === "b") {
    cursor.at++;
    return 8;
  }
  return readCharEscape(cursor);
}

const posixSets: Partial<Record<string, CharSet>> = {
  alpha: [[0x41, 0x5a], [0x61, 0x7a]],
  alnum: [[0x30, 0x39], [0x41, 0x5a], [0x61, 0x7a]],
  digit: [[0x30, 0x39]],
  lower: [[0x61, 0x7a]],
  upper: [[0x41, 0x5a]],
  space: [[0x09, 0x0d], [0x20, 0x20]],
  blank: [[0x09, 0x09], [0x20, 0x20]],
  punct: [[0x21, 0x2f], [0x3a, 0x40], [0x5b, 0x60], [0x7b, 0x7e]],
  word: [[0x30, 0x39], [0x41, 0x5a], [0x5f, 0x5f], [0x61, 0x7a]],
  xdigit: [[0x30, 0x39], [0x41, 0x46], [0x61, 0x66]],
};
