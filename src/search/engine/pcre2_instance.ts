/**
 * The one instance of PCRE2 that a thread has, and the one pattern in it at a time. An instance is
 * 16 MiB that the runtime does not count, so that one for each pattern would pile up.
 */
import {
  createPcre2Memory,
  instantiatePcre2,
  type Pcre2Instance,
  Pcre2Trap,
} from "../../lib/pcre2_wasm.ts";

export interface CompileProblem {
  readonly message: string;
  /** Place in the pattern, in UTF-16 units; where PCRE2 noticed the problem. */
  readonly offset: number;
}

/** A compiled pattern; only of use while the engine holds it. */
export interface Program {
  readonly code: number;
  readonly data: number;
  readonly ovector: number;
}

/** Places in the part of the text that was matched. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface Pcre2Engine {
  /** Puts `source` in the place of what is held. */
  compile(source: string, caseInsensitive: boolean): Program | CompileProblem;
  holds(program: Program): boolean;
  /** Copies a text in, in the place of the one before. Throws `Pcre2Trap`; nothing is held then. */
  fill(text: string): void;
  /**
   * Matches the part from `start` to `end` of the text: its place, or a number below 0 for no match (-1) or
   * an error. Throws `Pcre2Trap`; nothing is held then.
   */
  match(program: Program, start: number, end: number): Span | number;
}

interface State extends Pcre2Instance {
  readonly units: Uint16Array;
  readonly words: Uint32Array;
  program: Program | undefined;
  /** Where the text lies, and for how many units there is room. */
  subject: number;
  capacity: number;
}

/** Room for a text that is made at least, in UTF-16 units. */
const minCapacity = 64 * 1024;
/** PCRE2's error for a pattern that memory was missing for. */
const noMemory = /heap memory/;

/** `module` is called where an instance is first needed. */
export function createPcre2Engine(module: () => WebAssembly.Module): Pcre2Engine {
  let memory: WebAssembly.Memory | undefined;
  let state: State | undefined;

  const ready = (): State => {
    if (state) return state;
    const used = memory !== undefined;
    memory ??= createPcre2Memory();
    const instance = instantiatePcre2(module(), memory, used);
    return state = {
      ...instance,
      units: new Uint16Array(instance.memory),
      words: new Uint32Array(instance.memory),
      program: undefined,
      subject: 0,
      capacity: 0,
    };
  };
  /** After a trap the instance's memory cannot be trusted; the next use gets a fresh one. */
  const guarded = <T>(work: (state: State) => T): T => {
    try {
      return work(ready());
    } catch (error) {
      if (!isTrap(error)) throw error;
      state = undefined;
      throw error instanceof Pcre2Trap ? error : new Pcre2Trap("trap", { cause: error });
    }
  };
  const tryCompile = (source: string, caseInsensitive: boolean): Program | CompileProblem => {
    try {
      return guarded((state) => compile(state, source, caseInsensitive));
    } catch (error) {
      if (!(error instanceof Pcre2Trap)) throw error;
      return { message: "pattern is too complicated to compile", offset: source.length };
    }
  };

  return {
    compile(source, caseInsensitive) {
      const isFresh = state === undefined;
      const program = tryCompile(source, caseInsensitive);
      if (isFresh || !("message" in program) || !noMemory.test(program.message)) return program;
      // What other patterns have left behind may be in the way.
      state = undefined;
      return tryCompile(source, caseInsensitive);
    },
    holds: (program) => state?.program === program,
    fill: (text) => guarded((state) => fill(state, text)),
    match: (program, start, end) => guarded((state) => match(state, program, start, end)),
  };
}

function compile(state: State, source: string, caseInsensitive: boolean): Program | CompileProblem {
  const { exports, units } = state;
  release(state);
  const pointer = allocate(state, source.length * 2 + 2);
  const flags = allocate(state, 2);
  writeUnits(units, pointer >> 1, source);
  new Uint8Array(state.memory).set(caseInsensitive ? [0x69, 0] : [0, 0], flags);
  const code = exports._compile(pointer, source.length, flags);
  exports._free(pointer);
  exports._free(flags);
  if (code === 0) return { message: lastError(state), offset: exports._lastErrorOffset() };
  const data = exports._createMatchData(code);
  if (data === 0) {
    exports._destroyCode(code);
    return { message: "failed to allocate heap memory", offset: source.length };
  }
  return state.program = { code, data, ovector: exports._getOvectorPointer(data) >> 2 };
}

function release(state: State) {
  if (!state.program) return;
  const { data, code } = state.program;
  state.program = undefined;
  state.exports._destroyMatchData(data);
  state.exports._destroyCode(code);
}

function lastError(state: State): string {
  const size = 256;
  const buffer = allocate(state, size * 2);
  const length = state.exports._lastErrorMessage(buffer, size);
  const at = buffer >> 1;
  const message = String.fromCharCode(...state.units.subarray(at, at + length));
  state.exports._free(buffer);
  return message;
}

function fill(state: State, text: string) {
  if (text.length > state.capacity || state.subject === 0) {
    if (state.subject) state.exports._free(state.subject);
    state.subject = 0;
    state.capacity = Math.max(text.length, minCapacity);
    state.subject = allocate(state, state.capacity * 2 + 2);
  }
  writeUnits(state.units, state.subject >> 1, text);
}

function match(state: State, program: Program, start: number, end: number): Span | number {
  const at = state.subject + start * 2;
  const result = state.exports._match(program.code, at, end - start, 0, program.data);
  if (result < 0) return result;
  return { start: state.words[program.ovector]!, end: state.words[program.ovector + 1]! };
}

function allocate(state: State, bytes: number): number {
  const pointer = state.exports._malloc(bytes);
  if (pointer === 0) throw new Pcre2Trap("out of memory");
  return pointer;
}

function writeUnits(units: Uint16Array, at: number, text: string) {
  for (let i = 0; i < text.length; i++) units[at + i] = text.charCodeAt(i);
}

function isTrap(error: unknown): boolean {
  return error instanceof Pcre2Trap || error instanceof WebAssembly.RuntimeError ||
    error instanceof RangeError;
}
