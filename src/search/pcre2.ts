/** Owns PCRE2 as a line matcher: compile with bounds, match a line, errors in PCRE2's own words. */
import { instantiatePcre2, type Pcre2Instance, Pcre2Trap } from "../lib/pcre2_wasm.ts";
import { findDoubt } from "./pattern/doubts.ts";

/** Steps of backtracking that one match may take from one place of a line. */
const matchLimit = 2_000_000;
/** Memory that one match may take for backtracking, in KiB. */
const heapLimitKib = 4_000;

/** In front of every pattern; a line's end is the tool's business, so only LF counts as one. */
const bounds = `(*LIMIT_MATCH=${matchLimit})(*LIMIT_HEAP=${heapLimitKib})(*LF)`;

/**
 * This version's quick look for a place to start misses some where the pattern has a counted class
 * (`[Aa]{2}` in `aa`), a lookahead, a condition or a reference; it costs time to do without. Verbs are
 * defined in terms of it, so patterns with one keep it.
 */
const withoutQuickLook = "(*NO_START_OPT)";
const quickLookFails = /\]\{|\(\?=|\(\*p|\(\?\(|\\[1-9gk]|\(\?P=/;
const hasVerb = /\(\*(?:[:F]|MARK|ACCEPT|COMMIT|PRUNE|SKIP|THEN)/;

/** Longest pattern, in UTF-16 units. */
const maxPatternUnits = 64 * 1024;
/** Longest line that can be handed over, in UTF-16 units: a file of 1 MiB fits. */
const maxLineUnits = 1024 * 1024 + 2;

export interface CompileProblem {
  readonly message: string;
  /** Place in the pattern, in UTF-16 units; where PCRE2 noticed the problem. */
  readonly offset: number;
}

export type LineResult =
  | { readonly kind: "match"; readonly start: number; readonly end: number }
  | { readonly kind: "none" }
  /** Not known whether the line matches. */
  | { readonly kind: "gave up"; readonly reason: string };

export interface Pcre2Matcher {
  /** Copies a text in; lines of it are then matched by place without further copies. */
  load(text: string): void;
  /** Matches the loaded text's part from `start` to `end` as a line of its own. */
  matchLoaded(start: number, end: number): LineResult;
}

/** Compiles `pattern`; the module is compiled once and may be shared. */
export function createPcre2Matcher(
  module: WebAssembly.Module,
  pattern: string,
  caseInsensitive: boolean,
): Pcre2Matcher | CompileProblem {
  const first = compile(module, pattern, caseInsensitive);
  if ("message" in first) return first;
  let current: Compiled | undefined = first;
  let text = "";
  return {
    load(next) {
      text = next;
      if (current) fill(current, text);
    },
    matchLoaded(start, end) {
      try {
        if (!current) {
          const again = compile(module, pattern, caseInsensitive);
          if ("message" in again) return { kind: "gave up", reason: again.message };
          current = again;
          fill(current, text);
        }
        return match(current, start, end);
      } catch (error) {
        // After a trap the instance's memory cannot be trusted; the next line gets a fresh one.
        if (!(error instanceof Pcre2Trap || isWasmTrap(error))) throw error;
        current = undefined;
        return { kind: "gave up", reason: "PCRE2 ran out of memory or stack" };
      }
    },
  };
}

interface Compiled {
  readonly instance: Pcre2Instance;
  readonly units: Uint16Array;
  readonly words: Uint32Array;
  readonly code: number;
  readonly data: number;
  readonly ovector: number;
  subject: number;
  capacity: number;
}

function compile(
  module: WebAssembly.Module,
  pattern: string,
  caseInsensitive: boolean,
): Compiled | CompileProblem {
  if (pattern.length > maxPatternUnits) {
    return { message: `pattern is longer than ${maxPatternUnits} characters`, offset: 0 };
  }
  const doubt = findDoubt(pattern, caseInsensitive);
  if (doubt?.kind === "refuse") return doubt;
  const instance = instantiatePcre2(module);
  const { exports, memory } = instance;
  const units = new Uint16Array(memory), words = new Uint32Array(memory);
  const prefix = quickLookFails.test(pattern) && !hasVerb.test(pattern)
    ? bounds + withoutQuickLook
    : bounds;
  const source = prefix + pattern;
  try {
    const pointer = exports._malloc(source.length * 2 + 2);
    const flags = exports._malloc(2);
    writeUnits(units, pointer >> 1, source);
    new Uint8Array(memory).set(caseInsensitive ? [0x69, 0] : [0, 0], flags);
    const code = exports._compile(pointer, source.length, flags);
    if (code === 0) {
      const offset = Math.max(0, exports._lastErrorOffset() - prefix.length);
      return { message: lastError(instance, units), offset };
    }
    exports._free(pointer);
    exports._free(flags);
    const data = exports._createMatchData(code);
    if (data === 0) return { message: "pattern needs too much memory", offset: 0 };
    const ovector = exports._getOvectorPointer(data) >> 2;
    return { instance, units, words, code, data, ovector, subject: 0, capacity: 0 };
  } catch (error) {
    if (!(error instanceof Pcre2Trap || isWasmTrap(error))) throw error;
    return { message: "pattern is too complicated to compile", offset: 0 };
  }
}

function lastError({ exports }: Pcre2Instance, units: Uint16Array): string {
  const size = 256;
  const buffer = exports._malloc(size * 2);
  const length = exports._lastErrorMessage(buffer, size);
  return String.fromCharCode(...units.subarray(buffer >> 1, (buffer >> 1) + length));
}

function fill(compiled: Compiled, text: string) {
  const length = Math.min(text.length, maxLineUnits);
  if (length > compiled.capacity || compiled.subject === 0) {
    const { exports } = compiled.instance;
    if (compiled.subject) exports._free(compiled.subject);
    compiled.capacity = Math.min(Math.max(length, 64 * 1024), maxLineUnits);
    compiled.subject = exports._malloc(compiled.capacity * 2 + 2);
    if (compiled.subject === 0) throw new Pcre2Trap("out of memory");
  }
  writeUnits(compiled.units, compiled.subject >> 1, text);
}

function writeUnits(units: Uint16Array, at: number, text: string) {
  for (let i = 0; i < text.length; i++) units[at + i] = text.charCodeAt(i);
}

const noMatch = -1;

function match(compiled: Compiled, start: number, end: number): LineResult {
  const { instance, code, data, subject, words, ovector } = compiled;
  const result = instance.exports._match(code, subject + start * 2, end - start, 0, data);
  if (result >= 0) return { kind: "match", start: words[ovector]!, end: words[ovector + 1]! };
  if (result === noMatch) return { kind: "none" };
  return { kind: "gave up", reason: reasonOf(result) };
}

/** PCRE2's numbers for what stops a match before it is decided. */
function reasonOf(result: number): string {
  switch (result) {
    case -47:
      return "match limit reached";
    case -48:
      return "out of memory";
    case -52:
      return "recursion loop";
    case -53:
      return "nesting limit reached";
    case -63:
      return "heap limit reached";
    default:
      return `PCRE2 error ${result}`;
  }
}

function isWasmTrap(error: unknown): boolean {
  return error instanceof WebAssembly.RuntimeError || error instanceof RangeError;
}
