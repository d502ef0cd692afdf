/** Runs the hooks of one event once, without a model: how their author tries them. */
import { parseInput } from "../agent/parse_call.ts";
import type { Mode } from "../core/capability.ts";
import { RunFailure, ToolFailure } from "../core/failure.ts";
import type { HookEvent } from "../core/hook_events.ts";
import type { HookFacts } from "../core/hook_facts.ts";
import type { ProcessResult } from "../core/host.ts";
import type { Json, JsonObject } from "../core/json.ts";
import type { Moment, Noted } from "../core/moment.ts";
import type {
  FinishedCall,
  Participant,
  PendingCall,
  SessionEnd,
  SessionStart,
} from "../core/moments.ts";
import type { AnyTool } from "../core/tool.ts";
import type { Hook } from "../hooks/hook.ts";
import type { HookProcesses } from "../hooks/run_hook.ts";
import type { RunEnvironment } from "./environment.ts";

export interface Trial {
  readonly event: HookEvent;
  /** Of an event about a call. */
  readonly call?: {
    readonly tool: AnyTool;
    readonly input: JsonObject;
    /** What the tool gave. */
    readonly output: string;
  } | undefined;
  /** What other events are about: the prompt, the source, the reason, the trigger, the error. */
  readonly word?: string | undefined;
  readonly environment: RunEnvironment;
  readonly mode: Mode;
  readonly questions: Moment["questions"];
  readonly signal: AbortSignal;
  /** For what a person should know. */
  tell(sentence: string): void;
}

export interface TriedHook extends HookFacts {
  readonly matched: boolean;
  /** Absent where no process was started. */
  readonly status?: number;
  readonly signal?: string;
  readonly ms?: number;
  readonly stdout?: string;
  readonly stderr?: string;
  /** What it means, as `deny` with the reason; absent where it does not match. */
  readonly answer?: JsonObject;
}

/** One after the other, each with what those before made of the call. Throws `RunFailure`. */
export async function tryHooks(trial: Trial): Promise<TriedHook[]> {
  const { event, environment, signal } = trial;
  const { config, workspace, host, trust, childEnv, sandbox } = environment;
  const { loadHooks } = await import("../hooks/load_hooks.ts");
  const { hookSet } = await import("../hooks/hook_set.ts");
  const { hookProcesses } = await import("../hooks/run_hook.ts");
  const { hookFacts } = await import("../hooks/hook_facts.ts");
  const place = { workspace, env: host.env, isTrusted: trust.trusted };
  const { hooks: all, warnings } = await loadHooks(config.hookSources, place);
  warnings.forEach(trial.tell);
  const ends = new Map<Hook, ProcessResult>(), later: Promise<unknown>[] = [];
  const processes = hookProcesses({
    host,
    workspace,
    childEnv,
    sandbox,
    observe: (hook, result) => void ends.set(hook, result),
  });
  const waited: HookProcesses = {
    ...processes,
    runLater(hook, stdin, stop) {
      const run = processes.run(hook, stdin, stop);
      later.push(run.catch(() => {}));
      return run;
    },
  };
  const hooks = all.filter((hook) => hook.event === event)
    // what need not be waited for is waited for here
    .map((hook) => ({ ...hook, isAsync: false }));
  const { participants } = hookSet(hooks, {
    workspace,
    front: "print",
    processes: waited,
    clock: host.clock,
    tell: (_level, message) => trial.tell(message),
    projectChanges: async () => (await trust.project?.hookChanges() ?? []).join(", "),
    end: signal,
  });
  const ask = asker(trial, await givenArguments(trial));
  const tried: TriedHook[] = [];
  for (const [index, hook] of hooks.entries()) {
    const answer = await ask(participants[index]!);
    await Promise.all(later.splice(0));
    const end = ends.get(hook);
    tried.push({
      ...hookFacts(all.find((one) => one.count === hook.count)!),
      matched: answer !== undefined || hook.count.runs > 0,
      ...end === undefined ? {} : {
        status: end.exitCode,
        ...end.signal === undefined ? {} : { signal: end.signal },
        ms: hook.count.lastMs ?? 0,
        stdout: end.stdout.text,
        stderr: end.stderr.text,
      },
      ...answer === undefined ? {} : { answer: shownAnswer(answer) },
    });
  }
  return tried;
}

