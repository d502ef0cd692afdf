/**
 * The measurements of grep and glob against ripgrep: the tree, the searches, the ratios.
 *
 *     deno run -A scripts/bench_search.ts <nimlet> [--runs <count>]
 *
 * Whole process against whole process, in turn, on a tree made from a seed; the median counts.
 */
import { createGrepTool } from "../src/tools/grep.ts";
import type { ToolContext } from "../src/core/tool.ts";
import { realHost } from "../src/host/real_host.ts";
import type { Measured, Row } from "./bench_kit.ts";

interface Search {
  readonly name: string;
  readonly tool: "grep" | "glob";
  readonly input: Record<string, string>;
  readonly ripgrep: readonly string[];
}

/** The same files for both: hidden ones too, ignore files honoured, the excluded folders left out. */
const sameFiles = [
  "--hidden",
  "--no-require-git",
  "--sort=none",
  ...[".git", "node_modules", "nimcache", "dist", "build", "target", ".next", ".turbo"]
    .map((folder) => `--glob=!**/${folder}/**`),
];

const grep = (name: string, pattern: string, ...flags: string[]): Search => ({
  name,
  tool: "grep",
  input: { pattern },
  ripgrep: [...sameFiles, "-n", ...flags, "-e", pattern, "."],
});

const searches: readonly Search[] = [
  grep("grep-words", "TODO|FIXME"),
  grep("grep-function", "function\\s+\\w+"),
  grep("grep-case", "(?i)error"),
  grep("grep-reference", "(\\w+)\\s+\\1", "-P"),
  grep("grep-behind", "(?<=return )value", "-P"),
  grep("grep-nothing", "qqzzqq"),
  {
    name: "glob",
    tool: "glob",
    input: { pattern: "**/*.ts" },
    ripgrep: [...sameFiles, "--files", "-g", "**/*.ts"],
  },
];

const wantedRatio = 2.0, wantedSecondRatio = 1.3;

const withTree = treeKeeper();

/** For the main bench; each row makes the tree once and shares it. */
export const searchRows: readonly Row[] = [
  ...searches.map((search): Row => ({
    name: search.name,
    what: `${search.tool} ${search.input.pattern} against ripgrep`,
    unit: "x",
    wanted: { most: wantedRatio },
    measure: (kit) => withTree((tree) => compare(kit.nimlet, search, tree, kit.runs)),
  })),
  {
    name: "grep-second",
    what: "grep TODO|FIXME again in one process against ripgrep",
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
  const search = searches[0]!;
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

function ratioOf(ours: number[], theirs: number[]): Measured {
  const a = median(ours), b = median(theirs);
  return { value: a / b, note: `${a.toFixed(0)} ms against ${b.toFixed(0)} ms` };
}

function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)]!;
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

/** The tree is made once and lies in a folder that stays until the process ends. */
function treeKeeper(): <T>(use: (tree: string) => Promise<T>) => Promise<T> {
  let made: Promise<string> | undefined;
  return async (use) => await use(await (made ??= makeTree()));
}

const treeFiles = 15_000, treeFolders = 1_200, meanFileBytes = 3_400;
const vocabulary =
  ("the of parser value function return error const let import export class index token stream " +
    "buffer handler config request response path file line match count result data node tree list " +
    "map set key type name user state event queue cache async await promise string number boolean")
    .split(" ");
const extensions = ["ts", "ts", "ts", "js", "py", "md", "json", "go", "rs", "c", "txt", "css"];

async function makeTree(): Promise<string> {
  const root = await Deno.makeTempDir({ prefix: "nimlet-bench-tree-" });
  globalThis.addEventListener("unload", () => Deno.removeSync(root, { recursive: true }));
  const random = randomSource(20_240_229);
  const word = () => vocabulary[random(vocabulary.length)]!;
  Deno.mkdirSync(`${root}/.git/info`, { recursive: true });
  Deno.writeTextFileSync(`${root}/.gitignore`, "*.log\n/tmp/\nnode_modules/\n*.o\n");
  const folders = [root];
  for (let index = 0; index < treeFolders; index++) {
    const folder = `${folders[random(folders.length)]}/${word()}${index}`;
    Deno.mkdirSync(folder);
    folders.push(folder);
  }
  for (let index = 0; index < treeFiles; index++) {
    const folder = folders[random(folders.length)];
    const name = `${word()}_${index}.${extensions[random(extensions.length)]}`;
    Deno.writeTextFileSync(`${folder}/${name}`, makeText(random, word, random(2 * meanFileBytes)));
  }
  return root;
}

/** Lines of words, a call now and then, and a note in one line of four hundred. */
function makeText(random: (below: number) => number, word: () => string, bytes: number): string {
  let text = "";
  while (text.length < bytes) {
    text += "  ".repeat(random(5));
    for (let left = random(12); left > 0; left--) {
      text += word() + ["", "", "", "(", ".", "_x1"][random(6)]! + " ";
    }
    text += random(400) === 0 ? `// ${random(2) === 0 ? "TODO" : "FIXME"} later\n` : "\n";
  }
  return text;
}

function randomSource(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % below;
  };
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
    print(search.name, await withTree((tree) => compare(path, search, tree, runs)), wantedRatio);
  }
  print("grep-second", await withTree((tree) => compareSecond(tree, runs)), wantedSecondRatio);
  return short === 0 ? 0 : 1;
}

if (import.meta.main) Deno.exit(await main(Deno.args));
