/**
 * The bytes of which every match of a pattern holds one run: what can be looked for in a file before it
 * is decoded. Unlike the required texts, a run may have places that many bytes fit (`[0-9]{13}`).
 */
import { type CharSet, sizeOf, unionOf } from "./char_set.ts";
import type { PatternNode } from "./tree.ts";

/** The bytes that may stand at one place, as ranges. */
export type ByteSet = CharSet;

/** Alternatives; each a run of places. */
export type ByteRuns = readonly (readonly ByteSet[])[];

/** With more of them a look takes longer than decoding. */
const maxAlternatives = 8;
const maxRun = 48;
/** Ranges of one place; more of them end a run, and so do characters that are too many to list. */
const maxRanges = 4, maxWideChars = 4;

/** Undefined where a file without such bytes may match, or where nearly every file has them. */
export function requiredBytes(tree: PatternNode): ByteRuns | undefined {
  const found = runsOf(tree);
  return found && rarityOf(found) >= minRarity ? found : undefined;
}

function runsOf(node: PatternNode): ByteRuns | undefined {
  switch (node.kind) {
    case "set":
    case "sequence":
    case "group":
    case "repeat":
      return runsOfItems(itemsOf(node));
    case "choice": {
      const parts: (readonly ByteSet[])[] = [];
      for (const option of node.options) {
        const runs = runsOf(option);
        if (!runs || parts.length + runs.length > maxAlternatives) return undefined;
        parts.push(...runs);
      }
      return parts;
    }
    case "assertion":
    case "look":
    case "backreference":
      return undefined;
  }
}

/** What stands in a row, groups opened: captures and atomic groups change nothing about the bytes. */
function itemsOf(node: PatternNode): readonly PatternNode[] {
  if (node.kind === "sequence") return node.items.flatMap(itemsOf);
  return node.kind === "group" ? itemsOf(node.body) : [node];
}

/** The rarest run that all of the items together have. */
function runsOfItems(items: readonly PatternNode[]): ByteRuns | undefined {
  let best: ByteRuns | undefined;
  let run: ByteSet[] = [];
  const offer = (found: ByteRuns | undefined) => {
    if (found && (!best || rarityOf(found) > rarityOf(best))) best = found;
  };
  const endRun = () => {
    if (run.length > 0) offer([run]);
    run = [];
  };
  const add = (places: readonly ByteSet[] | undefined, times: number) => {
    if (!places) endRun();
    for (let left = times; places && left > 0; left--) {
      if (run.length + places.length > maxRun) endRun();
      run.push(...places);
    }
  };
  for (const item of items) {
    if (item.kind === "set") add(placesOf(item.set), 1);
    else if (item.kind === "repeat") {
      const places = item.body.kind === "set" ? placesOf(item.body.set) : undefined;
      if (item.min > 0) {
        if (places) add(places, item.min);
        else offer(runsOf(item.body));
      }
      if (places && item.min === item.max) continue;
      endRun();
      // What follows is right after the last of them.
      if (item.min > 0) add(places, item.min);
    } else if (item.kind !== "assertion" && item.kind !== "look") {
      endRun();
      offer(runsOf(item));
    }
  }
  endRun();
  return best;
}

/** The bytes of one character; undefined where they cannot be said place by place. */
function placesOf(set: CharSet): readonly ByteSet[] | undefined {
  if (set.length === 0) return undefined;
  if (set.every(([, to]) => to < 0x80)) return set.length <= maxRanges ? [set] : undefined;
  if (sizeOf(set) > maxWideChars) return undefined;
  const points = set.flatMap(([from, to]) =>
    Array.from({ length: to - from + 1 }, (_, index) => from + index)
  );
  // What stands for broken bytes is not in the file as such.
  if (points.some((point) => point === 0xfffd || isSurrogate(point))) return undefined;
  const forms = points.map((point) => new TextEncoder().encode(String.fromCodePoint(point)));
  const length = forms[0]!.length;
  if (forms.some((form) => form.length !== length)) return undefined;
  return Array.from(
    { length },
    (_, at) => unionOf(forms.map((form): [number, number] => [form[at]!, form[at]!])),
  );
}

function isSurrogate(point: number): boolean {
  return point >= 0xd800 && point <= 0xdfff;
}

/** Below this a look finds the bytes in most files. */
const minRarity = 8;

/** How seldom the commonest of the runs is found at a place of a text, in bits. */
function rarityOf(runs: ByteRuns): number {
  return Math.min(...runs.map((run) => run.reduce((sum, set) => sum + bitsOf(set), 0)));
}

/** How seldom a byte of a text is in the set, in bits. */
export function bitsOf(set: ByteSet): number {
  let often = 0;
  for (const [from, to] of set) {
    for (let byte = from; byte <= to; byte++) often += frequencyOf(byte);
  }
  return Math.max(0, -Math.log2(often));
}

/** The share of a byte in source code, roughly: the common ones in the order of how common they are. */
function frequencyOf(byte: number): number {
  const place = commonest.indexOf(String.fromCharCode(byte));
  return place < 0 ? 0.001 : place === 0 ? 0.18 : 0.07 / (1 + place / 6);
}

const commonest = " etaoinsrlcdpum\n./(),;:\"'=_-fhgbyvkwx{}[]01>2<";
