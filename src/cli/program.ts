/** The program on the real machine: what `main.ts` runs, from source and in the binary. */
import type { Host } from "../core/host.ts";
import { realHost } from "../host/real_host.ts";
import { prepareSignals } from "../host/signals.ts";
import { main } from "./main.ts";

/** Runs the program to its exit status. `exit` ends it at once, for a stop that cannot wait. */
export function runProgram(
  args: readonly string[],
  exit: (status: number) => void,
  compiledCode: Host["compiledCode"] = "none",
): Promise<number> {
  prepareSignals();
  return main(args, realHost(compiledCode), exit);
}
