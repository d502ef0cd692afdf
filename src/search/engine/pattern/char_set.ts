/** Sets of characters: sorted, disjoint ranges of code points. */

export type CharSet = readonly (readonly [from: number, to: number])[];

export const lastCodePoint = 0x10ffff;
const newline = 0x0a;

export const emptySet: CharSet = [];
export const digits: CharSet = [[0x30, 0x39]];
export const wordChars: CharSet = [[0x30, 0x39], [0x41, 0x5a], [0x5f, 0x5f], [0x61, 0x7a]];
/** Tab, vertical tab, form feed, CR, space; LF is taken out of every set later. */
export const spaces: CharSet = [[0x09, 0x0d], [0x20, 0x20]];
export const horizontalSpaces: CharSet = [
  [0x09, 0x09],
  [0x20, 0x20],
  [0xa0, 0xa0],
  [0x1680, 0x1680],
  [0x180e, 0x180e],
  [0x2000, 0x200a],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
];

export function unionOf(...sets: readonly CharSet[]): CharSet {
  const ranges = sets.flat().toSorted((a, b) => a[0] - b[0]);
  const merged: [number, number][] = [];
  for (const [from, to] of ranges) {
    const last = merged.at(-1);
    if (last && from <= last[1] + 1) last[1] = Math.max(last[1], to);
    else merged.push([from, to]);
  }
  return merged;
}

export function complementOf(set: CharSet): CharSet {
  const ranges: [number, number][] = [];
  let next = 0;
  for (const [from, to] of set) {
    if (from > next) ranges.push([next, from - 1]);
    next = to + 1;
  }
  if (next <= lastCodePoint) ranges.push([next, lastCodePoint]);
  return ranges;
}

export function intersect(a: CharSet, b: CharSet): boolean {
  return a.some(([from, to]) => b.some(([low, high]) => from <= high && low <= to));
}

/** Without LF, which no line holds. */
export function withoutNewline(set: CharSet): CharSet {
  return set.flatMap(([from, to]): [number, number][] => {
    if (newline < from || newline > to) return [[from, to]];
    const parts: [number, number][] = [];
    if (from < newline) parts.push([from, newline - 1]);
    if (to > newline) parts.push([newline + 1, to]);
    return parts;
  });
}

export const anyChar: CharSet = withoutNewline([[0, lastCodePoint]]);

export function sizeOf(set: CharSet): number {
  return set.reduce((sum, [from, to]) => sum + to - from + 1, 0);
}

/**
 * The other cases of ASCII letters, as Unicode's simple folding has them: K and S have a third form.
 * Undefined where the set holds letters beyond ASCII.
 */
export function foldCase(set: CharSet): CharSet | undefined {
  if (set.some(([, to]) => to > 0x7f)) return undefined;
  const folded: [number, number][] = [];
  for (const [from, to] of set) {
    folded.push([from, to]);
    for (let code = from; code <= to; code++) {
      const letter = code | 0x20;
      if (letter < 0x61 || letter > 0x7a) continue;
      folded.push([code ^ 0x20, code ^ 0x20]);
      if (letter === 0x6b) folded.push([0x212a, 0x212a]);
      if (letter === 0x73) folded.push([0x17f, 0x17f]);
    }
  }
  return unionOf(folded);
}
