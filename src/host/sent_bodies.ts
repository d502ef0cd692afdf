/** The memory of request bodies: has it given back in time. */

/** V8's collector, which the binary can call (`scripts/compile_folder.ts`). */
type Collect = (options: { readonly type: "major" }) => void;

/** So much is sent before what is left of it is collected. */
const collectEveryBytes = 4 * 1024 * 1024;

let sentBytes = 0;

/**
 * Hears of a body that was sent. The runtime copies bodies, the copies are collected late, and the
 * system's library keeps what was freed: without this a run of a thousand steps holds a dozen of the
 * latest. It takes some 10 ms, while the model works.
 */
export function bodyWasSent(bytes: number): void {
  sentBytes += bytes;
  if (sentBytes < collectEveryBytes) return;
  sentBytes = 0;
  const { gc } = globalThis as { readonly gc?: Collect };
  if (gc === undefined) return;
  gc({ type: "major" });
  (trim ??= trimmer())();
}

let trim: (() => void) | undefined;

/** Gives free memory back to the system, where the library has a call for that. */
function trimmer(): () => void {
  try {
    if (Deno.build.os !== "linux") return () => {};
    const trim = { malloc_trim: { parameters: ["usize"], result: "i32" } } as const;
    const { symbols } = Deno.dlopen("libc.so.6", trim);
    return () => void symbols.malloc_trim(0n);
  } catch {
    return () => {}; // another library than GNU's
  }
}
