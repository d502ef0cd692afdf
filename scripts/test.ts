/**
 * The running of the tests and their closing line.
 *
 *     deno task test [--e2e | --fuzz] [<files or folders>] [<options of deno test, as --filter X>]
 *
 * `--e2e` runs only the tests of the whole program; with NIMLET_BIN they run that binary. `--fuzz`
 * runs only the tests that try random cases, with NIMLET_FUZZ of them each (24,000), which
 * NIMLET_FUZZ_SEED chooses. Files run beside each other in processes of their own, DENO_JOBS at once
 * (one a core), each with its output in one piece; named files run in one process. Ignored and failed
 * tests are listed again at the end, whose last line is `N passed, N failed`, alone.
 */
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

async function test(args: readonly string[]): Promise<number> {
  const endToEnd = args.includes("--e2e"), fuzz = args.includes("--fuzz");
  const rest = args.filter((arg) => arg !== "--e2e" && arg !== "--fuzz");
  if (fuzz && !Deno.env.get("NIMLET_FUZZ")) Deno.env.set("NIMLET_FUZZ", "24000");
  if (namesFiles(rest)) return close([await run(rest, Deno.stdout.writable)]);
  const files = testFiles(endToEnd ? "tests/e2e" : "tests");
  return close(await runBeside(chunksOf(fuzz ? files.filter(isFuzz) : files), rest));
}

function isFuzz(path: string): boolean {
  return path.startsWith("tests/fuzz/") || path.endsWith("_fuzz_test.ts");
}

interface Result {
  readonly code: number;
  readonly counts: Counts | undefined;
  /** Names of the tests that were ignored, which hold the reason. */
  readonly ignored: readonly string[];
  /** What the reporter says of each failed test: its name, and the first lines of its error. */
  readonly failed: readonly string[];
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
  const [said] = await Promise.all([passOn(child.stdout, writer), passOn(child.stderr, writer)]);
  writer.releaseLock();
  const { code } = await child.status;
  return { code, counts: countsIn(said), ignored: ignoredIn(said), failed: failedIn(said) };
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
  const errors = results.flatMap((result) => result.failed);
  if (errors.length > 0) {
    console.log(`\nFAILED:\n${errors.map((error) => `  ${error}\n`).join("")}`);
  }
  if (broken > 0) console.log("\nA run of deno test did not come to its end: see the lines above.");
  const passed = sum("passed"), failed = sum("failed") + broken, skipped = sum("skipped");
  if (passed + failed === 0) console.log("\nNo test was run: check the names and the filter.");
  const ignored = results.flatMap((result) => result.ignored);
  if (ignored.length > 0) {
    console.log(`\nNOT TESTED:\n${ignored.map((name) => `  ${name}\n`).join("")}`);
  }
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

/** Copies `stream` as it comes, and keeps as much of its end as summaries are read from. */
async function passOn(
  stream: ReadableStream<Uint8Array>,
  writer: WritableStreamDefaultWriter<Uint8Array>,
): Promise<string> {
  const decoder = new TextDecoder();
  let tail = "";
  for await (const bytes of stream) {
    await writer.write(bytes);
    tail = (tail + decoder.decode(bytes, { stream: true })).slice(-1_000_000);
  }
  return tail;
}

export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** Names of the tests that deno's test reporter shows as ignored. */
export function ignoredIn(output: string): string[] {
  return [...withoutColours(output).matchAll(/^(\S.*) \.\.\. ignored(?: \(.*\))?$/gm)].map((
    [, name],
  ) => name!);
}

const linesOfAnError = 12;

/** Failed tests as deno's test reporter explains them, each with the first lines of its error, indented. */
export function failedIn(output: string): string[] {
  const text = withoutColours(output);
  const errors = text.slice(text.lastIndexOf("\n ERRORS \n"), text.lastIndexOf("\n FAILURES \n"));
  return errors.split(/^(?=\S.* => \S+:\d+:\d+$)/m).slice(1).map((error) => {
    const lines = error.trimEnd().split("\n");
    const shown = lines.slice(0, linesOfAnError);
    if (lines.length > shown.length) {
      shown.push(`(${lines.length - shown.length} more lines above)`);
    }
    return shown.join("\n    ");
  });
}

function withoutColours(text: string): string {
  // deno-lint-ignore no-control-regex -- they are what is looked for
  return text.replace(/\x1b\[[0-9;]*m/g, "");
}

/** What the last summary line of deno's test reporter counts; undefined where there is none. */
export function countsIn(output: string): Counts | undefined {
  const [summary] = [...withoutColours(output).matchAll(/^(?:ok|FAILED) \| \d+ passed.*$/gm)].slice(
    -1,
  );
  if (summary === undefined) return undefined;
  const count = (word: string) =>
    Number(new RegExp(`\\| (\\d+) ${word}\\b`).exec(summary[0])?.[1] ?? 0);
  return { passed: count("passed"), failed: count("failed"), skipped: count("ignored") };
}

if (import.meta.main) Deno.exit(await test(Deno.args));
