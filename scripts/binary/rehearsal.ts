/** Runs the program like the binary, and then writes its compiled code into the file in NIMLET_CODE_FILE. */
import { compiledCode, runProgram } from "./program.ts";

const status = await runProgram(Deno.args, Deno.exit);
Deno.writeFileSync(Deno.env.get("NIMLET_CODE_FILE")!, compiledCode());
Deno.exit(status);
