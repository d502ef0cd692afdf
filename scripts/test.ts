/**
 * The running of the tests and their closing line.
 *
 *     deno task test [--e2e] [<files or folders>] [<options of deno test, as --filter X>]
 *
 * `--e2e` runs only the tests of the whole program; with NIMLET_BIN they run that binary. Files run
 * beside each other in processes of their own, DENO_JOBS at once (one a core), each with its output
 * in one piece; named files run in one process. Ends with `N passed, N failed` alone on a line.
 */
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

async function test(args: readonly string[]): Promise<number> {
  const endToEnd = args.includes("--e2e");
  const rest = args.filter((arg) => arg !== "--e2e");
  const results = namesFiles(rest)
    ? [await run(rest, Deno.stdout.writable)]
    : await runBeside(chunksOf(testFiles(endToEnd ? "tests/e2e" : "tests")), rest);
  return close(results);
}

interface Result {
  readonly code: number;
  readonly counts: Counts | undefined;
}

/** Runs deno test once; what it prints goes to `output`, which stays open. */
async function run(args: readonly string[], output: WritableStream<Uint8Array>): Promise<Result> {
  const child = new Deno.Command(Deno.execPath(), {
    args: [
      "test",
      "--allow-all",
      "--no-check",
      // as the program itself runs
      "--v8-flags=--enable-experimental-regexp-engine-on-excessive-backtracks,--liftoff-only",
      ...args,
    ],
    cwd: root,
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const writer = output.getWriter();
  const [tail] = await Promise.all([passOn(child.stdout, writer), passOn(child.stderr, writer)]);
  writer.releaseLock();
  const { code } = await child.status;
  return { code, counts: countsIn(tail) };
}

async function runBeside(chunks: string[][], options: readonly string[]): Promise<Result[]> {
  const jobs = Number(Deno.env.get("DENO_JOBS")) || Math.min(navigator.hardwareConcurrency, 4);
  const results: Result[] = [];
  const work = async () => {
    for (let files = chunks.shift(); files !== undefined; files = chunks.shift()) {
      const pieces: Uint8Array[] = [];
      const collect = new WritableStream<Uint8Array>({ write: (piece) => void pieces.push(piece) });
      results.push(await run([...options, ...files], collect));
      // In one go, so that two outputs never mingle.
      for (const piece of pieces) {
        for (let done = 0; done < piece.length;) {
          done += Deno.stdout.writeSync(piece.subarray(done));
        }
      }
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, jobs) }, work));
  return results;
}

function close(results: readonly Result[]): number {
  const sum = (key: keyof Counts) =>
    results.reduce((all, { counts }) => all + (counts?.[key] ?? 0), 0);
  // A run without a summary, or one that failed without a failed test, counts as one failure.
  const broken =
    results.filter(({ code, counts }) =>
      counts === undefined || (code !== 0 && counts.failed === 0 && !isEmpty(counts))
    ).length;
  if (broken > 0) console.log("\nA run of deno test did not come to its end: see the lines above.");
  const passed = sum("passed"), failed = sum("failed") + broken, skipped = sum("skipped");
  if (passed + failed === 0) console.log("\nNo test was run: check the names and the filter.");
  console.log(`${passed} passed, ${failed} failed${skipped === 0 ? "" : `, ${skipped} skipped`}`);
  return failed > 0 || passed === 0 ? 1 : 0;
}

/** A filter may leave nothing of a file, which deno test reports as a failure. */
function isEmpty({ passed, failed, skipped }: Counts): boolean {
  return passed + failed + skipped === 0;
}

/** Paths of the test files below `folder`; the slow ones, of the whole program, first. */
function testFiles(folder: string): string[] {
  const found: string[] = [];
  const look = (path: string) => {
    for (const entry of Deno.readDirSync(`${root}${path}`)) {
      const inner = `${path}/${entry.name}`;
      if (entry.isDirectory) look(inner);
      else if (entry.name.endsWith("_test.ts")) found.push(inner);
    }
  };
  look(folder);
  const isSlow = (path: string) => /^tests\/(e2e|fuzz|docs)\//.test(path);
  return found.sort((a, b) => Number(isSlow(b)) - Number(isSlow(a)) || (a < b ? -1 : 1));
}

const filesATime = 4;

function chunksOf(files: readonly string[]): string[][] {
  const chunks: string[][] = [];
  for (let at = 0; at < files.length; at += filesATime) {
    chunks.push(files.slice(at, at + filesATime));
  }
  return chunks;
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

/** Copies `stream` as it comes; the end of it is what the summary is read from. */
async function passOn(
  stream: ReadableStream<Uint8Array>,
  writer: WritableStreamDefaultWriter<Uint8Array>,
): Promise<string> {
  const decoder = new TextDecoder();
  let tail = "";
  for await (const bytes of stream) {
    await writer.write(bytes);
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
