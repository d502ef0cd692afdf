/** A run of random and damaged calls through the real dispatcher and all tools. */
import assert from "node:assert/strict";
import { repetitionWatch } from "../../src/agent/repetition.ts";
import { runCalls } from "../../src/agent/calls.ts";
import type { History, RunContext } from "../../src/agent/run_context.ts";
import { createFold } from "../../src/agent/fold.ts";
import type { AgentEvent } from "../../src/core/event.ts";
import type { ToolUsePart } from "../../src/core/message.ts";
import { allowAll } from "../support/permission.ts";
import type { Skill } from "../../src/core/skill.ts";
import { discoverTools } from "../../src/external/discover.ts";
import { realHost } from "../../src/host/real_host.ts";
import { detectShell } from "../../src/host/shell.ts";
import { builtInTools } from "../../src/tools/builtin.ts";
import { fuzzCases, fuzzSeed } from "../support/fuzz.ts";
import { type Random, seededRandom } from "../support/random.ts";
import { type Need, testWhere } from "../support/test_where.ts";
import { type RandomCall, randomCall } from "./calls.ts";
import { type Ground, layGround, type Repository } from "./ground.ts";
import { assertWellFormed, namesIn, processesWith, snapshot } from "./watch.ts";
import { staysOpen } from "../support/stays_open.ts";

const wantedCalls = fuzzCases(400);
const seed = fuzzSeed();
/** Calls until the folders are laid anew. */
const callsPerGround = 250;
const mostGrowthBytes = 500 * 1024 ** 2;

/** Without this flag V8 alone takes twice the bound, to compile PCRE2 a second time. */
const asTheProgram: Need = {
  reason: "needs Linux and `deno task test`, which runs V8 as the program does",
  met: hasV8Flag("--liftoff-only"),
};

function hasV8Flag(flag: string): boolean {
  try {
    return Deno.readTextFileSync("/proc/self/cmdline").includes(flag);
  } catch {
    return false; // there is no /proc here
  }
}

/** One run, which both tests look at. */
let run: Promise<Seen & { startBytes: number }> | undefined;

Deno.test(
  "random calls get one well-formed result each, and touch nothing they should not",
  staysOpen,
  async () => {
    const seen = await (run ??= runRandomCalls());
    assert.ok(seen.errors < seen.calls * 0.9, "hardly any call did anything");
  },
);

testWhere(asTheProgram, "random calls leave the memory bounded", async () => {
  const { startBytes, peakBytes } = await (run ??= runRandomCalls());
  const grownBytes = peakBytes - startBytes;
  assert.ok(grownBytes < mostGrowthBytes, `memory grew by ${mib(grownBytes)}`);
});

async function runRandomCalls() {
  const random = seededRandom(seed);
  const startMs = performance.now(), startBytes = Deno.memoryUsage().rss;
  const seen = {
    startBytes,
    calls: 0,
    errors: 0,
    slowestMs: 0,
    slowest: "",
    peakBytes: startBytes,
  };
  while (seen.calls < wantedCalls) {
    const root = await Deno.realPath(await Deno.makeTempDir({ prefix: "nimlet-fuzz-" }));
    try {
      const repository = random.weighted<Repository>([[8, "with commits"], [1, "empty"], [
        1,
        "none",
      ]]);
      const ground = layGround(root, repository);
      const marker = `NIMLET_FUZZ_RUN=${crypto.randomUUID()}`;
      const context = await runContext(ground, marker);
      const until = Math.min(wantedCalls, seen.calls + callsPerGround);
      while (seen.calls < until) await answer(random, ground, marker, context, seen);
    } finally {
      await Deno.remove(root, { recursive: true });
    }
  }
  if (wantedCalls >= 1000) {
    console.warn(
      `seed ${seed}: ${seen.calls} calls, ${seen.errors} of them failures, in ` +
        `${Math.round((performance.now() - startMs) / 1000)} s; memory ${mib(startBytes)} to ` +
        `${mib(seen.peakBytes)}; slowest ${Math.round(seen.slowestMs)} ms: ${seen.slowest}`,
    );
  }
  return seen;
}

function mib(bytes: number): string {
  return `${Math.round(bytes / 2 ** 20)} MiB`;
}

interface Seen {
  calls: number;
  errors: number;
  slowestMs: number;
  slowest: string;
  peakBytes: number;
}

