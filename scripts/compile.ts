/**
 * The making of the binary: bundle, `deno compile`, and the compiled code that it starts from.
 *
 *     deno task compile [--target <triple>] [--output <file>]
 *
 * `DENORT_BIN` names a runtime to embed instead of the one that deno fetches. A binary for another system
 * starts without compiled code, as that is made by running it.
 */
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { bundle } from "./bundle.ts";
import { compileFolder, type CompileOptions, fromCaller, withFolder } from "./compile_folder.ts";
import { keepCode, startsFromCode } from "./compiled_code.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Makes the binary, and says where it is; gives an exit status, with what went wrong on stderr. */
export async function compile(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: { output: { type: "string" }, target: { type: "string" } },
  });
  const { output: wanted = `${root}dist/nimlet`, target = Deno.build.target } = values;
  const output = fromCaller(wanted);
  return await withFolder(async (folder) => {
    await bundle(root, folder);
    const { code, said, startsFromCode } = await compileProgram(folder, output, {
      target,
      quiet: true,
    });
    if (code !== 0) console.error(`compile: ${output} was not made: ${reasonIn(said, target)}`);
    else if (!startsFromCode) console.error(`compile: ${plainStart(target)}`);
    if (code === 0) console.log(`made ${output}`);
    return code;
  });
}

/** What of deno's message says why; only this machine's own target can have another runtime. */
export function reasonIn(said: string, target: string): string {
  // deno-lint-ignore no-control-regex -- colours are taken off
  const lines = said.replace(/\x1b\[[0-9;]*m/g, "").split("\n").map((line) => line.trim());
  const fetching = lines.find((line) => line.includes("error sending request for url"));
  if (fetching !== undefined) {
    const [, url] = /url \(([^)]*)\)/.exec(fetching) ?? [];
    return `its runtime could not be fetched from ${url ?? "the network"}; ` +
      "run this where deno can fetch it" +
      (target === Deno.build.target ? ", or name a runtime for this system in DENORT_BIN" : "");
  }
  const [first, ...others] = lines.filter((line) => line !== "");
  const cause = others.slice(others.indexOf("Caused by:") + 1).at(-1);
  if (first === undefined) return "deno compile failed without a word";
  return cause === undefined ? first : `${first}: ${cause.replace(/^\d+: /, "")}`;
}

/** Why a binary starts without compiled code. */
export function plainStart(target: string): string {
  return "starts without compiled code, " +
    (target === Deno.build.target
      ? "which this runtime refuses"
      : "as it was made on another system");
}

/** Makes a program that does nothing, in the same way: what the measurements compare with. */
export async function compileEmpty(output: string): Promise<number> {
  return await withFolder(async (folder) => {
    await Deno.mkdir(`${folder}/program`);
    await Deno.writeTextFile(`${folder}/main.js`, "");
    return (await compileFolder(folder, output)).code;
  });
}

export interface Compiled {
  /** The exit status of `deno compile`. */
  readonly code: number;
  /** What it said, where it was to be quiet. */
  readonly said: string;
  /** Whether the binary starts from compiled code. */
  readonly startsFromCode: boolean;
}

/** Embeds the bundled program, for this system with the compiled code that it starts from. */
export async function compileProgram(
  folder: string,
  output: string,
  options: CompileOptions = {},
): Promise<Compiled> {
  const { target = Deno.build.target } = options;
  if (target === Deno.build.target) {
    const file = `${folder}/program/script.code`;
    const rehearsed = await keepCode(folder, file, options);
    if (rehearsed.code !== 0) return { ...rehearsed, startsFromCode: false };
    try {
      const made = await compileFolder(folder, output, options);
      if (made.code !== 0) return { ...made, startsFromCode: false };
      if (await startsFromCode(output)) return { ...made, startsFromCode: true };
    } finally {
      // it is for no other system
      await Deno.remove(file);
    }
  }
  return { ...await compileFolder(folder, output, options), startsFromCode: false };
}

if (import.meta.main) {
  Deno.exit(
    await compile(Deno.args).catch((error) => {
      console.error(`compile: ${error instanceof Error ? error.message : error}`);
      return 1;
    }),
  );
}
