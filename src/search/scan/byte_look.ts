/**
 * Looks at a file's bytes before they are decoded: whether they are binary, and whether any of the runs
 * that a match needs can be among them. It answers "no" or "perhaps", so nothing after it depends on it.
 */
import type { ByteRuns } from "../engine/pattern/required_bytes.ts";
import { blockPlaces, overshoot, writeByteModule } from "./byte_module.ts";

/** Made for one query; it looks at what its memory holds. */
export interface ByteLook {
  /** True where one of the first `length` bytes is NUL. */
  hasNul(length: number): boolean;
  /** False where none of the runs is in the first `length` bytes. */
  mayMatch(length: number): boolean;
}

/** Where files are read to, and looked at. */
export interface ByteMemory {
  readonly bytes: Uint8Array;
  /** Without `runs` every text may match. */
  lookFor(runs: ByteRuns | undefined): ByteLook;
}

const pageBytes = 64 * 1024;

/** Room for `size` bytes; a look may write beyond them. */
export function createByteMemory(size: number): ByteMemory {
  const pages = Math.ceil((size + overshoot) / pageBytes);
  const memory = new WebAssembly.Memory({ initial: pages, maximum: pages });
  const all = new Uint8Array(memory.buffer);
  return {
    bytes: all.subarray(0, size),
    lookFor(runs = []) {
      const scanner = makeScanner(writeByteModule(runs, pages), memory);
      return scanner ? fastLook(all, runs, scanner) : plainLook(all);
    },
  };
}

interface Scanner {
  scan(at: number, end: number): number;
  nul(end: number): number;
}

/** Undefined on processors without the instructions that compare 16 bytes at once. */
function makeScanner(
  module: Uint8Array<ArrayBuffer>,
  memory: WebAssembly.Memory,
): Scanner | undefined {
  try {
    const instance = new WebAssembly.Instance(new WebAssembly.Module(module), { own: { memory } });
    return instance.exports as unknown as Scanner;
  } catch (error) {
    if (error instanceof WebAssembly.CompileError) return undefined;
    throw error;
  }
}

function plainLook(all: Uint8Array): ByteLook {
  return {
    hasNul: (length) => all.subarray(0, length).includes(0),
    mayMatch: () => true,
  };
}

/** In a file with more blocks that only looked like a find, decoding is no slower. */
const maxChecks = 64;

function fastLook(all: Uint8Array, runs: ByteRuns, { scan, nul }: Scanner): ByteLook {
  return {
    hasNul(length) {
      all.fill(1, length, length + 64);
      return nul(length) === 1;
    },
    mayMatch(length) {
      if (runs.length === 0) return true;
      let at = 0;
      for (let check = 0; check < maxChecks; check++, at += blockPlaces) {
        at = scan(at, length);
        if (at < 0) return false;
        for (let place = at; place < at + blockPlaces; place++) {
          for (const run of runs) {
            if (place + run.length <= length && isAt(all, place, run)) return true;
          }
        }
      }
      return true;
    },
  };
}

function isAt(all: Uint8Array, place: number, run: ByteRuns[number]): boolean {
  for (let offset = 0; offset < run.length; offset++) {
    const byte = all[place + offset]!;
    if (!run[offset]!.some(([from, to]) => byte >= from && byte <= to)) return false;
  }
  return true;
}
