/**
 * Owns the running of the tests and their closing line.
 *
 *     deno task test [--e2e] [<files or folders>] [<options of deno test, as --filter X>]
 *
 * `--e2e` runs only the tests of the whole program; with NIMLET_BIN they run that binary. With
 * DENO_JOBS above 1 test files run beside each other. Ends with `N passed, N failed` alone on a line.
 */
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

async function test(args: readonly string[]): Promise<number> {
  const endToEnd = args.includes("--e2e");
  const rest = args.filter((arg) => arg !== "--e2e");
  const jobs = Number(Deno.env.get("DENO_JOBS") ?? "1");
  const child = new Deno.Command(Deno.execPath(), {
    args: [
      "test",
      "--allow-all",
      "--no-check",
      // as the program itself runs
      "--v8-flags=--enable-experimental-regexp-engine-on-excessive-backtracks",
      ...(jobs > 1 ? ["--parallel"] : []),
      ...rest,
      ...(namesFiles(rest) ? [] : [endToEnd ? "tests/e2e" : "tests"]),
    ],
    cwd: root,
    stdin: "null",
    stdout: "piped",
  }).spawn();
  const tail = await passOn(child.stdout);
  const { code } = await child.status;
  const counts = countsIn(tail);
  if (counts === undefined) {
    console.log("\nNo summary came from deno test: the tests did not run to their end.");
    console.log("0 passed, 1 failed");
    return code || 1;
  }
  const { passed, failed, skipped } = counts;
  if (passed + failed === 0) console.log("\nNo test was run: check the names and the filter.");
  console.log(`${passed} passed, ${failed} failed${skipped === 0 ? "" : `, ${skipped} skipped`}`);
  return code !== 0 ? code : failed > 0 || passed === 0 ? 1 : 0;
}

/** True where `args` name files or folders of their own; values of options are no names. */
function namesFiles(args: readonly string[]): boolean {
  return args.some((arg) => !arg.startsWith("-") && (arg.endsWith(".ts") || isFolder(arg)));
}

function isFolder(path: string): boolean {
  try {
    return Deno.statSync(new URL(path, `file://${root}`)).isDirectory;
  } catch {
    return false; // whatever it is, it is no folder of tests
  }
}

/** Copies `stream` to stdout as it comes; the end of it is what the summary is read from. */
async function passOn(stream: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let tail = "";
  for await (const bytes of stream) {
    for (let done = 0; done < bytes.length;) done += await Deno.stdout.write(bytes.subarray(done));
    tail = (tail + decoder.decode(bytes, { stream: true })).slice(-100_000);
  }
  return tail;
}

export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** What the last summary line of deno's test reporter counts; undefined where there is none. */
export function countsIn(output: string): Counts | undefined {
  // deno-lint-ignore no-control-regex -- colours are taken off
  const plain = output.replace(/\x1b\[[0-9;]*m/g, "");
  const [summary] = [...plain.matchAll(/^(?:ok|FAILED) \| \d+ passed.*$/gm)].slice(-1);
  if (summary === undefined) return undefined;
  const count = (word: string) =>
    Number(new RegExp(`\\| (\\d+) ${word}\\b`).exec(summary[0])?.[1] ?? 0);
  return { passed: count("passed"), failed: count("failed"), skipped: count("ignored") };
}

if (import.meta.main) Deno.exit(await test(Deno.args));
