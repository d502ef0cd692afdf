/** The figures of running commands: what a call adds, and what much output costs. */
import { realHost } from "../src/host/real_host.ts";
import { detectShell } from "../src/host/shell.ts";
import { bashTool } from "../src/tools/bash.ts";

export interface ProcessFigures {
  /** Median of what the bash tool adds to the same command started and read directly. */
  readonly addedMs: number;
  /** How far resident memory rises while 1 GB of output passes. */
  readonly growthMb: number;
  /** Time for that output, as a multiple of the command's own into nothing. */
  readonly slowdown: number;
}

const rounds = 40;
const flood = "head -c 1000000000 /dev/zero | tr '\\0' x";

export async function benchProcesses(): Promise<ProcessFigures> {
  const host = realHost();
  const shell = await detectShell(host);
  const tool = bashTool(() => Promise.resolve(shell));
  const folder = await Deno.makeTempDir();
  const context = {
    workspace: folder,
    host,
    signal: new AbortController().signal,
    childEnv: host.env.all(),
    progress: () => {},
    limits: { maxOutputBytes: 100_000 },
  };
  const call = (command: string) => tool.run({ command }, context);
  const direct = (command: string) =>
    new Deno.Command(shell.path, { args: [...shell.args, "-c", command], stdin: "null" }).output();
  try {
    const added: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const own = await timed(() => direct("echo hi"));
      added.push(await timed(() => call("echo hi")) - own);
    }
    const ownMs = await timed(() => direct(`(${flood}) >/dev/null`));
    const before = Deno.memoryUsage().rss;
    let most = before;
    const watch = setInterval(() => most = Math.max(most, Deno.memoryUsage().rss), 20);
    const floodMs = await timed(() => call(flood));
    clearInterval(watch);
    return {
      addedMs: added.sort((a, b) => a - b)[rounds / 2]!,
      growthMb: (most - before) / 1e6,
      slowdown: floodMs / ownMs,
    };
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

if (import.meta.main) {
  const { addedMs, growthMb, slowdown } = await benchProcesses();
  const lines = [
    `bash adds to a command: ${addedMs.toFixed(1)} ms (at most 8)`,
    `memory while 1 GB of output passes: +${growthMb.toFixed(0)} MB (less than 60)`,
    `time for 1 GB of output: ${slowdown.toFixed(1)} times the command's own`,
  ];
  await Deno.stdout.write(new TextEncoder().encode(lines.join("\n") + "\n"));
  Deno.exit(addedMs <= 8 && growthMb < 60 ? 0 : 1);
}
