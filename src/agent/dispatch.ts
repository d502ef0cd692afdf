/**
 * Runs one tool call: find, parse, mode, participants, permission, run, participants, cap.
 * The only place that turns throws, aborts, denials and bugs into a result.
 */
import { maxEventChars } from "../core/event_texts.ts";
import { messageOf, ToolFailure, type ToolFailureCode } from "../core/failure.ts";
import { interruptionOf } from "../core/interruption.ts";
import type { JsonObject } from "../core/json.ts";
import type { ToolUsePart } from "../core/message.ts";
import type { HookRun } from "../core/hook_run.ts";
import type { AnyTool, ToolContext, ToolOutput } from "../core/tool.ts";
import { capMiddle } from "../lib/well_formed.ts";
import { type Admitted, admitted } from "./admit.ts";
import type { CallNotes } from "./call_moments.ts";
import { liveOutput } from "./live_output.ts";
import type { CallContext } from "./run_context.ts";

export interface CallResult extends ToolOutput {
  readonly isError: boolean;
  readonly denied: boolean;
  /** How long the tool ran; 0 for a call that did not run. */
  readonly durationMs: number;
  /** What of the call was read another way than it was written; not part of `text`. */
  readonly notes: readonly string[];
  /** The arguments that ran, where participants changed them. */
  readonly changedInput?: JsonObject;
  /** What participants did; absent for none. */
  readonly hooks?: readonly HookRun[];
  /** Why the run ends after this call. */
  readonly stop?: string;
}

/** A bound for tools that have none of their own; what a tool may keep of its output always fits. */
const maxResultBytes = 1024 * 1024;
const headBytes = 4096;
/** A failure quotes the arguments, which may be of any length. */
const maxFailureBytes = 8 * 1024;
/** Failures that hold a program's output, which has its own bound. */
const codesWithOutput: readonly ToolFailureCode[] = ["timeout", "interrupted", "tool_failed"];
/** Live output of one call, as a multiple of what its result may hold. */
const liveOutputShare = 20;

/** Runs one call to its result; never throws but for a live output whose reader has gone. */
export async function dispatch(
  call: ToolUsePart,
  tools: readonly AnyTool[],
  context: CallContext,
  announceDelta: (delta: string) => Promise<void> | undefined,
  signal: AbortSignal,
): Promise<CallResult> {
  const { host, workspace, nimletHome, sandbox, childEnv, limits, fileChanged } = context;
  const { clock } = host;
  const stop = new AbortController();
  let isQuiet = false;
  const live = liveOutput(
    (delta) => isQuiet ? undefined : announceDelta(delta),
    limits.maxOutputBytes * liveOutputShare,
    (error) => stop.abort(error),
  );
  const toolContext: ToolContext = {
    workspace,
    nimletHome,
    sandbox,
    host,
    childEnv,
    limits,
    signal: AbortSignal.any([signal, stop.signal]),
    progress: live.push,
    callId: call.id,
    ...fileChanged === undefined ? {} : { fileChanged },
  };
  let startMs: number | undefined, durationMs = 0;
  let outcome: Outcome;
  const notes = [...call.notes ?? []];
  const told: CallNotes = { runs: [], contexts: [], room: maxEventChars };
  const took = (from: number) => Math.round((clock.monotonic() - from) * 10) / 10;
  let changedInput: JsonObject | undefined;
  try {
    const ready = await admitted(call, tools, context, notes, told, toolContext.signal);
    const { tool, input, key, participants, pending } = ready;
    changedInput = ready.changedInput;
    isQuiet = pending !== undefined &&
      participants.some((one) => one.withholdsOutput?.(pending) ?? false);
    // from here on: the time that a person took to decide is no time of the call
    startMs = clock.monotonic();
    const limit = key === undefined ? {} : { permittedKey: key };
    const ran = await ranOutcome(
      () => tool.run(input, { ...toolContext, ...limit }),
      call,
      toolContext.signal,
    );
    durationMs = took(startMs);
    startMs = undefined;
    outcome = pending === undefined ? ran : await lookedAt(ran, ready, {
      context,
      told,
      durationMs,
      signal: toolContext.signal,
    });
    if (!outcome.isError && context.afterTool) {
      const { isError, denied } = outcome;
      outcome = { ...await context.afterTool(tool, input, outcome), isError, denied };
    }
  } catch (error) {
    const denied = error instanceof ToolFailure && error.code === "approval_denied";
    outcome = { text: failureText(call, error, toolContext.signal), isError: true, denied };
  }
  await live.drain();
  if (startMs !== undefined) durationMs = took(startMs);
  const { exitStatus: _, ...shown } = outcome;
  return {
    ...shown,
    text: capMiddle(
      [outcome.text, ...told.contexts].join("\n\n").toWellFormed(),
      Math.max(maxResultBytes, limits.maxOutputBytes + headBytes),
    ),
    notes,
    durationMs,
    ...changedInput === undefined ? {} : { changedInput },
    ...told.runs.length === 0 ? {} : { hooks: told.runs },
    ...told.stop === undefined ? {} : { stop: told.stop },
  };
}

type Outcome = Pick<CallResult, "isError" | "denied"> & ToolOutput;

/** The result of a call that ran, also of one that failed. */
async function ranOutcome(
  run: () => Promise<ToolOutput>,
  call: ToolUsePart,
  signal: AbortSignal,
): Promise<Outcome> {
  try {
    return { ...await run(), isError: false, denied: false };
  } catch (error) {
    const denied = error instanceof ToolFailure && error.code === "approval_denied";
    return { text: failureText(call, error, signal), isError: true, denied };
  }
}

/** The result as participants leave it. */
async function lookedAt(
  ran: Outcome,
  { tool, input, participants, pending }: Admitted,
  { context, told, durationMs, signal }: {
    readonly context: CallContext;
    readonly told: CallNotes;
    readonly durationMs: number;
    readonly signal: AbortSignal;
  },
): Promise<Outcome> {
  const { askAfterCall } = await import("./call_moments.ts");
  const { moments, fileChanged } = context;
  const hasWatchers = participants.some(({ afterCall }) => afterCall !== undefined);
  const lookAgain = ran.isError || !hasWatchers
    ? undefined
    : await moments?.watchChange?.({ tool, input, bounds: context, fileChanged });
  const before = told.runs.length;
  const seen = await askAfterCall(
    {
      ...pending!,
      output: ran.text,
      images: ran.images?.length ?? 0,
      isError: ran.isError,
      ...ran.exitStatus === undefined ? {} : { exitStatus: ran.exitStatus },
      wasInterrupted: signal.aborted,
      durationMs,
    },
    participants,
    told,
    { clock: context.host.clock, signal },
  );
  const { text, isError } = seen;
  const { images: _, ...others } = ran;
  if (seen.isWithheld) {
    told.contexts.length = 0;
    return { ...others, text, isError };
  }
  const result = { ...ran, text, isError };
  return await lookAgain?.(result, told.runs.slice(before).map(({ name }) => name)) ?? result;
}

function failureText(call: ToolUsePart, error: unknown, signal: AbortSignal): string {
  if (error instanceof ToolFailure) {
    return codesWithOutput.includes(error.code)
      ? error.message
      : capMiddle(error.message, maxFailureBytes);
  }
  if (signal.aborted) return `INTERRUPTED (${interruptionOf(signal).message})`;
  return capMiddle(`${call.name} failed unexpectedly: ${messageOf(error)}`, maxFailureBytes);
}
