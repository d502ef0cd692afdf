/** Asks one hook once: whether it may start, its run, its counts, and the warning for a failure. */
import type { Clock } from "../core/host.ts";
import type { JsonObject } from "../core/json.ts";
import type { Front } from "../core/moments.ts";
import { delay } from "../lib/delay.ts";
import type { HookAnswer } from "./answer.ts";
import { forPerson } from "./clean_text.ts";
import type { Hook } from "./hook.ts";
import type { HookProcesses } from "./run_hook.ts";

/** What all hooks of a conversation share. */
export interface HookContext {
  readonly workspace: string;
  readonly front: Front;
  readonly processes: HookProcesses;
  readonly clock: Clock;
  /** Says what nobody waits for. */
  tell(level: "info" | "warning", message: string): void;
  /** How the project differs from what was trusted; "" where it does not. */
  projectChanges(): Promise<string>;
  /** Ends hooks that nobody waits for. */
  readonly end: AbortSignal;
}

/** A hook that is waited for longer says so, where it has a message for that. */
const quietMs = 1000;

/** The answer, or why there is none. Rejects with the reason of the signal alone. */
export async function askHook(
  hook: Hook,
  stdin: JsonObject,
  context: HookContext,
  signal: AbortSignal,
): Promise<HookAnswer> {
  const over = new AbortController();
  const { statusMessage } = hook;
  if (statusMessage !== undefined) {
    delay(quietMs, over.signal).then(() => context.tell("info", forPerson(statusMessage)))
      .catch(() => {});
  }
  try {
    return await answered(hook, context, () => context.processes.run(hook, stdin, signal));
  } finally {
    over.abort();
  }
}

/** Starts a hook that nobody waits for; `use` gets its answer. */
export function askLater(
  hook: Hook,
  stdin: JsonObject,
  context: HookContext,
  use: (answer: HookAnswer) => void,
): void {
  const run = () =>
    context.processes.runLater(hook, stdin, context.end) ??
      Promise.resolve<HookAnswer>({ kind: "failed", problem: "too many hooks wait for a place" });
  answered(hook, context, run).then(use).catch(() => {
    // the conversation is over
  });
}

/** Counts a failure; a person is told of the first alone. */
export function noteFailure(hook: Hook, problem: string, context: HookContext): void {
  hook.count.failures++;
  if (hook.count.failures > 1) return;
  context.tell("warning", forPerson(`hook ${hook.name} (${hook.event}): ${problem}`));
}

async function answered(
  hook: Hook,
  context: HookContext,
  run: () => Promise<HookAnswer>,
): Promise<HookAnswer> {
  const { count } = hook;
  const changes = hook.scope === "project" ? await context.projectChanges() : "";
  const startMs = context.clock.monotonic();
  const answer: HookAnswer = changes === "" ? await run() : {
    kind: "failed",
    problem: `it is not what was trusted (${changes}), so it does not run; /reload asks about it`,
  };
  count.runs++;
  count.lastMs = Math.round((context.clock.monotonic() - startMs) * 10) / 10;
  if (answer.kind === "failed") noteFailure(hook, answer.problem, context);
  else if (typeof answer.said.systemMessage === "string") {
    const said = forPerson(answer.said.systemMessage);
    if (said !== "") context.tell("info", `hook ${hook.name}: ${said}`);
  }
  return answer;
}
