/** The last event of a run: what it was, what it cost, what it changed. */
import type { RunContext } from "../../agent/run_context.ts";
import type { AgentEvent, Emit } from "../../core/event.ts";
import type { PromptRun } from "./prompt_run.ts";

export interface RunEnd {
  /** The context to run with: what goes by is noted. */
  readonly context: RunContext;
  event(run: PromptRun): AgentEvent;
}

/** For the run that begins now. */
export function runEnd(context: RunContext, emit: Emit): RunEnd {
  const { host: { clock }, model } = context;
  const startMs = clock.monotonic();
  const files = new Set<string>();
  const noting: Emit = (event) => {
    if (event.type === "tool_result") {
      for (const file of event.files_changed ?? []) files.add(file);
    }
    return emit(event);
  };
  return {
    context: Object.freeze({ ...context, emit: noting }),
    event({ outcome, steps, denials }) {
      const { status, text, usage, failure, exitStatus, cut } = outcome;
      const answered = status === "done" || cut === true && text !== "";
      return {
        type: "run_end",
        ...answered ? { answer: text } : {},
        status,
        exit_code: exitStatus,
        ...failure === undefined ? {} : { error: failure },
        provider: model.provider,
        model: model.model,
        usage: { ...usage },
        ...usage.cost_usd === undefined ? {} : { cost_usd: usage.cost_usd },
        duration_ms: Math.round(clock.monotonic() - startMs),
        steps,
        denials,
        files_changed: [...files].sort(),
      };
    },
  };
}
