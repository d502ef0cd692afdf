/** Decides whether one call runs, and with which arguments: participants first, then permission. */
import { ToolFailure } from "../core/failure.ts";
import { interruptionOf } from "../core/interruption.ts";
import type { Json, JsonObject } from "../core/json.ts";
import type { ToolUsePart } from "../core/message.ts";
import type { Participant, PendingCall } from "../core/moments.ts";
import type { PermissionAdvice } from "../core/permission.ts";
import type { AnyTool } from "../core/tool.ts";
import type { CallNotes } from "./call_moments.ts";
import { checkMode, findTool, parseInput } from "./parse_call.ts";
import type { CallContext } from "./run_context.ts";

/** A call that may run. */
export interface Admitted {
  readonly tool: AnyTool;
  readonly input: unknown;
  readonly key?: string;
  readonly participants: readonly Participant[];
  /** Absent where nobody takes part. */
  readonly pending?: PendingCall;
  readonly changedInput?: JsonObject;
}

/** The tool with arguments that it takes. Throws `ToolFailure` where the call may not run. */
export async function admitted(
  call: ToolUsePart,
  tools: readonly AnyTool[],
  context: CallContext,
  notes: string[],
  told: CallNotes,
  signal: AbortSignal,
): Promise<Admitted> {
  if (signal.aborted) throw interrupted(signal);
  const tool = findTool(call, tools);
  const input = await parseInput(tool, call, notes, signal);
  checkMode(tool, context);
  const participants = isForPeople(tool) ? [] : context.moments?.participants() ?? [];
  let ready: Omit<Admitted, "key"> & { readonly advice?: PermissionAdvice } = {
    tool,
    input,
    participants,
  };
  if (participants.length > 0) {
    const { askBeforeCall } = await import("./call_moments.ts");
    const pending: PendingCall = {
      ...context.moments!.now(),
      id: call.id,
      tool,
      arguments: input as JsonObject,
      step: context.step ?? 0,
    };
    try {
      const considered = await askBeforeCall(pending, participants, told, {
        async fit(raw) {
          const fitted = await parseInput(tool, { ...call, input: raw }, notes, signal);
          checkMode(tool, context);
          return fitted as JsonObject;
        },
        clock: context.host.clock,
        signal,
      });
      ready = {
        ...ready,
        input: considered.arguments,
        pending: { ...pending, arguments: considered.arguments },
        advice: considered.advice,
        ...considered.isChanged ? { changedInput: considered.arguments } : {},
      };
    } catch (error) {
      throw signal.aborted ? interrupted(signal) : error;
    }
  }
  const { advice, ...rest } = ready;
  const decision = await context.permission.check(tool, ready.input as Json, signal, advice);
  if (!decision.allowed) {
    throw new ToolFailure("approval_denied", `approval_denied: ${decision.reason}`);
  }
  if (signal.aborted) throw interrupted(signal);
  return { ...rest, ...(decision.key === undefined ? {} : { key: decision.key }) };
}

/** A question to the person is nobody else's. */
function isForPeople({ name, origin }: AnyTool): boolean {
  return origin.kind === "built-in" && name === "ask_user";
}

function interrupted(signal: AbortSignal): ToolFailure {
  return new ToolFailure(
    "interrupted",
    `INTERRUPTED (${interruptionOf(signal).message}): the call was not run`,
  );
}
