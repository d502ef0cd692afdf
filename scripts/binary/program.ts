/**
 * Stands for `src/cli/program.ts` in the binary: runs the program's one script (`bundle_script.ts`),
 * with the compiled code of it that was kept at the build. Where V8 refuses that code, as it was made
 * by another version or with other flags, the script is compiled as it runs.
 */
import { Script } from "node:vm";

const folder = `${import.meta.dirname}/program`;

function keptCode(): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Deno.readFileSync(`${folder}/script.code`);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

/** In a function of its own, so that the bytes of the code are not held for as long as the program runs. */
function makeScript() {
  const cachedData = keptCode();
  const script = new Script(Deno.readTextFileSync(`${folder}/script.js`), {
    filename: `${folder}/script.js`,
    ...(cachedData === undefined ? {} : { cachedData }),
  });
  const use = cachedData === undefined ? "none" : script.cachedDataRejected ? "refused" : "used";
  return { script, use } as const;
}

const { script, use } = makeScript();
const program: typeof import("../../src/cli/program.ts") = script.runInThisContext()(
  process.getBuiltinModule,
  new URL("./program/script.js", import.meta.url).href,
);

export const runProgram: typeof program.runProgram = (args, exit) =>
  program.runProgram(args, exit, use);

/** V8's code of all that has run so far. */
export function compiledCode(): Uint8Array {
  return script.createCachedData();
}
