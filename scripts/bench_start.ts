/** The measurements of the start: time, size, memory, and the first request. */
import { callTools, say } from "./bench_server.ts";
import { bareNodeClient } from "./bench_node.ts";
import {
  type Command,
  interleaved,
  type Kit,
  type Measured,
  peakOfEmpty,
  type Place,
  type Row,
  runProgram,
  timeEmpty,
  writeFiles,
} from "./bench_kit.ts";

const prompt = ["-p", "What does this project do?"];

export const startRows: Row[] = [
  {
    name: "version",
    what: "--version against an empty program",
    unit: "x",
    wanted: { most: 1.25 },
    async measure(kit) {
      const place = await kit.place();
      return ratio(
        await interleaved(kit.runs, () => timeEmpty(kit), async () => {
          const { started, ended } = await runProgram(kit, place, ["--version"]);
          return ended - started;
        }),
        "ms",
      );
    },
  },
  {
    name: "first-request",
    what: "start to the first model request against an empty program",
    unit: "x",
    wanted: { most: 2.0 },
    async measure(kit) {
      const place = await kit.place();
      return ratio(
        await interleaved(kit.runs, () => timeEmpty(kit), () => firstRequestMs(kit, place)),
        "ms",
      );
    },
  },
  {
    name: "node-request",
    what: "start to the first model request against a bare client for Node",
    unit: "x",
    wanted: { most: 1.6 },
    async measure(kit) {
      const place = await kit.place(), command = bareNodeClient(kit);
      const answers = [say("Hi.")];
      return ratio(
        await interleaved(kit.runs, async () => {
          const { started, served } = await runProgram(kit, place, [], { command, answers });
          return served.arrivals[0]! - started;
        }, () => firstRequestMs(kit, place)),
        "ms",
      );
    },
  },
  {
    name: "node-memory",
    what: "peak memory of four steps against a bare client for Node",
    unit: "x",
    wanted: { most: 1.52 },
    async measure(kit) {
      const place = await kit.place(), command = bareNodeClient(kit);
      const runs = Math.ceil(kit.runs / 3);
      return megabytes(
        await interleaved(
          runs,
          () => peakOfFourSteps(kit, place, [], command),
          () => peakOfFourSteps(kit, place, prompt),
        ),
      );
    },
  },
  {
    name: "memory",
    what: "peak memory of four steps against an empty program",
    unit: "x",
    wanted: { most: 2.0 },
    async measure(kit) {
      const place = await kit.place();
      const runs = Math.ceil(kit.runs / 3);
      return megabytes(
        await interleaved(
          runs,
          () => peakOfEmpty(kit),
          () => peakOfFourSteps(kit, place, prompt),
        ),
      );
    },
  },
  {
    name: "size",
    what: "binary size beyond an empty program",
    unit: "MB",
    wanted: { most: 5 },
    async measure(kit) {
      const sizes = await Promise.all(
        [kit.nimlet, kit.empty].map(async (path) => (await Deno.stat(path)).size),
      );
      return { value: (sizes[0]! - sizes[1]!) / 1e6 };
    },
  },
  {
    name: "request-size",
    what: "body of the first request, with all nine tools",
    unit: "bytes",
    wanted: { most: 8192 },
    async measure(kit) {
      const { served } = await runProgram(kit, await kit.place(), prompt, {
        answers: [say("Hi.")],
      });
      const body = served.bodies[0]!;
      const tools: unknown = JSON.parse(body).tools;
      return {
        value: new TextEncoder().encode(body).length,
        note: `${Array.isArray(tools) ? tools.length : 0} tools`,
      };
    },
  },
  {
    name: "manifests",
    what: "start with 200 manifests of external tools beyond one with none",
    unit: "ms",
    wanted: { most: 20 },
    async measure(kit) {
      const plain = await kit.place(), full = await kit.place();
      for (let index = 0; index < 200; index++) {
        const manifest = {
          name: `tool_${index}`,
          description: "Count the words in a text.",
          command: ["run"],
          input_schema: {
            type: "object",
            properties: { text: { type: "string" } },
            required: ["text"],
          },
          capabilities: ["read"],
        };
        const folder = `${full.home}/.nimlet/tools/tool-${index}`;
        await writeFiles(folder, {
          "tool.json": JSON.stringify(manifest),
          run: "#!/bin/sh\ncat\n",
        });
        await Deno.chmod(`${folder}/run`, 0o755);
      }
      return difference(await firstRequests(kit, plain, full));
    },
  },
  {
    name: "instructions",
    what: "start with 200 skills, 100 templates, 30 instruction files beyond one with few",
    unit: "ms",
    wanted: { most: 30 },
    async measure(kit) {
      const plain = await kit.place(), full = await kit.place();
      const files: Record<string, string> = {};
      for (let index = 0; index < 200; index++) {
        files[`.nimlet/skills/skill-${index}/SKILL.md`] =
          `---\nname: skill-${index}\ndescription: What to do in case ${index}.\n---\n\nDo it well.\n`;
      }
      for (let index = 0; index < 100; index++) {
        files[`.nimlet/prompts/template-${index}.md`] = `Look at $1, case ${index}.\n`;
      }
      await writeFiles(full.home, files);
      let workspace = full.workspace;
      for (let level = 0; level < 30; level++) {
        workspace += `/level${level}`;
        await writeFiles(workspace, { "AGENTS.md": `Level ${level} has a rule of its own.\n` });
      }
      return difference(await firstRequests(kit, plain, { ...full, workspace }));
    },
  },
];

function firstRequests(kit: Kit, plain: Place, full: Place): Promise<number[]> {
  return interleaved(
    kit.runs,
    () => firstRequestMs(kit, plain),
    () => firstRequestMs(kit, full),
  );
}

async function firstRequestMs(kit: Kit, place: Place): Promise<number> {
  const { started, served } = await runProgram(kit, place, prompt, { answers: [say("Hi.")] });
  return served.arrivals[0]! - started;
}

async function peakOfFourSteps(
  kit: Kit,
  place: Place,
  args: readonly string[],
  command?: Command,
): Promise<number> {
  await writeFiles(place.workspace, { "notes.txt": "one\ntwo\nthree\n" });
  const answers = [
    callTools(["read", { path: "notes.txt" }]),
    callTools(["edit", { path: "notes.txt", old_text: "two", new_text: "2" }]),
    callTools(["bash", { command: "cat notes.txt" }]),
    say("Done."),
  ];
  const watched = { answers, watchMemory: true };
  return (await runProgram(kit, place, args, command ? { ...watched, command } : watched))
    .peakBytes;
}

function megabytes(bytes: readonly number[]): Measured {
  return ratio(bytes.map((count) => count / 1e6), "MB");
}

function ratio([base, value]: readonly number[], unit: string): Measured {
  return {
    value: value! / base!,
    note: `${value!.toFixed(1)} ${unit} against ${base!.toFixed(1)} ${unit}`,
  };
}

function difference([base, value]: readonly number[]): Measured {
  return {
    value: value! - base!,
    note: `${value!.toFixed(1)} ms against ${base!.toFixed(1)} ms`,
  };
}
