/** What the end of a run means for the person and the shell. */
import type { RunContext } from "../../agent/run_context.ts";
import type { RunEnd } from "../../agent/run.ts";
import type { RunOutcome } from "../../core/conversation.ts";
import { exitStatus, exitStatusOf, messageOf, RunFailure } from "../../core/failure.ts";
import { ClosedOutput } from "../../core/host.ts";
import { exitStatusOfInterruption, interruptionOf } from "../../core/interruption.ts";
import { ModelError } from "../../core/model.ts";
import { assertNever } from "../../lib/assert_never.ts";

/** The outcome of a loop that ended by itself or by the signal; throws `ClosedOutput` where nobody reads it. */
export function outcomeOf(
  end: RunEnd,
  signal: AbortSignal,
  limits: RunContext["limits"],
): RunOutcome {
  const { text, usage } = end;
  switch (end.status) {
    case "done":
      return { status: "done", text, usage, exitStatus: exitStatus.done };
    case "failed": {
      if (end.stop !== undefined) return stoppedOutcome(end.stop, text, usage);
      const error = end.error!;
      return {
        status: "failed",
        text,
        usage,
        exitStatus: exitStatus.failed,
        failure: { code: error.kind, message: error.message },
        ...(end.cut ? { cut: true } : {}),
      };
    }
    case "limit":
      return {
        status: "limit",
        text,
        usage,
        exitStatus: exitStatus.limit,
        failure: limitReached(end, limits),
      };
    case "interrupted":
      return { ...interruptedOutcome(signal), text, usage };
    default:
      return assertNever(end.status);
  }
}

function stoppedOutcome(message: string, text: string, usage: RunEnd["usage"]): RunOutcome {
  return {
    status: "failed",
    text,
    usage,
    exitStatus: exitStatusOf("hook"),
    failure: { code: "hook", message },
  };
}

function limitReached(
  { limit, usage }: RunEnd,
  { maxSteps, maxCost, maxRepeats }: RunContext["limits"],
): NonNullable<RunOutcome["failure"]> {
  switch (limit) {
    case "cost": {
      const spent = `${usage.cost_usd?.toFixed(4)} dollars were spent`;
      return { code: "cost", message: `stopped as ${spent} of ${maxCost} (--max-cost)` };
    }
    case "repetition":
      return {
        code: "repetition",
        message:
          `stopped as the same call gave the same result ${maxRepeats} times in a row (agent.max_repeats)`,
      };
    default: {
      const requests = `${maxSteps} model request${maxSteps === 1 ? "" : "s"}`;
      return { code: "limit", message: `stopped after ${requests} (--max-steps)` };
    }
  }
}

/** The outcome of a run that threw. A reader of stdout that has gone is passed on. */
export function failedOutcome(error: unknown, signal: AbortSignal): RunOutcome {
  if (error instanceof ClosedOutput) throw error;
  if (signal.aborted) return interruptedOutcome(signal);
  const [code, status] = error instanceof RunFailure
    ? [error.code, exitStatusOf(error.code)]
    : error instanceof ModelError
    ? [error.kind, exitStatus.failed]
    : ["internal", exitStatus.failed] as const;
  return {
    status: "failed",
    text: "",
    usage: {},
    exitStatus: status,
    failure: { code, message: messageOf(error) },
  };
}

function interruptedOutcome(signal: AbortSignal): RunOutcome {
  const { source, message } = interruptionOf(signal);
  if (source === "reader") throw new ClosedOutput(message);
  return {
    status: source === "timeout" ? "limit" : "interrupted",
    text: "",
    usage: {},
    exitStatus: exitStatusOfInterruption(source),
    failure: { code: source === "timeout" ? "limit" : "interrupted", message },
  };
}
