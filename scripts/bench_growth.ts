/** The measurements of growth: long runs, long sessions, long answers, and many runs at once. */
import { type Answer, type Call, callTools, say } from "./bench_server.ts";
import { cpuUsage } from "node:process";
import {
  addedMs,
  environment,
  interleaved,
  type Kit,
  median,
  type Place,
  type Row,
  runProgram,
  writeFiles,
} from "./bench_kit.ts";

const prompt = ["-p", "Go on."];

/** Another call each time: repeated ones are braked. */
const readLine = (step: number): Call => ["read", {
  path: "src/parse.ts",
  start_line: step % 195 + 1,
  end_line: step % 195 + 5,
}];

export const growthRows: Row[] = [
  growth("growth-read", "read", readLine),
  growth("growth-bash", "bash", (step) => ["bash", { command: `echo ${step}; cat README.md` }]),
  {
    name: "growth-memory",
    what: "peak memory of 1,000 steps of read",
    unit: "MB",
    wanted: { most: 110 },
    async measure(kit) {
      const { peakBytes } = await longRun(kit, readLine, true);
      return { value: peakBytes / 1e6 };
    },
  },
  {
    name: "resume",
    what: "start of a session of 100,000 records beyond that of an empty one",
    unit: "ms",
    wanted: { most: 400 },
    async measure(kit) {
      const place = await kit.place();
      const short = await writeSession(place, "short", 2),
        long = await writeSession(place, "long", 1e5);
      const [base, value] = await interleaved(
        Math.ceil(kit.runs / 4),
        () => startOf(kit, place, short),
        () => startOf(kit, place, long),
      );
      return addedMs(base!, value!, 0);
    },
  },
  {
    name: "side-by-side",
    what: "ten runs at once in one home against ten at once in homes of their own",
    unit: "x",
    wanted: { most: 1.15 },
    async measure(kit) {
      const places = await Promise.all(Array.from({ length: 10 }, () => kit.place()));
      const one = places.map(() => places[0]!);
      const rounds = Math.ceil(kit.runs / 4);
      const [own, shared] = await interleaved(
        rounds,
        () => atOnce(kit, places),
        () => atOnce(kit, one),
      );
      return {
        value: shared! / own!,
        note: `${shared!.toFixed(0)} ms against ${own!.toFixed(0)} ms`,
      };
    },
  },
  {
    name: "batch",
    what: "50 workspaces under xargs -P 8 against what the processors need for them",
    unit: "x",
    wanted: { most: 1.15 },
    async measure(kit) {
      const home = await kit.place();
      const places = await Promise.all(Array.from({ length: 50 }, () => kit.place()));
      const ratios: number[] = [];
      let note = "";
      for (let round = 0; round < Math.max(3, kit.runs / 4); round++) {
        const { wallMs, boundMs } = await underXargs(kit, home, places);
        ratios.push(wallMs / boundMs);
        note = `${wallMs.toFixed(0)} ms against ${boundMs.toFixed(0)} ms in the last round`;
      }
      return { value: median(ratios), note };
    },
  },
  {
    name: "stream",
    what: "5 MB of text in 100,000 deltas in JSON form against a bare client",
    unit: "x",
    wanted: { most: 2 },
    async measure(kit) {
      const place = await kit.place();
      const script = new URL("bench_bare_stream.mjs", import.meta.url).pathname;
      const bare = [
        Deno.execPath(),
        "run",
        "--no-config",
        "--allow-net",
        script,
        kit.server.url,
      ] as const;
      const answers = [say("word ".repeat(10), 100_000)];
      const time = async (args: string[], command?: typeof bare) => {
        const { served, ended } = await runProgram(kit, place, args, {
          answers,
          onStdout: () => {},
          ...command === undefined ? {} : { command },
        });
        return ended - served.arrivals[0]!;
      };
      const [base, value] = await interleaved(
        Math.ceil(kit.runs / 4),
        () => time([], bare),
        () => time(["--mode", "json", ...prompt.slice(1)]),
      );
      return {
        value: value! / base!,
        note: `${value!.toFixed(0)} ms against ${base!.toFixed(0)} ms`,
      };
    },
  },
];

const steps = 1000;
/** How many steps each of the two medians is made of. */
const compared = 20;

