/**
 * The counting of conformance vectors that lie outside the repository: PCRE2's own tests, and globs.
 *
 *     deno run -A scripts/conformance.ts [--tool [--every=<n>]] [folder]
 *
 * The folder holds `pcre2-*.jsonl` and `glob-*.jsonl`; without it nothing is counted. With `--tool` each
 * pattern, or every n-th, is also searched in a file by the grep tool itself; `NIMLET_BIN` names a program
 * to run it by.
 */
import { pcre2ForThread } from "../src/search/assets.ts";
import { parseGlob } from "../src/search/glob/glob.ts";
import { createMatcher, planQuery } from "../src/search/engine/query.ts";
import { createGrepTool } from "../src/tools/grep.ts";
import { realHost } from "../src/host/real_host.ts";

interface PatternVector {
  id: string;
  pattern: string;
  case_insensitive: boolean;
  subject: string;
  matches: boolean;
  group0: string | null;
  newer?: boolean;
}

interface GlobVector {
  pattern: string;
  path: string;
  matches_pathname: boolean;
  dot: boolean | null;
  kind: string[];
}

const print = (line: string) => Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));

/** `toolEvery`: of how many vectors one goes through the tool; 0 for none. */
async function countAll(folder: string, toolEvery: number): Promise<number> {
  const patterns = readVectors<PatternVector>(folder, "pcre2-");
  const globs = readVectors<GlobVector>(folder, "glob-");
  if (patterns.length + globs.length === 0) {
    print(`conformance: no vectors in ${folder}: nothing counted`);
    return 0;
  }
  const missed = countGlobs(globs);
  countPatterns(patterns);
  if (toolEvery > 0) {
    await countThroughTool(patterns.filter((_vector, index) => index % toolEvery === 0));
  }
  return missed === 0 ? 0 : 1;
}

function readVectors<T>(folder: string, prefix: string): T[] {
  try {
    return [...Deno.readDirSync(folder)]
      .filter(({ name }) => name.startsWith(prefix) && name.endsWith(".jsonl"))
      .flatMap(({ name }) => Deno.readTextFileSync(`${folder}/${name}`).trim().split("\n"))
      .map((line) => JSON.parse(line) as T);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  }
}

/** Counts the vectors of the documented rule: wildcards match a leading dot. */
function countGlobs(vectors: GlobVector[]): number {
  const ours = vectors.filter(({ dot }) => dot !== false);
  const kinds = new Map<string, [passed: number, all: number]>();
  const missed = ours.filter(({ pattern, path, matches_pathname, kind }) => {
    const passed = parseGlob(pattern)?.test(path) === matches_pathname;
    for (const name of kind) {
      const [yes, all] = kinds.get(name) ?? [0, 0];
      kinds.set(name, [yes + (passed ? 1 : 0), all + 1]);
    }
    return !passed;
  });
  print(`glob: ${ours.length - missed.length} of ${ours.length} (wildcards match a leading dot)`);
  for (const [kind, [yes, all]] of [...kinds].toSorted()) print(`  ${kind}: ${yes} of ${all}`);
  for (const { pattern, path } of missed) print(`  missed: ${pattern} on ${path}`);
  return missed.length;
}

interface Count {
  all: number;
  passed: number;
  older: number;
  olderPassed: number;
  refused: number;
  undecided: number;
  wrong: string[];
}

const newCount = (): Count => ({
  all: 0,
  passed: 0,
  older: 0,
  olderPassed: 0,
  refused: 0,
  undecided: 0,
  wrong: [],
});

function note(count: Count, vector: PatternVector, outcome: boolean | "refused" | "undecided") {
  const passed = outcome === vector.matches;
  count.all++;
  if (passed) count.passed++;
  if (!vector.newer) count.older++;
  if (!vector.newer && passed) count.olderPassed++;
  if (outcome === "refused") count.refused++;
  else if (outcome === "undecided") count.undecided++;
  else if (!passed) count.wrong.push(`${vector.id}${vector.newer ? " (newer)" : ""}`);
}

