/**
 * The measurements of grep and glob against ripgrep: the searches, the ratios.
 *
 *     deno run -A scripts/bench_search.ts <nimlet> [--runs <count>]
 *
 * Whole process against whole process, in turn, on a tree made from a seed; the median of the ratios
 * counts.
 */
import { createGrepTool } from "../src/tools/grep.ts";
import type { ToolContext } from "../src/core/tool.ts";
import { realHost } from "../src/host/real_host.ts";
import { type Measured, median, type Row } from "./bench_kit.ts";
import { treeKeeper } from "./bench_tree.ts";

interface Search {
  readonly name: string;
  readonly tool: "grep" | "glob";
  readonly input: Record<string, string>;
  readonly ripgrep: readonly string[];
  /** Most time it may take, in that of ripgrep. */
  readonly most: number;
}

/** The same files for both: hidden ones too, ignore files honoured, the excluded folders left out. */
const sameFiles = [
  "--hidden",
  "--no-require-git",
  "--sort=none",
  ...[".git", "node_modules", "nimcache", "dist", "build", "target", ".next", ".turbo"]
    .map((folder) => `--glob=!**/${folder}/**`),
];

const grep = (name: string, pattern: string, most: number, ...flags: string[]): Search => ({
  name,
  tool: "grep",
  input: { pattern },
  ripgrep: [...sameFiles, "-n", ...flags, "-e", pattern, "."],
  most,
});

const glob = (name: string, pattern: string, most: number): Search => ({
  name,
  tool: "glob",
  input: { pattern },
  ripgrep: [...sameFiles, "--files", "-g", pattern],
  most,
});

const searches: readonly Search[] = [
  grep("grep-words", "TODO|FIXME", 1.4),
  grep("grep-many", "import", 1.4),
  grep("grep-nothing", "zzqqxx_none|YYnope", 1.6),
  grep("grep-function", "function\\s+\\w+", 2),
  grep("grep-case", "(?i)qqzzqq", 1.8),
  grep("grep-class", "[0-9]{13}[A-F]{7}", 1.8),
  grep("grep-reference", "(\\w+)\\s+\\1", 2, "-P"),
  grep("grep-behind", "(?<=return )value", 2, "-P"),
  grep("grep-atomic", "(?>qq)zzqq", 1.5, "-P"),
  grep("grep-atomic-class", "(?>[0-9]{13})[A-F]{7}", 2.4, "-P"),
  glob("glob", "**/*.ts", 2),
  glob("glob-nothing", "**/*_none.ts", 2),
];

const wantedSecondRatio = 1.2;

const withTree = treeKeeper();

/** For the main bench; each row makes the tree once and shares it. */
export const searchRows: readonly Row[] = [
  ...searches.map((search): Row => ({
    name: search.name,
    what: `${search.tool} ${search.input.pattern} against ripgrep`,
    unit: "x",
    wanted: { most: search.most },
    measure: (kit) => withTree((tree) => compare(kit.nimlet, search, tree, kit.runs)),
  })),
  {
    name: "grep-second",
    what: "grep zzqqxx_none|YYnope again in one process against ripgrep",
    unit: "x",
    wanted: { most: wantedSecondRatio },
    measure: (kit) => withTree((tree) => compareSecond(tree, kit.runs)),
  },
];

/** The program and ripgrep in turn. */
async function compare(
  nimlet: string,
  search: Search,
  tree: string,
  runs: number,
): Promise<Measured> {
  const args = ["--no-session", "--call-tool", search.tool, JSON.stringify(search.input)];
  const ours: number[] = [], theirs: number[] = [];
  await timeProcess(nimlet, args, tree);
  await timeProcess("rg", search.ripgrep, tree);
  for (let run = 0; run < runs; run++) {
    ours.push(await timeProcess(nimlet, args, tree));
    theirs.push(await timeProcess("rg", search.ripgrep, tree));
  }
  return ratioOf(ours, theirs);
}

/** Searches after the first one in this very process, against whole runs of ripgrep. */
async function compareSecond(tree: string, runs: number): Promise<Measured> {
  const search = searches.find(({ name }) => name === "grep-nothing")!;
  const tool = createGrepTool();
  const context: ToolContext = {
    workspace: await Deno.realPath(tree),
    host: realHost(),
    signal: new AbortController().signal,
    childEnv: {},
    progress: () => {},
    limits: { maxOutputBytes: 100_000 },
  };
  const parsed = await tool.input.parse(search.input);
  if ("problems" in parsed) throw new Error(parsed.problems.join("; "));
  await tool.run(parsed.input, context);
  const ours: number[] = [], theirs: number[] = [];
  for (let run = 0; run < runs; run++) {
    const startedMs = performance.now();
    await tool.run(parsed.input, context);
    ours.push(performance.now() - startedMs);
    theirs.push(await timeProcess("rg", search.ripgrep, tree));
  }
  return ratioOf(ours, theirs);
}

/** Of the ratios run by run: what else the machine does at a time slows both of a pair. */
function ratioOf(ours: readonly number[], theirs: readonly number[]): Measured {
  const ratios = ours.map((ms, run) => ms / theirs[run]!);
  return {
    value: median(ratios),
    note: `${median(ours).toFixed(0)} ms against ${median(theirs).toFixed(0)} ms`,
  };
}

/** Wall time in ms; throws where the program fails. */
async function timeProcess(file: string, args: readonly string[], cwd: string): Promise<number> {
  const startedMs = performance.now();
  const { code, stderr } = await new Deno.Command(file, {
    args: [...args],
    cwd,
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).output();
  const tookMs = performance.now() - startedMs;
  // ripgrep ends with 1 where nothing is found.
  if (code === 0 || (file === "rg" && code === 1)) return tookMs;
  throw new Error(`${file} ended with ${code}: ${new TextDecoder().decode(stderr)}`);
}

async function main(args: readonly string[]): Promise<number> {
  const nimlet = args[0];
  if (nimlet === undefined || nimlet.startsWith("-")) {
    console.log("usage: bench_search.ts <nimlet> [--runs <count>]");
    return 2;
  }
  const at = args.indexOf("--runs");
  const runs = at < 0 ? 9 : Number(args[at + 1]);
  const path = await Deno.realPath(nimlet);
  let short = 0;
  const print = (name: string, { value, note }: Measured, most: number) => {
    if (value > most) short++;
    const verdict = value > most ? "SHORT" : "ok";
    console.log(`${name.padEnd(16)} ${value.toFixed(2)} x (wanted <= ${most}) ${verdict}: ${note}`);
  };
  for (const search of searches) {
    print(search.name, await withTree((tree) => compare(path, search, tree, runs)), search.most);
  }
  print("grep-second", await withTree((tree) => compareSecond(tree, runs)), wantedSecondRatio);
  return short === 0 ? 0 : 1;
}

if (import.meta.main) Deno.exit(await main(Deno.args));
