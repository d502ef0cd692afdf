/**
 * Writes the WebAssembly module of a look at bytes: two functions over one imported memory.
 *
 * `scan(at, end)` gives the first block of 32 places from `at` on in which some run can begin, or -1:
 * it compares 16 places at once with a few bytes of each run. `nul(end)` gives 1 where one of the
 * bytes before `end`, or of the 63 from it on, is NUL.
 */
import { bitsOf, type ByteRuns, type ByteSet } from "../engine/pattern/required_bytes.ts";

/** Bytes beyond the end that `nul` may see, and beyond the last place that `scan` may. */
export const overshoot = 128;
/** Places of one block of `scan`. */
export const blockPlaces = 32;

const maxProbes = 3;

interface Probe {
  readonly offset: number;
  readonly set: ByteSet;
}

/** The few places of a run that are seldom what they are asked to be. */
function probesOf(run: ByteRuns[number]): readonly Probe[] {
  const rarest = run.map((set, offset) => ({ offset, set, bits: bitsOf(set) }))
    .toSorted((a, b) => b.bits - a.bits);
  const chosen: typeof rarest = [];
  let bits = 0;
  for (const probe of rarest) {
    if (chosen.length === maxProbes || bits >= enoughBits) break;
    // the same set again says less than another one
    if (chosen.some(({ set }) => set === probe.set) && probe !== rarest.at(-1)) continue;
    chosen.push(probe);
    bits += probe.bits;
  }
  return chosen;
}

/** A find in so many places of a text costs nothing that could be measured. */
const enoughBits = 12;

const uint = (n: number): number[] => n < 128 ? [n] : [n & 127 | 128, ...uint(n >>> 7)];
const int = (n: number): number[] =>
  n >= -64 && n < 64 ? [n & 127] : [n & 127 | 128, ...int(n >> 7)];
const vector = (items: readonly number[][]): number[] => [...uint(items.length), ...items.flat()];
const name = (text: string): number[] => vector([...text].map((char) => [char.charCodeAt(0)]));
const section = (id: number, body: number[]): number[] => [id, ...uint(body.length), ...body];

const i32 = 0x7f, none = 0x40;
const getLocal = (local: number) => [0x20, local];
const setLocal = (local: number) => [0x21, local];
const constant = (n: number) => [0x41, ...int(n)];
const add = 0x6a, isZero = 0x45, atLeast = 0x4e, giveBack = 0x0f, end = 0x0b;
const simd = (code: number) => [0xfd, ...uint(code)];
const load = (
  local: number,
  offset: number,
) => [...getLocal(local), ...simd(0), 0, ...uint(offset)];
const sixteen = (byte: number) => [...simd(12), ...Array<number>(16).fill(byte)];
const equal = simd(35), atMost = simd(42), and = simd(78), or = simd(80);
const anyTrue = simd(83), allTrue = simd(99), minus = simd(113), least = simd(119);

/** Which of 16 places, `more` further on, hold a byte of the set. */
function compare({ offset, set }: Probe, more: number): number[] {
  return set.flatMap(([from, to], index) => [
    ...load(0, offset + more),
    ...(from === to
      ? [...sixteen(from), ...equal]
      : [...sixteen(from), ...minus, ...sixteen(to - from), ...atMost]),
    ...(index > 0 ? or : []),
  ]);
}

/** A loop that moves local `at` on by `step` while it is below local `to`; then `otherwise`. */
function loop(at: number, to: number, step: number, body: number[], otherwise: number): number[] {
  return [
    ...[0x02, none, 0x03, none],
    ...[...getLocal(at), ...getLocal(to), atLeast, 0x0d, 1],
    ...body,
    ...[...getLocal(at), ...constant(step), add, ...setLocal(at), 0x0c, 0, end, end],
    ...[...constant(otherwise), end],
  ];
}

const returnIf = (value: number[]) => [0x04, none, ...value, giveBack, end];

/** `pages` is the size of the memory in units of 64 KiB. */
export function writeByteModule(runs: ByteRuns, pages: number): Uint8Array<ArrayBuffer> {
  const found = [0, 16].flatMap((more) =>
    runs.flatMap((run, index) => [
      ...probesOf(run).flatMap((probe, nth) => [...compare(probe, more), ...(nth > 0 ? and : [])]),
      ...(index > 0 || more > 0 ? or : []),
    ])
  );
  const scan = runs.length === 0
    ? [...constant(0), end]
    : loop(0, 1, blockPlaces, [...found, ...anyTrue, ...returnIf(getLocal(0))], -1);
  const four = [0, 16, 32, 48].flatMap((more) => [...load(1, more), ...(more > 0 ? least : [])]);
  const nul = loop(1, 0, 64, [...four, ...allTrue, isZero, ...returnIf(constant(1))], 0);
  const code = (locals: number[][], body: number[]) => {
    const all = [...vector(locals), ...body];
    return [...uint(all.length), ...all];
  };
  return new Uint8Array([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, vector([[0x60, 2, i32, i32, 1, i32], [0x60, 1, i32, 1, i32]])),
    ...section(2, vector([[...name("own"), ...name("memory"), 2, 0, ...uint(pages)]])),
    ...section(3, vector([[0], [1]])),
    ...section(7, vector([[...name("scan"), 0, 0], [...name("nul"), 0, 1]])),
    ...section(10, vector([code([], scan), code([[1, i32]], nul)])),
  ]);
}
