/** The measurements of the sandbox: what it adds to a command and to the start, and its words alone. */
import { realHost } from "../src/host/real_host.ts";
import { openSandbox } from "../src/host/sandbox/sandbox.ts";
import { runEndTasks } from "../src/host/at_end.ts";
import { callTools, say } from "./bench_server.ts";
import { interleaved, type Kit, median, type Row, runProgram } from "./bench_kit.ts";

const confined = ["--sandbox", "workspace"];
const calls = 30;

export const sandboxRows: Row[] = [
  {
    name: "sandbox-command",
    what: "a command in the sandbox against one without",
    unit: "ms more",
    wanted: { most: 12 },
    async measure(kit) {
      const [bare, inside] = await interleaved(
        Math.min(kit.runs, 7),
        () => commandTime(kit, []),
        () => commandTime(kit, confined),
      );
      return { value: inside! - bare!, note: `${bare!.toFixed(1)} against ${inside!.toFixed(1)}` };
    },
  },
  {
    name: "sandbox-start",
    what: "start to the first request, with the sandbox asked for",
    unit: "ms more",
    wanted: { most: 20 },
    async measure(kit) {
      const place = await kit.place();
      const first = async (flags: string[]) => {
        const answers = [say("Hi.")];
        const run = await runProgram(kit, place, [...flags, "-p", "Hello."], { answers });
        return run.served.arrivals[0]! - run.started;
      };
      const [bare, inside] = await interleaved(kit.runs, () => first([]), () => first(confined));
      return { value: inside! - bare!, note: `${bare!.toFixed(1)} against ${inside!.toFixed(1)}` };
    },
  },
  {
    name: "sandbox-opening",
    what: "what the start waits for: opening it and beginning the probe",
    unit: "ms",
    wanted: { most: 1.5 },
    async measure(kit) {
      return { value: median(await openingTimes(kit)) };
    },
  },
  {
    name: "sandbox-words",
    what: "the words for one command, in a repository",
    unit: "ms",
    wanted: { most: 1 },
    async measure(kit) {
      return { value: median(await wordTimes(kit)) };
    },
  },
];

/** Median of what calls of `true` take. */
async function commandTime(kit: Kit, flags: string[]): Promise<number> {
  const place = await kit.place();
  const answers = [
    ...Array.from({ length: calls }, (_, n) => callTools(["bash", { command: `true ${n}` }])),
    say("done"),
  ];
  const { stdout } = await runProgram(kit, place, [...flags, "--mode", "json", "Go on."], {
    answers,
  });
  const times = new TextDecoder().decode(await new Blob(stdout as BlobPart[]).arrayBuffer())
    .split("\n").flatMap((line) => {
      const record = line === "" ? {} : JSON.parse(line);
      return record.type === "tool_result" ? [record.duration_ms as number] : [];
    });
  return median(times);
}

async function wordTimes(kit: Kit): Promise<number[]> {
  const { sandbox, line } = await opened(kit);
  await sandbox.ready();
  const times = Array.from({ length: 200 }, () => {
    const start = performance.now();
    sandbox.wrap(line);
    return performance.now() - start;
  });
  await runEndTasks();
  return times;
}

async function openingTimes(kit: Kit): Promise<number[]> {
  const times: number[] = [];
  for (let count = 0; count < 20; count++) {
    const { sandbox, took } = await opened(kit);
    times.push(took);
    await sandbox.ready();
    await runEndTasks();
  }
  return times;
}

/** A sandbox for a repository, opened in this process, and how long that took. */
async function opened(kit: Kit) {
  const { workspace, home } = await kit.place();
  await new Deno.Command("git", { args: ["init", "-q", workspace] }).output();
  const host = realHost();
  const wish = { mode: "workspace", net: "off", read: [], write: [], hide: [], env: [] } as const;
  const places = { workspace, nimletHome: `${home}/.nimlet` };
  const start = performance.now();
  const sandbox = await openSandbox(wish, places, { ...host, env: { ...host.env, home } });
  const took = performance.now() - start;
  const line = { file: "/bin/true", args: [], cwd: workspace, env: host.env.all() };
  return { sandbox, took, line };
}
