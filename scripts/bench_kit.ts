/** What every measurement uses: both programs, a workspace, runs, medians, peak memory. */
import { fileURLToPath } from "node:url";
import {
  type Answer,
  type BenchServer,
  type Served,
  type ServeOptions,
  startBenchServer,
} from "./bench_server.ts";

/** One measured figure. */
export interface Row {
  /** A short word for `--only`. */
  readonly name: string;
  readonly what: string;
  readonly unit: string;
  /** `[most]` or, with `least`, a lower bound. */
  readonly wanted: { readonly most: number } | { readonly least: number };
  measure(kit: Kit): Promise<Measured>;
}

export interface Measured {
  readonly value: number;
  /** What the value was made of. */
  readonly note?: string;
}

/** What `full` takes more than `bare`, both in ms. */
export function addedMs(bare: number, full: number, digits = 1): Measured {
  return {
    value: full - bare,
    note: `${full.toFixed(digits)} ms against ${bare.toFixed(digits)} ms`,
  };
}

export interface Kit {
  readonly nimlet: string;
  readonly empty: string;
  /** How often each thing is run; the median counts. */
  readonly runs: number;
  readonly server: BenchServer;
  /** The programs' folder for temporary files. */
  readonly temporary: string;
  /** A new workspace of a few files, with a home that names the server as provider. */
  place(): Promise<Place>;
  close(): Promise<void>;
}

export interface Place {
  readonly workspace: string;
  readonly home: string;
}

export async function openKit(nimlet: string, empty: string, runs: number): Promise<Kit> {
  const server = startBenchServer();
  const folder = await Deno.makeTempDir({ prefix: "nimlet-bench-" });
  const temporary = `${folder}/temporary`;
  await Deno.mkdir(temporary);
  let places = 0;
  return {
    nimlet,
    empty,
    runs,
    server,
    temporary,
    async place() {
      const place = `${folder}/${++places}`;
      await makeWorkspace(`${place}/workspace`);
      await writeFiles(`${place}/home`, {
        ".nimlet/config.json": JSON.stringify({
          default_provider: "openai-compatible",
          default_model: "m",
          providers: { "openai-compatible": { endpoint: server.url, api_key: "none" } },
          // many rows make one call again and again
          agent: { max_repeats: 0 },
        }),
      });
      return { workspace: `${place}/workspace`, home: `${place}/home` };
    },
    async close() {
      server.close();
      await Deno.remove(folder, { recursive: true });
    },
  };
}

async function makeWorkspace(path: string): Promise<void> {
  const lines = (count: number) =>
    Array.from({ length: count }, (_, index) => `export const value${index} = ${index};\n`).join(
      "",
    );
  await writeFiles(path, {
    ".git/HEAD": "ref: refs/heads/main\n",
    "AGENTS.md": "# Working here\n\nRun the tests before you say that you are done.\n",
    "README.md": "# A small project\n\nIt has a few files.\n",
    "src/main.ts": lines(80),
    "src/parse.ts": lines(200),
    "tests/parse_test.ts": lines(40),
  });
}

export async function writeFiles(folder: string, files: Record<string, string>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    const path = `${folder}/${name}`;
    await Deno.mkdir(path.slice(0, path.lastIndexOf("/")), { recursive: true });
    await Deno.writeTextFile(path, text);
  }
}

export interface Run {
  /** `performance.now()` right before the start, and when it had ended. */
  readonly started: number;
  readonly ended: number;
  readonly stdout: Uint8Array[];
  readonly served: Served;
  /** Most memory held at once, where the machine reports it. */
  readonly peakBytes: number;
}

export type Command = readonly [file: string, ...args: string[]];

export interface RunOptions extends ServeOptions {
  readonly answers?: readonly Answer[];
  /** What the server is doing already, for one of several runs at once. */
  readonly served?: Served;
  /** Run in place of the program. */
  readonly command?: Command;
  readonly watchMemory?: boolean;
  /** Sees stdout as it comes, instead of its being kept. */
  readonly onStdout?: (bytes: Uint8Array) => void;
}

/** Runs the program once in a place. Throws where it does not end with 0. */
export async function runProgram(
  kit: Kit,
  place: Place,
  args: readonly string[],
  options: RunOptions = {},
): Promise<Run> {
  const served = options.served ?? kit.server.play(options.answers ?? [], options);
  const stdout: Uint8Array[] = [];
  const started = performance.now();
  const [file, ...before] = options.command ?? [kit.nimlet];
  const child = new Deno.Command(file, {
    args: [...before, ...args],
    cwd: place.workspace,
    clearEnv: true,
    env: environment(kit, place.home),
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const complaints = new Response(child.stderr).text();
  const peak = options.watchMemory ? watchPeak(child.pid) : Promise.resolve(0);
  const keep = options.onStdout ?? ((bytes: Uint8Array) => void stdout.push(bytes));
  for await (const bytes of child.stdout) keep(bytes);
  const { code } = await child.status;
  const ended = performance.now();
  if (code !== 0) {
    throw new Error(
      `${[file, ...before, ...args].join(" ")} ended with ${code}: ${await complaints}`,
    );
  }
  return { started, ended, stdout, served, peakBytes: await peak };
}

/** Wall time of the empty program in ms. */
export async function timeEmpty(kit: Kit): Promise<number> {
  const started = performance.now();
  await emptyCommand(kit, "piped").spawn().status;
  return performance.now() - started;
}

function emptyCommand(kit: Kit, output: "null" | "piped"): Deno.Command {
  return new Deno.Command(kit.empty, {
    clearEnv: true,
    env: environment(kit, kit.temporary),
    stdin: "null",
    stdout: output,
    stderr: output,
  });
}

/**
 * For both programs. The runtime keeps compiled code in the folder for temporary files, by the name
 * of the program: in a folder of its own no other build of the same name gets in between.
 */
export function environment({ temporary }: Kit, home: string): Record<string, string> {
  return { PATH: Deno.env.get("PATH") ?? "/usr/bin:/bin", HOME: home, TMPDIR: temporary };
}

/** Runs the empty program once and gives the most memory that it held. */
export async function peakOfEmpty(kit: Kit): Promise<number> {
  const child = emptyCommand(kit, "null").spawn();
  const peak = await watchPeak(child.pid);
  await child.status;
  return peak;
}

/** Looks at the process until it has ended; the kernel itself keeps the highest mark. */
async function watchPeak(pid: number): Promise<number> {
  let peakKib = 0;
  for (;;) {
    let status: string;
    try {
      status = Deno.readTextFileSync(`/proc/${pid}/status`);
    } catch {
      break;
    }
    const [, kib] = /^VmHWM:\s+(\d+) kB/m.exec(status) ?? [];
    if (kib === undefined) break; // it has ended, and is not yet waited for
    peakKib = Math.max(peakKib, Number(kib));
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
  if (peakKib === 0) throw new Error("peak memory is read from /proc, which this machine lacks");
  return peakKib * 1024;
}

/** Calls each measurement in turn `runs` times after one round to warm up; gives the medians. */
export async function interleaved(
  runs: number,
  ...measurements: (() => Promise<number>)[]
): Promise<number[]> {
  const values = measurements.map(() => [] as number[]);
  for (let round = -1; round < runs; round++) {
    for (const [index, measurement] of measurements.entries()) {
      const value = await measurement();
      if (round >= 0) values[index]!.push(value);
    }
  }
  return values.map(median);
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

export const root = fileURLToPath(new URL("..", import.meta.url));