/** Runs one answer of a model: a few calls, whose results are looked at one by one. */
async function answer(
  random: Random,
  ground: Ground,
  marker: string,
  context: RunContext,
  seen: Seen,
) {
  const calls = Array.from({ length: random.pick([1, 1, 1, 2, 5]) }, () => randomCall(random));
  const shown = calls.map(({ name, inputText }) =>
    `${name.slice(0, 80)} ${inputText.slice(0, 2000)}`
  );
  const signal = random.oneIn(40)
    ? AbortSignal.timeout(random.below(60))
    : new AbortController().signal;
  try {
    const looksOnly = calls.every(({ name }) => ["read", "grep", "glob", "git"].includes(name));
    const gitBefore = looksOnly ? repositoryOf(ground) : undefined;
    const before = [
      snapshot(ground.outside),
      namesIn(ground.root),
      snapshot(ground.home),
      snapshot(ground.tools),
    ];
    const results = await resultsOf(calls, context, signal);
    seen.calls += calls.length;
    assert.equal(results.length, calls.length, "each call gets one result");
    for (const [index, result] of results.entries()) {
      assertWellFormed(result);
      if (result.isError) seen.errors++;
      if (result.durationMs > seen.slowestMs) {
        seen.slowestMs = result.durationMs;
        seen.slowest = shown[index]!.slice(0, 200);
      }
    }
    const after = [
      snapshot(ground.outside),
      namesIn(ground.root),
      snapshot(ground.home),
      snapshot(ground.tools),
    ];
    assert.deepEqual(after, before, "nothing outside the workspace has changed");
    if (looksOnly) assert.equal(repositoryOf(ground), gitBefore, "looking leaves .git as it was");
    if (!calls.every(({ name }) => ["read", "grep", "glob", "edit", "write"].includes(name))) {
      assert.deepEqual(processesWith(marker) ?? [], [], "no process is left");
    }
    seen.peakBytes = Math.max(seen.peakBytes, Deno.memoryUsage().rss);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(
      `NIMLET_FUZZ_SEED=${seed} NIMLET_FUZZ=${wantedCalls}, after ${seen.calls} calls: ${reason}\n${
        shown.join("\n")
      }`,
      { cause: error },
    );
  }
}

async function resultsOf(calls: readonly RandomCall[], context: RunContext, signal: AbortSignal) {
  const events: AgentEvent[] = [];
  const fold = createFold();
  calls.forEach(({ name, inputText }, index) =>
    fold.add({ type: "tool_call", id: `call-${index}`, name, inputText })
  );
  const parts = fold.parts().filter((part): part is ToolUsePart => part.type === "tool_use");
  const emit = (event: AgentEvent) => Promise.resolve(void events.push(event));
  const history: History = { messages: [] };
  const step = { number: 1, tools: context.tools(), repetition: repetitionWatch(0) };
  await runCalls(step, parts, { ...context, emit, history }, signal);
  const ids = parts.map((part) => part.id);
  assert.deepEqual(
    history.messages.map((message) => message.role === "tool_result" && message.toolId),
    ids,
  );
  const deltas = events.filter((event) => event.type === "tool_output_delta");
  assert.ok(
    deltas.every(({ delta }) => delta.isWellFormed()),
    "live output holds half a character",
  );
  // announced as the calls ended
  const results = events.filter((event) => event.type === "tool_result")
    .sort((one, other) => ids.indexOf(one.tool_id) - ids.indexOf(other.tool_id));
  assert.deepEqual(results.map((result) => result.tool_id), ids);
  return results.map((result) => ({
    name: result.tool_name,
    output: result.output,
    isError: result.is_error,
    durationMs: result.duration_ms ?? 0,
  }));
}

async function runContext(ground: Ground, marker: string): Promise<RunContext> {
  const host = realHost();
  const [variable = "", value = ""] = marker.split("=");
  const builtIn = builtInTools({ shell: () => detectShell(host), skills: () => skills });
  const external = await discoverTools({
    roots: [{ path: ground.tools, scope: "global" }],
    workspace: ground.workspace,
    builtInNames: builtIn.map((tool) => tool.name),
    shell: async () => (await detectShell(host)).path,
  });
  assert.equal(external.tools.length, 4, external.warnings.join("\n"));
  const unused = () => Promise.reject(new Error("there is no model here"));
  return {
    host,
    model: {
      provider: "none",
      model: "none",
      contextWindow: 0,
      hasPrices: false,
      stream: noAnswer,
    },
    request: unused,
    history: { messages: [] },
    tools: () => [...builtIn, ...external.tools],
    mode: () => "act",
    emit: () => Promise.resolve(),
    journal: { append: (record) => Promise.resolve(void JSON.stringify(record)) },
    permission: allowAll,
    workspace: ground.workspace,
    childEnv: {
      PATH: Deno.env.get("PATH") ?? "/usr/bin:/bin",
      HOME: ground.home,
      GIT_CONFIG_NOSYSTEM: "1",
      [variable]: value,
    },
    limits: { idleMs: 1000, maxOutputBytes: 100_000, maxRepeats: 0 },
  };
}

// deno-lint-ignore require-yield -- a model that is never asked
async function* noAnswer(): AsyncGenerator<never> {
  await Promise.reject(new Error("there is no model here"));
}

function repositoryOf({ workspace }: Ground): string {
  try {
    return snapshot(`${workspace}/.git`);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory) {
      return "";
    }
    throw error;
  }
}

function skill(name: string, readBody: Skill["readBody"]): Skill {
  return {
    name,
    description: `The ${name} one.`,
    scope: "global",
    folder: `~/${name}`,
    path: `/${name}`,
    readBody,
  };
}

const skills: readonly Skill[] = [
  skill("plain", () => Promise.resolve({ kind: "body", text: "Do it.\n" })),
  skill(
    "long",
    () => Promise.resolve({ kind: "body", text: "x".repeat(100_000), cutFromBytes: 250_000 }),
  ),
  skill("broken", () => Promise.resolve({ kind: "unreadable", problem: "it is a folder" })),
  skill("odd", () => Promise.resolve({ kind: "body", text: "\ud800 half" })),
];
