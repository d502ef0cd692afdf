/** The package with PCRE2's WebAssembly file: where it is, and how an instance of it is made. */

// Only a package that is part of the running program has a place that can be resolved.
import manifest from "@stephen-riley/pcre2-wasm/package.json" with { type: "json" };

/** What the instance offers; pointers and sizes are numbers, text is UTF-16. */
export interface Pcre2Exports {
  _malloc(bytes: number): number;
  _free(pointer: number): void;
  /** 0 where the pattern does not compile; `flags` points to a zero-ended string of option letters. */
  _compile(pattern: number, units: number, flags: number): number;
  _lastErrorMessage(buffer: number, units: number): number;
  _lastErrorOffset(): number;
  _createMatchData(code: number): number;
  _destroyCode(code: number): void;
  _destroyMatchData(data: number): void;
  /** Groups matched, counting the whole; below 0 for no match (-1) or an error. */
  _match(code: number, subject: number, units: number, offset: number, data: number): number;
  _getOvectorPointer(data: number): number;
}

export interface Pcre2Instance {
  readonly exports: Pcre2Exports;
  /** Its whole memory: fixed, so that views of it stay valid. */
  readonly memory: ArrayBuffer;
}

/** Thrown out of the instance when it can get no more memory or stack; it is unusable then. */
export class Pcre2Trap extends Error {
  override readonly name = "Pcre2Trap";
}

/** The URL of the WebAssembly file inside the package, when the program runs from source. */
export function locatePcre2(): string {
  return import.meta.resolve(`${manifest.name}/dist/libpcre2.wasm`);
}

// The file was built to be linked with exactly these: its memory is fixed at 16 MiB, and the heap
// starts where the build put the end of its stack.
const memoryPages = 256;
const tableSize = 4;
const heapStart = 5_360_256;
const heapTopPointer = 117_184;

/** The memory of one instance at a time; costly, as collecting it takes a while that nobody hurries. */
export function createPcre2Memory(): WebAssembly.Memory {
  return new WebAssembly.Memory({ initial: memoryPages, maximum: memoryPages });
}

/**
 * A fresh instance: nothing of an earlier one's state, which matters after a trap. It takes `memory` over
 * from the instance that had it, which must not be used any more; `used` says that there was one.
 */
export function instantiatePcre2(
  module: WebAssembly.Module,
  memory: WebAssembly.Memory,
  used: boolean,
): Pcre2Instance {
  const bytes = new Uint8Array(memory.buffer);
  if (used) bytes.fill(0);
  const trap = (what: string) => () => {
    throw new Pcre2Trap(what);
  };
  const instance = new WebAssembly.Instance(module, {
    env: {
      memory,
      table: new WebAssembly.Table({ initial: tableSize, maximum: tableSize, element: "anyfunc" }),
      __table_base: 0,
      abortStackOverflow: trap("out of stack"),
      nullFunc_iii: trap("bad call"),
      nullFunc_vii: trap("bad call"),
      // 0 makes malloc answer that there is none left, which PCRE2 reports as its own error.
      _emscripten_resize_heap: () => 0,
      _emscripten_get_heap_size: () => bytes.length,
      _emscripten_memcpy_big: (to: number, from: number, count: number) => {
        bytes.copyWithin(to, from, from + count);
        return to;
      },
    },
  });
  new Int32Array(memory.buffer)[heapTopPointer >> 2] = heapStart;
  return {
    exports: instance.exports as unknown as Pcre2Exports,
    memory: memory.buffer as ArrayBuffer,
  };
}
