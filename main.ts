import { version } from "./src/cli/version.ts";
import { prepareSignals } from "./src/host/signals.ts";

// Scripts ask for the version often: nothing else is loaded for it.
if (Deno.args.length === 1 && Deno.args[0] === "--version") {
  try {
    Deno.stdout.writeSync(new TextEncoder().encode(`nimlet ${version}\n`));
    Deno.exit(0);
  } catch {
    // nobody reads: the program says so in its own way
  }
}

prepareSignals();
const { main } = await import("./src/cli/main.ts");
const { realHost } = await import("./src/host/real_host.ts");
Deno.exit(await main(Deno.args, realHost(), Deno.exit));
