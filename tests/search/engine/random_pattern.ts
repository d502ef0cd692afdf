/** The making of patterns and texts for comparing engines, from a seed. */

export type Random = (below: number) => number;

export function randomSource(seed: number): Random {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return (state >>> 10) % below;
  };
}

const plain = ["a", "b", "k", "S", " ", "_", "1", "-", "\u00e9", "\u{1F600}", "x", "\u0416"];
const escaped = ["\\.", "\\t", "]", "}", "{", "\\x41", "\\x{1F600}"];
const classes = [
  "\\d",
  "\\w",
  "\\s",
  "\\S",
  "\\W",
  "\\D",
  "\\h",
  ".",
  "[abk]",
  "[^ab]",
  "[a-k]",
  "[^\\w-]",
  "[\\s_]",
  "[[:alpha:]]",
  "[k\\d]",
  "[^S]",
  "[\u00e9-\u{1F600}]",
  "[]a]",
  "\\n",
  "[^\\n]",
  "\\N",
  "\\v",
  "\\R",
  "(?i)",
  "\\K",
  "\\Qa\\E",
];
const assertions = ["^", "$", "\\b", "\\B", "\\A", "\\Z", "\\z"];
const repeats = [
  "*",
  "+",
  "?",
  "{2}",
  "{1,2}",
  "{0,1}",
  "*?",
  "+?",
  "??",
  "++",
  "{2,}",
  "{,2}",
];
const openings = ["(", "(", "(?:", "(?=", "(?!", "(?<=", "(?<!", "(?>", "(?|", "(?<n>"];

/** A pattern, often valid, with groups up to `depth` deep. */
export function randomPattern(random: Random, depth: number): string {
  const options = random(6) === 0 ? 2 + random(2) : 1;
  return Array.from({ length: options }, () => randomSequence(random, depth)).join("|");
}

function randomSequence(random: Random, depth: number): string {
  let sequence = "";
  for (let left = 1 + random(4); left > 0; left--) {
    sequence += randomAtom(random, depth);
    if (random(3) === 0) sequence += pick(random, repeats);
  }
  return sequence;
}

function randomAtom(random: Random, depth: number): string {
  const kind = random(20);
  if (kind < 7) return pick(random, plain);
  if (kind < 8) return pick(random, escaped);
  if (kind < 12) return pick(random, classes);
  if (kind < 14) return pick(random, assertions);
  if (kind < 15) return `\\${1 + random(2)}`;
  if (depth === 0) return pick(random, plain);
  return `${pick(random, openings)}${randomPattern(random, depth - 1)})`;
}

const lineChars = [
  ...["a", "b", "k", "K", "\u212a", "\u017f", "s", "S", " ", "_", "1", "-", "\u00e9", "\u{1F600}"],
  ...[".", "x", "\u0416", "\u0436", "\t", "]", "}", "{", "\r", "\u2028", "\u00a0", "A"],
];

/** A dozen short lines that end in LF; the last one at times does not. */
export function randomText(random: Random): string {
  const lines = Array.from({ length: 12 }, () => {
    const line = Array.from({ length: random(7) }, () => pick(random, lineChars)).join("");
    // A CR before the LF would be part of the line's end.
    return line.replace(/\r$/, "x");
  });
  return lines.join("\n") + (random(2) === 0 ? "\n" : "");
}

function pick(random: Random, from: readonly string[]): string {
  return from[random(from.length)]!;
}
