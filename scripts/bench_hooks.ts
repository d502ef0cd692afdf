/** The measurements of hooks: what one adds to a call, by what it is written in and what it is given. */
import { callTools, say } from "./bench_server.ts";
import { type Kit, median, type Place, type Row, runProgram, writeFiles } from "./bench_kit.ts";

interface HookCost {
  readonly name: string;
  readonly what: string;
  readonly most: number;
  /** A command of the shell, or the text of a script with its first line. */
  readonly command: string;
  /** Characters in the file that is written. */
  readonly chars?: number;
}

/** As people write them: what starts costs more than what it does. */
const bashAndJq = `#!/usr/bin/env bash
command=$(jq -r '.tool_input.file_path')
if grep -q secret <<<"$command"; then exit 2; fi
`;
const python = `#!/usr/bin/env python3
import json, sys
sys.exit(2 if "secret" in json.load(sys.stdin)["tool_input"]["file_path"] else 0)
`;
const node = `#!/usr/bin/env node
const { tool_input } = JSON.parse(require("fs").readFileSync(0, "utf8"));
process.exit(/secret/.test(tool_input.file_path) ? 2 : 0);
`;

const costs: readonly HookCost[] = [
  { name: "hook", what: "a hook of the shell that ends at once", most: 12, command: "exit 0" },
  {
    name: "hook-case",
    what: "a hook that reads its input and decides in the shell",
    most: 12,
    command: `read -r line; case $line in *secret*) exit 2 ;; esac; exit 0`,
  },
  {
    name: "hook-jq",
    what: "a hook of bash, jq and grep, over these",
    most: 12,
    command: bashAndJq,
  },
  { name: "hook-python", what: "a hook of python, over python", most: 12, command: python },
  { name: "hook-node", what: "a hook of node, over node", most: 12, command: node },
  {
    name: "hook-1mb",
    what: "a hook of the shell that is given 1 MB and does not read it",
    most: 25,
    command: "exit 0",
    chars: 1e6,
  },
];

export const hookRows: Row[] = [
  ...costs.map((cost): Row => ({
    name: cost.name,
    what: `what a call waits for ${cost.what}`,
    unit: "ms",
    wanted: { most: cost.most },
    async measure(kit) {
      const place = await placeWith(kit, cost.command);
      const times = await hookTimes(kit, place, cost.chars ?? 10);
      const ninth = [...times].sort((a, b) => a - b)[Math.floor(times.length * 0.9)]!;
      const note = `nine of ten ${ninth.toFixed(1)} ms`;
      if (!cost.command.startsWith("#!")) return { value: median(times), note };
      const own = await ownTimes(`${place.home}/hook`, kit.runs);
      return {
        value: median(times) - median(own),
        note: `${median(times).toFixed(1)} ms against ${median(own).toFixed(1)} ms; ${note}`,
      };
    },
  })),
  {
    name: "hook-start",
    what: "start to the first request with ten hooks, over none",
    unit: "ms",
    wanted: { most: 5 },
    async measure(kit) {
      const without = await kit.place(), having = await kit.place();
      await addHooks(having, Array.from({ length: 10 }, (_, number) => `exit ${number}`));
      const first = async (place: Place) => {
        const { started, served } = await runProgram(kit, place, ["-p", "Go on."], {
          answers: [say("Hi.")],
        });
        return served.arrivals[0]! - started;
      };
      const bare: number[] = [], full: number[] = [];
      for (let run = 0; run < kit.runs; run++) {
        bare.push(await first(without));
        full.push(await first(having));
      }
      return {
        value: median(full) - median(bare),
        note: `${median(full).toFixed(1)} ms against ${median(bare).toFixed(1)} ms`,
      };
    },
  },
];

/** How long the one hook took, call by call, as the events say; the first, which loads code, is left out. */
async function hookTimes(kit: Kit, place: Place, chars: number): Promise<number[]> {
  const content = "x".repeat(chars);
  // a conversation holds 32 MiB
  const calls = Math.min(kit.runs, Math.floor(25e6 / chars));
  const times: number[] = [];
  for (let round = 0; times.length < 5; round++) {
    const answers = Array.from(
      { length: calls },
      (_, number) => callTools(["write", { path: `${round}-${number}.txt`, content }]),
    );
    const { stdout } = await runProgram(kit, place, ["--mode", "json", "-p", "Go on."], {
      answers: [...answers, say("Done.")],
    });
    const decoder = new TextDecoder();
    const text = stdout.map((bytes) => decoder.decode(bytes, { stream: true })).join("");
    times.push(
      ...text.split("\n").filter((line) => line.includes('"tool_result"'))
        .map((line) => JSON.parse(line).hooks[0].ms as number).slice(1),
    );
  }
  return times;
}

/** How long the same script takes where it is started by itself. */
async function ownTimes(script: string, runs: number): Promise<number[]> {
  const input = new TextEncoder().encode(`{"tool_input":{"file_path":"a.txt"}}\n`);
  const times: number[] = [];
  for (let run = 0; run < runs; run++) {
    const started = performance.now();
    const child = new Deno.Command(script, { stdin: "piped", stdout: "null" }).spawn();
    const writer = child.stdin.getWriter();
    await writer.write(input);
    await writer.close();
    await child.status;
    times.push(performance.now() - started);
  }
  return times;
}

async function placeWith(kit: Kit, command: string): Promise<Place> {
  const place = await kit.place();
  if (!command.startsWith("#!")) return await addHooks(place, [command]);
  await writeFiles(place.home, { "hook": command });
  await Deno.chmod(`${place.home}/hook`, 0o755);
  return await addHooks(place, ["~/hook"]);
}

async function addHooks(place: Place, commands: readonly string[]): Promise<Place> {
  const file = `${place.home}/.nimlet/config.json`;
  const config = JSON.parse(await Deno.readTextFile(file));
  const hooks = commands.map((command) => ({ type: "command", command }));
  await Deno.writeTextFile(
    file,
    JSON.stringify({ ...config, hooks: { PreToolUse: [{ matcher: "Write", hooks }] } }),
  );
  return place;
}
