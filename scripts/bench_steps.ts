/** The measurements of steps: what the program itself adds to the time of model and tools. */
import { type Call, callTools, say } from "./bench_server.ts";
import { bareNodeClient } from "./bench_node.ts";
import {
  type Command,
  interleaved,
  type Kit,
  type Measured,
  median,
  type Place,
  type Row,
  type RunOptions,
  runProgram,
  writeFiles,
} from "./bench_kit.ts";

const prompt = ["-p", "Go on."];
const steps = 50;

export const stepRows: Row[] = [
  {
    name: "step",
    what: "end of an answer to the next request, with one read between",
    unit: "ms",
    wanted: { most: 5 },
    async measure(kit) {
      const place = await kit.place();
      return { value: median(await gaps(kit, place, repeat(["read", { path: "README.md" }]))) };
    },
  },
  {
    name: "four-steps",
    what: "a run of three commands and an answer against a bare client of Node",
    unit: "x",
    wanted: { most: 1.6 },
    async measure(kit) {
      const place = await kit.place();
      const [base, value] = await interleaved(
        kit.runs,
        () => fourSteps(kit, place, bareNodeClient(kit)).then(({ wall }) => wall),
        () => fourSteps(kit, place).then(({ wall }) => wall),
      );
      return against(value!, base!);
    },
  },
  {
    name: "gap",
    what: "end of an answer to the next request in such runs, against a bare client of Node",
    unit: "x",
    wanted: { most: 1.5 },
    async measure(kit) {
      const place = await kit.place();
      const [base, value] = await interleaved(
        kit.runs,
        () => fourSteps(kit, place, bareNodeClient(kit)).then(({ gap }) => gap),
        () => fourSteps(kit, place).then(({ gap }) => gap),
      );
      return against(value!, base!);
    },
  },
  {
    name: "reads",
    what: "a read call of a small file, 50 in one answer",
    unit: "ms",
    wanted: { most: 2 },
    async measure(kit) {
      const place = await kit.place();
      const names = Array.from({ length: 50 }, (_, index) => `files/${index}.txt`);
      await writeFiles(
        place.workspace,
        Object.fromEntries(names.map((name) => [name, `${name}\n`.repeat(20)])),
      );
      const calls = names.map((path): Call => ["read", { path }]);
      const [first, ...later] = await gaps(kit, place, Array.from({ length: 10 }, () => calls));
      return {
        value: first! / calls.length,
        note: `${(median(later) / calls.length).toFixed(2)} ms once warm`,
      };
    },
  },
  {
    name: "bash",
    what: "a bash call beyond the command's own time",
    unit: "ms",
    wanted: { most: 8 },
    async measure(kit) {
      const place = await kit.place();
      const own = () => timeCommand("bash", ["--noprofile", "--norc", "-c", "true"]);
      return await beyond(kit, place, ["bash", { command: "true" }], own);
    },
  },
  {
    name: "tool",
    what: "a call of a trivial compiled tool beyond its own time",
    unit: "ms",
    wanted: { most: 8 },
    async measure(kit) {
      const place = await kit.place();
      await writeFiles(`${place.home}/.nimlet/tools/give-back`, {
        "tool.json": JSON.stringify({
          name: "give_back",
          description: "Give back what comes.",
          command: ["/bin/cat"],
          input_schema: { type: "object" },
          capabilities: ["read"],
        }),
      });
      const own = () => timeCommand("/bin/cat", []);
      return await beyond(kit, place, ["give_back", { text: "hello" }], own);
    },
  },
  {
    name: "judge-first",
    what: "judging the first command, the parser's loading with it",
    unit: "ms",
    wanted: { most: 120 },
    measure: async (kit) => ({ value: (await judging(kit)).first }),
  },
  {
    name: "judge-after",
    what: "judging a command after the first",
    unit: "ms",
    wanted: { most: 2 },
    measure: async (kit) => ({ value: (await judging(kit)).after }),
  },
  {
    name: "deltas",
    what: "text deltas a second in JSON form, of 100,000",
    unit: "/s",
    wanted: { least: 50_000 },
    async measure(kit) {
      const place = await kit.place();
      const wanted = 100_000;
      let first = 0, last = 0, lines = 0;
      const mark = new TextEncoder().encode('"message_delta"');
      await runProgram(kit, place, ["--mode", "json", "Go on."], {
        answers: [say("word ", wanted)],
        onStdout(bytes) {
          const buffer = new TextDecoder("latin1").decode(bytes);
          if (!buffer.includes('"message_delta"')) return;
          last = performance.now();
          first ||= last;
          for (let at = 0; (at = buffer.indexOf('"message_delta"', at)) >= 0; at += mark.length) {
            lines++;
          }
        },
      });
      if (lines === 0) throw new Error("no record of a delta was printed");
      return { value: wanted / ((last - first) / 1000), note: `${lines} lines` };
    },
  },
];

