/** `deno compile` for a folder that holds a bundle. */
import { resolve } from "node:path";
import { fixTimes } from "./packaging/build_folder.ts";

/** Passed to V8 in the compiled program; kept code is accepted with the same flags alone. */
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
  // Nor does the thorough compilation of JavaScript pay: runs are short, and what runs often is compiled
  // by the tier below it. A first search takes a tenth less without it, and text streams no slower.
  "--no-opt",
  // V8's quick compiler works beside the program otherwise, and makes it wait for 3 ms when its code comes.
  "--no-concurrent-sparkplug",
  // The program says when to collect what it has sent (`host/sent_bodies.ts`).
  "--expose-gc",
  // Code that ran once is thrown away otherwise, before it can be kept.
  "--no-flush-bytecode",
].join(",");

export interface CompileOptions {
  /** Deno's name for a system; this machine's own without it. */
  readonly target?: string | undefined;
  /** `main.js` without it. */
  readonly entry?: string;
  /** Deno's messages are in the result, and not shown. */
  readonly quiet?: boolean;
}

/**
 * Embeds an entry of `folder`, and all of the folder `program` in it. Nothing is kept in the folder for temporary files: on a machine shared
 * with others, they could put code there. A runtime in DENORT_BIN is for this machine alone.
 */
export async function compileFolder(
  folder: string,
  output: string,
  { target = Deno.build.target, entry = "main.js", quiet = false }: CompileOptions = {},
): Promise<{ code: number; said: string }> {
  const own = target === Deno.build.target;
  await fixTimes(folder);
  const { DENORT_BIN, ...others } = Deno.env.toObject();
  const env = own && DENORT_BIN ? { ...others, DENORT_BIN: await runtimeAt(DENORT_BIN) } : others;
  const child = new Deno.Command(Deno.execPath(), {
    args: [
      "compile",
      "--quiet",
      "--allow-all",
      "--no-check",
      "--no-lock",
      "--no-config",
      "--no-code-cache",
      `--v8-flags=${v8Flags}`,
      ...(own ? [] : ["--target", target]),
      // a folder: a script that is named by itself would be taken for a module, and held twice
      "--include",
      `${folder}/program`,
      "--output",
      output,
      `${folder}/${entry}`,
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

async function runtimeAt(path: string): Promise<string> {
  const file = fromCaller(path);
  const isFile = await Deno.stat(file).then((info) => info.isFile, () => false);
  if (!isFile) throw new Error(`DENORT_BIN: expected the file of a runtime at ${file}, found none`);
  return file;
}

/** A path as the person at the shell means it: `deno task` starts its commands in the project's folder. */
export function fromCaller(path: string): string {
  return resolve(Deno.env.get("INIT_CWD") ?? Deno.cwd(), path);
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
