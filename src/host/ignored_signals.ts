/** Tells which signals the program was started to ignore, as by `nohup` or in the background of a script. */

let found: ReadonlySet<Deno.Signal> | undefined;

/**
 * The signals that were ignored when this was first asked, which must be before any listener is
 * added: the runtime then listens for the usual ones itself, and they are ignored no more.
 */
export function ignoredSignals(): ReadonlySet<Deno.Signal> {
  return found ??= new Set(candidates.filter(isIgnored()).map(([name]) => name));
}

/** Numbered alike on Linux and macOS. */
export const candidates: readonly (readonly [Deno.Signal, number])[] = [
  ["SIGHUP", 1],
  ["SIGINT", 2],
  ["SIGTERM", 15],
  ["SIGXFSZ", 25],
];

type Test = (candidate: readonly [Deno.Signal, number]) => boolean;

function isIgnored(): Test {
  try {
    switch (Deno.build.os) {
      case "linux":
        return byStatus();
      case "darwin":
        return byLibrary("libSystem.B.dylib");
      default:
        return () => false;
    }
  } catch {
    return () => false; // Nobody says: then none counts as ignored.
  }
}

function byStatus(): Test {
  const mask = /^SigIgn:\s*([0-9a-f]+)$/m.exec(Deno.readTextFileSync("/proc/self/status"))?.[1];
  const bits = BigInt(`0x${mask ?? "0"}`);
  return ([, number]) => (bits >> BigInt(number - 1) & 1n) === 1n;
}

const ignore = 1n;

/** Asks the C library. */
export function byLibrary(name: string): Test {
  const library = Deno.dlopen(name, {
    sigaction: { parameters: ["i32", "pointer", "buffer"], result: "i32" },
  });
  return ([, number]) => {
    // The handler comes first in the structure, on every system.
    const action = new Uint8Array(512);
    const answered = library.symbols.sigaction(number, null, action) === 0;
    return answered && new DataView(action.buffer).getBigUint64(0, true) === ignore;
  };
}
