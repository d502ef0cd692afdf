/** The measurements of MCP servers: what they add to a start, a call, memory, and an end. */
import * as esbuild from "esbuild";
import { type Answer, callTools, say } from "./bench_server.ts";
import {
  addedMs,
  interleaved,
  type Kit,
  median,
  type Place,
  root,
  type Row,
  runProgram,
} from "./bench_kit.ts";

const prompt = ["-p", "Go on."];
const serverCommand = [
  Deno.execPath(),
  ...["run", "--quiet", "-A", `${root}tests/mcp/fake_server.mjs`],
] as const;

const three = { a: "fourteen", b: "fourteen", c: "fourteen" };

export const mcpRows: Row[] = [
  {
    name: "mcp-code",
    what: "code of the client for MCP servers, minified",
    unit: "KB",
    wanted: { most: 37 },
    async measure() {
      const { outputFiles } = await esbuild.build({
        entryPoints: [`${root}src/mcp/pool.ts`],
        bundle: true,
        minify: true,
        write: false,
        format: "esm",
        plugins: [{
          name: "own-files",
          setup: (build) =>
            build.onResolve(
              { filter: /^/ },
              ({ path, kind }) =>
                kind === "entry-point" || /^\.\/[^/]+$/.test(path)
                  ? undefined
                  : { path, external: true },
            ),
        }],
      });
      await esbuild.stop();
      const bytes = outputFiles[0]!.contents.length;
      return { value: bytes / 1000 };
    },
  },
  {
    name: "mcp-start",
    what: "start to the first request with three remembered servers of 14 tools each, over none",
    unit: "ms",
    wanted: { most: 3 },
    async measure(kit) {
      const without = await kit.place();
      const having = await placeWith(kit, three);
      await runProgram(kit, having, prompt, { answers: [say("Hi.")] });
      const [bare, full] = await interleaved(
        kit.runs,
        () => firstRequestMs(kit, without),
        () => firstRequestMs(kit, having),
      );
      return addedMs(bare!, full!);
    },
  },
  {
    name: "mcp-memory",
    what: "memory that a remembered server adds to a run",
    unit: "MB",
    wanted: { most: 1 },
    async measure(kit) {
      const without = await kit.place();
      const having = await placeWith(kit, { a: "few" });
      await runProgram(kit, having, prompt, { answers: [say("Hi.")] });
      const peak = async (place: Place) => {
        const run = await runProgram(kit, place, prompt, {
          answers: [say("Hi.")],
          watchMemory: true,
        });
        return run.peakBytes / 1e6;
      };
      const [bare, full] = await interleaved(kit.runs, () => peak(without), () => peak(having));
      return {
        value: full! - bare!,
        note: `${full!.toFixed(1)} MB against ${bare!.toFixed(1)} MB`,
      };
    },
  },
  {
    name: "mcp-first-run",
    what:
      "start to the first request with a server that is not remembered, over a run without and its list",
    unit: "ms",
    wanted: { most: 25 },
    async measure(kit) {
      const without = await kit.place(), having = await placeWith(kit, { a: "" });
      const [bare, list, full] = await interleaved(
        kit.runs,
        () => firstRequestMs(kit, without),
        () => listMs(),
        async () => {
          await forget(having);
          return await firstRequestMs(kit, having);
        },
      );
      return {
        value: full! - list! - bare!,
        note: `${full!.toFixed(0)} ms against ${bare!.toFixed(0)} and ${list!.toFixed(0)} ms`,
      };
    },
  },
  {
    name: "mcp-first-call",
    what: "the first call to a remembered server, over the time in which the server gives its list",
    unit: "ms",
    wanted: { most: 15 },
    async measure(kit) {
      const place = await placeWith(kit, { a: "" });
      await runProgram(kit, place, prompt, { answers: [say("Hi.")] });
      const answers = [callTools(["mcp__a__echo", { text: "x" }]), say("Done.")];
      const [list, call] = await interleaved(kit.runs, () => listMs(), async () => {
        const records = await recordsOf(kit, place, answers);
        return Number(records.find(({ type }) => type === "tool_result")!.duration_ms);
      });
      return addedMs(list!, call!, 0);
    },
  },
  {
    name: "mcp-call",
    what: "a call to a server that runs",
    unit: "ms",
    wanted: { most: 2 },
    async measure(kit) {
      const place = await placeWith(kit, { a: "" });
      const answers = Array.from(
        { length: 10 },
        (_, index) => callTools(["mcp__a__echo", { text: `${index}` }]),
      );
      const records = await recordsOf(kit, place, [...answers, say("Done.")]);
      const times = records.filter(({ type }) => type === "tool_result")
        .map(({ duration_ms }) => Number(duration_ms)).slice(1);
      return { value: median(times) };
    },
  },
  {
    name: "mcp-answer",
    what: "memory that an answer of 50 MB adds",
    unit: "MB",
    wanted: { most: 40 },
    async measure(kit) {
      const place = await placeWith(kit, { a: "" });
      const peak = async (bytes: number) => {
        const answers = [callTools(["mcp__a__huge", { bytes }]), say("Done.")];
        const peaks: number[] = [];
        for (let round = 0; round < 3; round++) {
          const run = await runProgram(kit, place, prompt, { answers, watchMemory: true });
          peaks.push(run.peakBytes / 1e6);
        }
        return median(peaks);
      };
      const little = await peak(10), much = await peak(50e6);
      return {
        value: much - little,
        note: `${much.toFixed(0)} MB against ${little.toFixed(0)} MB`,
      };
    },
  },
  {
    name: "mcp-answer-time",
    what: "time of a call that is answered with 50 MB",
    unit: "ms",
    wanted: { most: 500 },
    async measure(kit) {
      const place = await placeWith(kit, { a: "" });
      const answers = [...Array(4).fill(callTools(["mcp__a__huge", {}])), say("Done.")];
      const records = await recordsOf(kit, place, answers);
      const times = records.filter(({ type }) => type === "tool_result")
        .map(({ duration_ms }) => Number(duration_ms)).slice(1);
      return { value: median(times) };
    },
  },
  endRow(
    "mcp-end",
    "from the last request to the end, with servers that end with their stdin",
    "",
    450,
  ),
  endRow("mcp-deaf-end", "the same with servers that nothing but KILL ends", "deaf", 2500),
];

