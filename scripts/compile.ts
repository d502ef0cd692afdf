/**
 * Owns the making of the binary: bundle with code splitting, then `deno compile`.
 *
 *     deno task compile [--target <triple>] [--output <file>]
 *
 * `DENORT_BIN` names a runtime to embed instead of the one that deno fetches.
 */
import { bundle } from "./bundle.ts";

const root = new URL("..", import.meta.url).pathname;

/** Passed to V8 in the compiled program as in `deno task start`. */
const v8Flags = "--enable-experimental-regexp-engine-on-excessive-backtracks";

async function compile(args: string[]): Promise<number> {
  const output = optionValue(args, "--output") ?? `${root}dist/nimlet`;
  const target = optionValue(args, "--target");
  const folder = await Deno.makeTempDir({ prefix: "nimlet-bundle-" });
  try {
    await bundle(root, `${folder}/bundle`);
    const { code } = await new Deno.Command(Deno.execPath(), {
      args: [
        "compile",
        "--quiet",
        "--allow-all",
        "--no-check",
        "--no-lock",
        `--v8-flags=${v8Flags}`,
        ...(target ? ["--target", target] : []),
        "--include",
        `${folder}/bundle`,
        "--output",
        output,
        `${folder}/bundle/main.js`,
      ],
      cwd: folder,
    }).spawn().status;
    return code;
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