function against(value: number, base: number): Measured {
  return { value: value / base, note: `${value.toFixed(1)} ms against ${base.toFixed(1)} ms` };
}

const commands = ["cat README.md", "grep -rn value1 src | head -n 5", "echo done >notes.txt"];

async function fourSteps(kit: Kit, place: Place, command?: Command) {
  const calls = commands.map((command) => callTools(["bash", { command }]));
  const { started, ended, served } = await runProgram(kit, place, command ? [] : prompt, {
    answers: [...calls, say("Done.")],
    ...command === undefined ? {} : { command },
  });
  const gaps = calls.map((_, index) => served.arrivals[index + 1]! - served.ends[index]!);
  return { wall: ended - started, gap: median(gaps) };
}

function repeat(call: Call): Call[][] {
  return Array.from({ length: steps }, () => [call]);
}

/** Runs one step for each list of calls; gives the ms from the end of each answer to the next request. */
async function gaps(
  kit: Kit,
  place: Place,
  calls: readonly (readonly Call[])[],
  options: Pick<RunOptions, "before"> = {},
): Promise<number[]> {
  const { served } = await runProgram(kit, place, prompt, {
    ...options,
    answers: [...calls.map((some) => callTools(...some)), say("Done.")],
  });
  return calls.map((_, index) => served.arrivals[index + 1]! - served.ends[index]!);
}

/** Time of a refused command beyond that of a call that fails at once, in ms. */
async function judging(kit: Kit): Promise<{ first: number; after: number }> {
  const place = await kit.place();
  const commands = Array.from(
    { length: steps },
    (_, index) => `cd src && for f in *.ts; do grep -n "value${index}" "$f" | head -n 3; done`,
  );
  const calls = commands.flatMap((command): Call[][] => [
    [["no_such_tool", {}]],
    [["bash", { command }]],
  ]);
  const { served } = await runProgram(kit, place, ["--ask", "deny", ...prompt], {
    answers: [...calls.map((some) => callTools(...some)), say("Done.")],
  });
  if (!served.bodies.at(-1)!.includes("approval_denied")) {
    throw new Error("commands were run without being judged");
  }
  const times = calls.map((_, index) => served.arrivals[index + 1]! - served.ends[index]!);
  const plain = median(times.filter((_, index) => index % 2 === 0));
  const [first, ...later] = times.filter((_, index) => index % 2 === 1);
  return { first: first! - plain, after: median(later) - plain };
}

/** The call, step by step, and the same command run from here while the model is waited for. */
async function beyond(kit: Kit, place: Place, call: Call, own: () => Promise<number>) {
  const ownTimes: number[] = [];
  const before = async () => void ownTimes.push(await own());
  const called = median(await gaps(kit, place, repeat(call), { before }));
  const direct = median(ownTimes);
  return {
    value: called - direct,
    note: `${called.toFixed(1)} ms against ${direct.toFixed(1)} ms`,
  };
}

/** Wall time of a command run from here, in ms. */
async function timeCommand(command: string, args: string[]): Promise<number> {
  const started = performance.now();
  await new Deno.Command(command, { args, stdin: "null", stdout: "piped" }).output();
  return performance.now() - started;
}
