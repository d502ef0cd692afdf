/** Starts a hook's command, and waits for its end: bounded in number, time and output. */
import { depthVariable, hookDepth } from "../core/hook_depth.ts";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { childEnvironment } from "../core/child_environment.ts";
import { type Host, type ProcessResult, ProcessStartError } from "../core/host.ts";
import type { JsonObject } from "../core/json.ts";
import { capMiddle } from "../lib/well_formed.ts";
import type { Sandbox, SandboxedCommand } from "../core/sandbox.ts";
import { kindAt, realOf } from "../host/folders.ts";
import { shellStartupVariables } from "../host/shell.ts";
import { answerOf, type HookAnswer, maxStderrBytes, stdoutLimitBytes } from "./answer.ts";
import type { Hook } from "./hook.ts";
import { places } from "./places.ts";
import { commandLine } from "./command_line.ts";

export interface HookProcesses {
  /** Rejects with the reason of the signal alone. */
  run(hook: Hook, stdin: JsonObject, signal: AbortSignal): Promise<HookAnswer>;
  /** Runs a hook that nobody waits for; undefined where too many wait. */
  runLater(hook: Hook, stdin: JsonObject, signal: AbortSignal): Promise<HookAnswer> | undefined;
}

export interface HookPlace {
  readonly host: Host;
  readonly workspace: string;
  /** Without the keys of providers. */
  readonly childEnv: Record<string, string>;
  /** Where hooks run; absent: as nimlet does. */
  readonly sandbox?: Sandbox | undefined;
  /** Sees how a hook's process ended. */
  readonly observe?: (hook: Hook, result: ProcessResult) => void;
}

/** Hooks that run at once, those that nobody waits for among themselves. */
const maxRunning = 8, maxWaiting = 32;
const killGraceMs = 500;

export function hookProcesses(place: HookPlace): HookProcesses {
  const awaited = places(maxRunning, Infinity), later = places(maxRunning, maxWaiting);
  return {
    async run(hook, stdin, signal) {
      const leave = await awaited.enter(signal)!;
      try {
        return await runOnce(hook, stdin, place, signal);
      } finally {
        leave();
      }
    },
    runLater(hook, stdin, signal) {
      const entered = later.enter(signal);
      return entered?.then(async (leave) => {
        try {
          return await runOnce(hook, stdin, place, signal);
        } finally {
          leave();
        }
      });
    },
  };
}

async function runOnce(
  hook: Hook,
  stdin: JsonObject,
  { host, workspace, childEnv, sandbox, observe }: HookPlace,
  signal: AbortSignal,
): Promise<HookAnswer> {
  let inside: SandboxedCommand | undefined;
  const variables = { CLAUDE_PROJECT_DIR: workspace, NIMLET_WORKSPACE: workspace };
  try {
    const { file, args } = await commandLine(hook, variables, host);
    const line = {
      file: file.includes("/") && !isAbsolute(file) ? resolve(workspace, file) : file,
      args,
      cwd: workspace,
      env: {
        ...childEnvironment(childEnv, shellStartupVariables),
        ...variables,
        NIMLET_SESSION_ID: String(stdin.session_id ?? ""),
        NIMLET_HOOK: hook.event,
        [depthVariable]: String(hookDepth(host.env) + 1),
      },
    };
    if (!hook.outsideSandbox && sandbox !== undefined) {
      await sandbox.ready();
      inside = sandbox.wrap(line, neededBy(hook, line.file, host.env));
    }
    const result = await host.processes.run({
      ...inside ?? line,
      input: new TextEncoder().encode(`${JSON.stringify(stdin)}\n`),
      timeoutMs: hook.timeoutMs,
      killGraceMs,
      maxOutputBytes: stdoutLimitBytes,
      stdoutLimitBytes,
    }, signal);
    signal.throwIfAborted();
    const stderr = { ...result.stderr, text: capMiddle(result.stderr.text, maxStderrBytes) };
    observe?.(hook, { ...result, stderr });
    return answerOf({ ...result, stderr }, hook.timeoutMs);
  } catch (error) {
    if (!(error instanceof ProcessStartError)) throw error;
    return { kind: "failed", problem: `it could not be started: ${error.message}` };
  } finally {
    inside?.finish();
  }
}

/** Folders of the person's own hooks, which the sandbox is to show. */
function neededBy({ scope, command }: Hook, file: string, { home }: Host["env"]): string[] {
  if (scope === "project") return [];
  const first = /^\s*["']?((?:~|\/)[^\s"';|&]*)/.exec(command)?.[1];
  const named = first?.startsWith("~/") && home !== undefined ? join(home, first.slice(2)) : first;
  return [file, named ?? ""].filter((path) => isAbsolute(path) && kindAt(path) !== "missing")
    .map((path) => dirname(realOf(path)));
}