function endRow(name: string, what: string, scenario: string, most: number): Row {
  return {
    name,
    what,
    unit: "ms",
    wanted: { most },
    async measure(kit) {
      const place = await placeWith(kit, { a: scenario, b: scenario });
      const answers = [
        callTools(["mcp__a__echo", { text: "x" }]),
        callTools(["mcp__b__echo", { text: "x" }]),
        say("Done."),
      ];
      const [value] = await interleaved(Math.ceil(kit.runs / 5), async () => {
        const { ended, served } = await runProgram(kit, place, prompt, { answers });
        return ended - served.arrivals.at(-1)!;
      });
      return { value: value! };
    },
  };
}

/** A place whose settings name servers, each with what it does wrong. */
async function placeWith(kit: Kit, scenarios: Record<string, string>): Promise<Place> {
  const place = await kit.place(), path = `${place.home}/.nimlet/config.json`;
  const servers = Object.fromEntries(
    Object.entries(scenarios).map(([name, scenario]) => [name, {
      command: [...serverCommand, scenario],
      // a list of its own for each
      env: { [`SERVER_${name}`]: name },
    }]),
  );
  const config = JSON.parse(await Deno.readTextFile(path));
  await Deno.writeTextFile(path, JSON.stringify({ ...config, mcp: { servers } }));
  return place;
}

/** Takes the remembered lists away. */
async function forget({ home }: Place): Promise<void> {
  await Deno.remove(`${home}/.nimlet/cache/mcp_tools.json`).catch((error) => {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  });
}

/** From the start of a server to its list, asked for as plainly as can be. */
async function listMs(): Promise<number> {
  const started = performance.now(), [file, ...args] = serverCommand;
  const child = new Deno.Command(file, {
    args: [...args, ""],
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const writer = child.stdin.getWriter(), reader = child.stdout.getReader();
  const ask = async (id: number, method: string, params: unknown) => {
    const line = `${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`;
    await writer.write(new TextEncoder().encode(line));
    for (let text = ""; !text.includes("\n");) {
      const { value, done } = await reader.read();
      if (done) throw new Error("the server has ended");
      text += new TextDecoder().decode(value);
    }
  };
  await ask(1, "initialize", { protocolVersion: "2025-11-25", capabilities: {} });
  await ask(2, "tools/list", {});
  const ms = performance.now() - started;
  await writer.close();
  await reader.cancel();
  await child.status;
  return ms;
}

async function firstRequestMs(kit: Kit, place: Place): Promise<number> {
  const { started, served } = await runProgram(kit, place, prompt, { answers: [say("Hi.")] });
  return served.arrivals[0]! - started;
}

async function recordsOf(kit: Kit, place: Place, answers: readonly Answer[]) {
  const { stdout } = await runProgram(kit, place, ["--mode", "json", "Go on."], { answers });
  const text = await new Blob(stdout as BlobPart[]).text();
  return text.trim().split("\n").map((line) => JSON.parse(line) as Record<string, unknown>);
}