function report(name: string, count: Count) {
  const share = (100 * count.olderPassed / Math.max(1, count.older)).toFixed(2);
  print(`${name}: ${count.passed} of ${count.all}`);
  print(`  without those of newer versions: ${count.olderPassed} of ${count.older} (${share} %)`);
  print(
    `  refused: ${count.refused}, undecided: ${count.undecided}, other answer: ${count.wrong.length}`,
  );
  if (count.wrong.length > 0) print(`  other answer: ${count.wrong.join(" ")}`);
}

/** Through the matcher that the tool uses, whichever engine it chooses. */
function countPatterns(vectors: PatternVector[]) {
  const engine = pcre2ForThread();
  const count = newCount();
  let byV8 = 0;
  for (const vector of vectors) {
    const plan = planQuery({
      pattern: vector.pattern,
      caseInsensitive: vector.case_insensitive,
    });
    if (plan.v8) byV8++;
    const matcher = createMatcher(plan, engine);
    if ("message" in matcher) {
      note(count, vector, "refused");
      continue;
    }
    const { count: lines, gaveUp } = matcher.search(`${vector.subject}\n`, 1);
    note(count, vector, gaveUp ? "undecided" : lines > 0);
  }
  report("pcre2, matcher", count);
  print(`  by V8's engine: ${byV8} of ${vectors.length}`);
}

/** Each subject in a file, searched by the tool; by the program in `NIMLET_BIN` where that is set. */
async function countThroughTool(vectors: PatternVector[]) {
  const workspace = await Deno.realPath(await Deno.makeTempDir({ prefix: "nimlet-conformance-" }));
  const call = toolCaller(workspace);
  const count = newCount();
  try {
    for (const vector of vectors) {
      if (vector.subject.includes("\r")) continue;
      await Deno.writeTextFile(`${workspace}/subject`, `${vector.subject}\n`);
      const text = await call({
        pattern: vector.pattern,
        case_insensitive: vector.case_insensitive,
        path: "subject",
      });
      const outcome = text === undefined
        ? "refused"
        : text.startsWith("subject:1:")
        ? true
        : /^\[.* in subject|^No matches in/m.test(text)
        ? "undecided"
        : text.startsWith("No matches")
        ? false
        : "undecided";
      note(count, vector, outcome);
    }
  } finally {
    await Deno.remove(workspace, { recursive: true });
  }
  report("pcre2, tool", count);
}

/** Gives the text of a result; undefined for an error. */
function toolCaller(workspace: string) {
  const binary = Deno.env.get("NIMLET_BIN");
  if (binary) {
    return async (input: Record<string, string | boolean>) => {
      const args = ["--call-tool", "grep", JSON.stringify(input)];
      const { success, stdout } = await new Deno.Command(binary, {
        args,
        cwd: workspace,
        stdin: "null",
      }).output();
      return success ? new TextDecoder().decode(stdout).replace(/\n$/, "") : undefined;
    };
  }
  const grep = createGrepTool();
  const context = {
    workspace,
    host: realHost(),
    signal: new AbortController().signal,
    childEnv: {},
    progress: () => {},
    limits: { maxOutputBytes: 100_000 },
  };
  return async (input: Record<string, string | boolean>) => {
    const parsed = await grep.input.parse(input);
    if ("problems" in parsed) return undefined;
    try {
      return (await grep.run(parsed.input, context)).text;
    } catch {
      return undefined;
    }
  };
}

if (import.meta.main) {
  const folder = Deno.args.find((arg) => !arg.startsWith("--")) ??
    new URL("../../shared/conformance", import.meta.url).pathname;
  const every = Deno.args.find((arg) => arg.startsWith("--every="))?.slice("--every=".length);
  Deno.exit(await countAll(folder, Deno.args.includes("--tool") ? Number(every ?? 1) : 0));
}