/** The arguments as the tool gets them. Throws `ToolFailure`. */
async function parsed(tool: AnyTool, input: Json, signal: AbortSignal): Promise<JsonObject> {
  const call = { type: "tool_use", id: "1", name: tool.name, input } as const;
  return await parseInput(tool, call, [], signal) as JsonObject;
}

/** Throws `RunFailure("usage")` for what the tool does not take. */
async function givenArguments({ call, signal }: Trial): Promise<JsonObject | undefined> {
  try {
    return call && await parsed(call.tool, call.input, signal);
  } catch (error) {
    if (!(error instanceof ToolFailure)) throw error;
    throw new RunFailure("usage", `--try-hook: ${error.message}`);
  }
}

type Answer = Noted & { readonly [field: string]: unknown };

/** The function that asks one hook; it keeps what hooks make of the call. */
function asker({ event, call, word, mode, questions, signal }: Trial, given: JsonObject = {}) {
  const moment: Moment = { sessionId: "try", mode, questions, model: "none" };
  let pending: PendingCall | undefined = call &&
    { ...moment, id: "try", tool: call.tool, arguments: given, step: 1 };
  let output = call?.output ?? "";
  return async (participant: Participant): Promise<Answer | undefined> => {
    switch (event) {
      case "PreToolUse": {
        const answer = await participant.beforeCall?.(pending!, signal);
        if (answer?.arguments === undefined) return answer as Answer | undefined;
        try {
          pending = { ...pending!, arguments: await parsed(call!.tool, answer.arguments, signal) };
        } catch (error) {
          if (!(error instanceof ToolFailure)) throw error;
          return {
            ...answer,
            deny: `it changed the arguments to what cannot be run: ${error.message}`,
          };
        }
        return answer as Answer | undefined;
      }
      case "PostToolUse":
      case "PostToolUseFailure": {
        const finished: FinishedCall = {
          ...pending!,
          output,
          images: 0,
          isError: event === "PostToolUseFailure",
          wasInterrupted: false,
          durationMs: 0,
        };
        const answer = await participant.afterCall?.(finished, signal);
        output = answer?.output ?? output;
        return answer as Answer | undefined;
      }
      case "UserPromptSubmit": {
        const text = word ?? "";
        const prompt = { text, message: text, mentions: [], source: "typed" } as const;
        return await participant.onPrompt?.({ ...moment, ...prompt }, signal) as Answer | undefined;
      }
      case "Stop": {
        const end = { text: word ?? "", continued: 0 };
        return await participant.atEnd?.({ ...moment, ...end }, signal) as Answer | undefined;
      }
      case "StopFailure": {
        const code = word ?? "network";
        const failure = { status: "failed", code, message: `failed: ${code}`, text: "" } as const;
        return await participant.afterFailure?.({ ...moment, ...failure }, signal) as
          | Answer
          | undefined;
      }
      case "SessionStart": {
        const source = (word ?? "startup") as SessionStart["source"];
        return await participant.onSessionStart?.({ ...moment, source }, signal) as
          | Answer
          | undefined;
      }
      case "SessionEnd": {
        const reason = (word ?? "other") as SessionEnd["reason"];
        return await participant.onSessionEnd?.({ ...moment, reason }, signal) as
          | Answer
          | undefined;
      }
      case "PreCompact": {
        const pending = { trigger: (word ?? "manual") as "manual", instruction: "" };
        return await participant.beforeCompaction?.({ ...moment, ...pending }, signal) as
          | Answer
          | undefined;
      }
      case "PostCompact": {
        const done = { trigger: (word ?? "manual") as "manual", summary: "a summary" };
        return await participant.afterCompaction?.({ ...moment, ...done }, signal) as
          | Answer
          | undefined;
      }
      case "Notification": {
        const question = { tool: "bash", subject: "true", grantKey: "bash:true" };
        participant.onQuestion?.({
          ...moment,
          question: { ...question, canRemember: true, canRememberForProject: false },
        });
        return undefined;
      }
    }
  };
}

/** Without what says nothing. */
function shownAnswer({ event: _, ...answer }: Answer): JsonObject {
  return JSON.parse(JSON.stringify(answer)) as JsonObject;
}
