import { version } from "./src/lib/version.ts";

// Scripts ask for the version often: nothing else is loaded for it.
if (Deno.args.length === 1 && Deno.args[0] === "--version") {
  try {
    Deno.stdout.writeSync(new TextEncoder().encode(`nimlet ${version}\n`));
    Deno.exit(0);
  } catch {
    // nobody reads: the program says so in its own way
  }
}

const { runProgram } = await import("./src/cli/program.ts");
Deno.exit(await runProgram(Deno.args, Deno.exit));
