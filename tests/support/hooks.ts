/** Runs of the program with hooks: settings, a scripted model, and what came of it. */
import { join } from "node:path";
import { cassette } from "./cassette.ts";
import { type ProgramResult, runProgram, withScratch } from "./program.ts";
import { checkedRecords, only, type Record as EventRecord } from "./records.ts";

type Steps = Parameters<typeof cassette>[1];

/** One hook for one event. */
export interface GivenHook {
  readonly event?: string;
  readonly matcher?: string;
  readonly command: string;
  readonly [key: string]: unknown;
}

/** Settings with `hooks`, each an entry of its own; PreToolUse where it names no event. */
export function hookSettings(...hooks: GivenHook[]): string {
  const byEvent: { [event: string]: unknown[] } = {};
  for (const { event = "PreToolUse", matcher, ...handler } of hooks) {
    const group = {
      ...matcher === undefined ? {} : { matcher },
      hooks: [{ type: "command", ...handler }],
    };
    (byEvent[event] ??= []).push(group);
  }
  return JSON.stringify({ hooks: byEvent }, null, 2);
}

export interface HookPlace {
  readonly root: string;
  readonly workspace: string;
  readonly home: string;
}

export interface HookRunOptions {
  /** `hookSettings`, or the text of config.json. */
  readonly settings?: string;
  /** Files by path, `W/...` in the workspace, `home/...` in the person's home. */
  readonly files?: { readonly [path: string]: string };
  readonly steps: Steps;
  readonly args?: readonly string[];
  readonly env?: { readonly [name: string]: string };
  readonly prompt?: string;
  readonly mode?: "json" | "print";
}

export interface HookRun extends ProgramResult {
  /** Empty in print mode. */
  readonly records: EventRecord[];
  /** The outputs of the calls, in order. */
  readonly outputs: string[];
  /** What a person was told, one line each. */
  readonly told: string;
  readonly place: HookPlace;
}

/** Runs one prompt; `use` looks at what came of it, while the files are there. */
export async function withHookRun(
  { settings, files = {}, steps, args = [], env = {}, prompt = "go", mode = "json" }:
    HookRunOptions,
  use: (run: HookRun) => Promise<void> | void,
): Promise<void> {
  await withScratch(async ({ root, workspace, home }) => {
    await writeHookFiles(root, files);
    if (settings !== undefined) {
      await writeHookFiles(root, { "home/.nimlet/config.json": settings });
    }
    const model = await cassette(join(root, "model.jsonl"), steps);
    const front = mode === "json" ? ["--mode", "json"] : [];
    const result = await runProgram([...model, ...front, ...args, "-p", prompt], {
      cwd: workspace,
      env: { HOME: home, ...env },
    });
    const records = mode === "json" ? checkedRecords(result.stdout) : [];
    await use({
      ...result,
      records,
      outputs: only(records, "tool_result").map(({ output }) => String(output)),
      told: [...only(records, "diagnostic").map(({ message }) => message), result.stderr].join(
        "\n",
      ),
      place: { root, workspace, home },
    });
  });
}

/** Writes files below `root`; those that begin with `#!` can be run. */
export async function writeHookFiles(
  root: string,
  files: { readonly [path: string]: string },
): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    const file = join(root, path);
    await Deno.mkdir(join(file, ".."), { recursive: true });
    await Deno.writeTextFile(file, text);
    if (text.startsWith("#!")) await Deno.chmod(file, 0o755);
  }
}

/** A shell command that prints `value` as its answer. */
export function answers(value: unknown): string {
  return `cat >/dev/null; printf '%s' '${JSON.stringify(value).replaceAll("'", `'\\''`)}'`;
}

/** The answer of a PreToolUse hook. */
export function decides(fields: { readonly [key: string]: unknown }): string {
  return answers({ hookSpecificOutput: { hookEventName: "PreToolUse", ...fields } });
}
