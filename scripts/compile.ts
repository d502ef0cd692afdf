/**
 * The making of the binary: bundle with code splitting, then `deno compile`.
 *
 *     deno task compile [--target <triple>] [--output <file>] [--no-code-cache]
 *
 * `DENORT_BIN` names a runtime to embed instead of the one that deno fetches. `--no-code-cache` makes a
 * program that keeps no compiled code in the temporary folder: it starts some 20 ms later, and does
 * not depend on who else may write there.
 */
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { bundle } from "./bundle.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Passed to V8 in the compiled program. */
const v8Flags = [
  // as in `deno task start`
  "--enable-experimental-regexp-engine-on-excessive-backtracks",
  // New objects get 4 MB: a start fits into it without a collection, and long answers are kept from
  // filling the 16 MB that V8 would take.
  "--min-semi-space-size=4",
  "--max-semi-space-size=4",
  // V8's second, thorough compilation of PCRE2's largest function takes 1 GB of memory, for nothing that
  // could be measured.
  "--liftoff-only",
].join(",");

/** Makes the binary; gives an exit status, with what went wrong on stderr. */
export async function compile(args: string[]): Promise<number> {
  const output = resolve(optionValue(args, "--output") ?? `${root}dist/nimlet`);
  const target = optionValue(args, "--target");
  return await withFolder(async (folder) => {
    await bundle(root, `${folder}/bundle`);
    const codeCache = !args.includes("--no-code-cache");
    return (await compileFolder(`${folder}/bundle`, output, target, { codeCache })).code;
  });
}

/** Makes a program that does nothing, in the same way: what the measurements compare with. */
export async function compileEmpty(output: string): Promise<number> {
  return await withFolder(async (folder) => {
    await Deno.mkdir(`${folder}/bundle`);
    await Deno.writeTextFile(`${folder}/bundle/main.js`, "");
    return (await compileFolder(`${folder}/bundle`, output, undefined)).code;
  });
}

/**
 * Embeds the bundle in `folder`. With `quiet` deno's messages are in the result, and not shown. A
 * runtime in DENORT_BIN is for this machine: without `target` only.
 */
export async function compileFolder(
  folder: string,
  output: string,
  target: string | undefined,
  { quiet = false, codeCache = true }: { quiet?: boolean; codeCache?: boolean } = {},
): Promise<{ code: number; said: string }> {
  const { DENORT_BIN, ...others } = Deno.env.toObject();
  const env = target === undefined && DENORT_BIN ? { ...others, DENORT_BIN } : others;
  const child = new Deno.Command(Deno.execPath(), {
    args: [
      "compile",
      "--quiet",
      "--allow-all",
      "--no-check",
      "--no-lock",
      "--no-config",
      ...(codeCache ? [] : ["--no-code-cache"]),
      `--v8-flags=${v8Flags}`,
      ...(target ? ["--target", target] : []),
      "--include",
      folder,
      "--output",
      output,
      `${folder}/main.js`,
    ],
    cwd: folder,
    clearEnv: true,
    env,
    stdout: "inherit",
    stderr: quiet ? "piped" : "inherit",
  }).spawn();
  const said = quiet ? await new Response(child.stderr).text() : "";
  return { code: (await child.status).code, said };
}

/** Gives `use` a folder that is removed after it. */
export async function withFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await Deno.makeTempDir({ prefix: "nimlet-bundle-" });
  try {
    return await use(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

function optionValue(args: string[], name: string): string | undefined {
  const index = args.findIndex((arg) => arg === name || arg.startsWith(`${name}=`));
  if (index < 0) return undefined;
  const arg = args[index]!;
  return arg === name ? args[index + 1] : arg.slice(name.length + 1);
}

if (import.meta.main) Deno.exit(await compile(Deno.args));
