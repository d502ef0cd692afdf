/** What a hook gets on its standard input. */
import type { JsonObject } from "../core/json.ts";
import type { Moment } from "../core/moment.ts";
import type { FinishedCall, Front, PendingCall } from "../core/moments.ts";
import { shownName } from "./tool_names.ts";
import type { ToolForm } from "./tool_forms.ts";

/** The fields of every event. */
export function commonFields(
  moment: Moment,
  event: string,
  { workspace, front }: { readonly workspace: string; readonly front: Front },
  own: JsonObject = {},
): JsonObject {
  return {
    session_id: moment.sessionId,
    transcript_path: moment.transcript ?? null,
    cwd: workspace,
    permission_mode: permissionMode(moment),
    hook_event_name: event,
    nimlet: {
      version: 1,
      mode: moment.mode,
      front,
      ...moment.runId === undefined ? {} : { run_id: moment.runId },
      ...moment.turnId === undefined ? {} : { turn_id: moment.turnId },
      ...own,
    },
  };
}

/** Of the events about a call, for the `nimlet` object. */
export function callFields({ tool, arguments: given, step }: PendingCall): JsonObject {
  return {
    tool: tool.name,
    arguments: given,
    capabilities: [...tool.capabilities],
    origin: { ...tool.origin } as unknown as JsonObject,
    step,
  };
}

export function pendingFields(call: PendingCall, form: ToolForm): JsonObject {
  return { tool_name: shownName(call.tool), tool_input: form.input, tool_use_id: call.id };
}

export function finishedFields(call: FinishedCall, form: ToolForm): JsonObject {
  return {
    ...pendingFields(call, form),
    tool_response: form.response(call.output, call.isError, call.wasInterrupted),
    duration_ms: call.durationMs,
    ...hasFailed(call)
      ? {
        error: call.exitStatus === undefined
          ? call.output
          : `Exit code ${call.exitStatus}\n${call.output}`,
        is_interrupt: call.wasInterrupted,
      }
      : {},
  };
}

/** A call that failed, or a command that ended with another status than 0. */
export function hasFailed({ isError, exitStatus = 0 }: FinishedCall): boolean {
  return isError || exitStatus !== 0;
}

function permissionMode({ mode, questions }: Moment): string {
  if (mode === "plan") return "plan";
  return { allowed: "bypassPermissions", denied: "dontAsk", asked: "default" }[questions];
}