/** How much longer the time from answer to request is at the end of a long run than at its start. */
function growth(name: string, tool: string, call: (step: number) => Call): Row {
  return {
    name,
    what: `answer to next request, step 1,000 of ${tool} against step 10`,
    unit: "x",
    wanted: { most: 1.3 },
    async measure(kit) {
      const ratios: number[] = [];
      let early = 0, late = 0;
      for (let round = 0; round < 3; round++) {
        const { gaps } = await longRun(kit, call, false);
        early = median(gaps.slice(0, compared));
        late = median(gaps.slice(-compared));
        ratios.push(late / early);
      }
      return {
        value: median(ratios),
        note: `${late.toFixed(1)} ms against ${early.toFixed(1)} ms in the last round`,
      };
    },
  };
}

async function longRun(kit: Kit, call: (step: number) => Call, watchMemory: boolean) {
  const answers: Answer[] = Array.from({ length: steps }, (_, step) => callTools(call(step)));
  const place = await kit.place();
  const { served, peakBytes } = await runProgram(kit, place, prompt, {
    answers: [...answers, say("Done.")],
    forgetBodies: true,
    watchMemory,
  });
  const gaps = answers.map((_, index) => served.arrivals[index + 1]! - served.ends[index]!);
  return { gaps, peakBytes };
}

/** Wall time of one run in each place, all of them at once. */
async function atOnce(kit: Kit, places: readonly Place[]): Promise<number> {
  const calls = Array.from({ length: 6 }, () => callTools(["bash", { command: "cat README.md" }]));
  const served = kit.server.play([...calls, say("Done.")], { sideBySide: true });
  const started = performance.now();
  await Promise.all(places.map((place) => runProgram(kit, place, prompt, { served })));
  return performance.now() - started;
}

const atATime = 8;

/** Wall time of one run in each place, eight at a time, and the least that the processors' work allows. */
async function underXargs(kit: Kit, home: Place, places: readonly Place[]) {
  const calls = Array.from({ length: 3 }, () => callTools(["bash", { command: "cat README.md" }]));
  kit.server.play([...calls, say("Done.")], { sideBySide: true });
  const own = cpuUsage();
  const started = performance.now();
  const child = new Deno.Command("sh", {
    args: ["-c", `xargs -P ${atATime} -I{} "$0" -p --cwd {} Go >/dev/null && times`, kit.nimlet],
    clearEnv: true,
    env: environment(kit, home.home),
    stdin: "piped",
    stdout: "piped",
  }).spawn();
  const writer = child.stdin.getWriter();
  const list = places.map(({ workspace }) => `${workspace}\n`).join("");
  await writer.write(new TextEncoder().encode(list));
  await writer.close();
  const { success, stdout } = await child.output();
  const wallMs = performance.now() - started;
  if (!success) throw new Error("xargs failed");
  // the second line is that of the children
  const [, children = ""] = new TextDecoder().decode(stdout).trim().split("\n");
  const childrenMs = [...children.matchAll(/(\d+)m([\d.]+)s/g)].reduce(
    (sum, [, minutes, seconds]) => sum + Number(minutes) * 60_000 + Number(seconds) * 1000,
    0,
  );
  // the server is part of the work
  const { user, system } = cpuUsage(own);
  const cores = Math.min(navigator.hardwareConcurrency, atATime);
  return { wallMs, boundMs: (childrenMs + (user + system) / 1000) / cores };
}

/** Ms from the start to the first record. */
async function startOf(kit: Kit, place: Place, session: string): Promise<number> {
  let first = 0;
  const { started } = await runProgram(
    kit,
    place,
    ["--mode", "json", "--session", session, "Hi."],
    {
      answers: [say("Hi.")],
      onStdout: () => void (first ||= performance.now()),
    },
  );
  return first - started;
}

async function writeSession(place: Place, id: string, records: number): Promise<string> {
  const workspace = await Deno.realPath(place.workspace);
  const lines: unknown[] = [
    { kind: "session", version: 2, id, workspace, created: new Date().toISOString() },
    { kind: "user", content: [{ type: "text", text: "Begin." }] },
  ];
  for (let call = 0; call < (records - lines.length) / 2; call++) {
    lines.push({
      kind: "assistant",
      content: [
        { type: "text", text: `Looking at file ${call}.` },
        { type: "tool_use", id: `call_${call}`, name: "read", input: { path: `src/${call}.ts` } },
      ],
      provider: "openai-compatible",
      model: "m",
      finish: "tool_calls",
      usage: { input_tokens: 100, output_tokens: 10 },
    }, {
      kind: "tool_result",
      tool_id: `call_${call}`,
      tool_name: "read",
      content: [{ type: "text", text: "a line of a file\n".repeat(10) }],
      is_error: false,
    });
  }
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
  await writeFiles(`${place.home}/.nimlet/sessions`, { [`${id}.jsonl`]: text });
  return id;
}
