/** The calls of one answer: in order, neighbours together, exactly one result each. */
import type { ToolResultMessage, ToolUsePart } from "../core/message.ts";
import { toolResultRecord } from "../core/message_record.ts";
import { batchesOf } from "./batches.ts";
import { withNotes } from "./call_notes.ts";
import { type CallResult, dispatch } from "./dispatch.ts";
import type { RunContext, Step } from "./run_context.ts";

/**
 * Runs `calls`. Each result is journaled and then announced as soon as its call has ended; the
 * history gets the results of a batch in the order of its calls. After an abort the calls that did
 * not run get results that say so. Returns the number of denials.
 */
export async function runCalls(
  step: Step,
  calls: readonly ToolUsePart[],
  context: RunContext,
  signal: AbortSignal,
): Promise<number> {
  const parallel = (call: ToolUsePart) =>
    step.tools.find((tool) => tool.name === call.name)?.parallel ?? false;
  let denials = 0;
  for (const batch of batchesOf(calls, parallel)) {
    for (const call of batch) await announceCall(step, call, context);
    const messages = new Map<ToolUsePart, ToolResultMessage>();
    const running = batch.map(async (call) => {
      const given = await runOne(step, call, context, signal);
      const notice = step.repetition.add(call, given.text, given.durationMs);
      const result = notice === "" ? given : { ...given, text: given.text + notice };
      if (result.denied) denials++;
      if (result.stop !== undefined) step.stop ??= result.stop;
      messages.set(call, toMessage(call, result));
      await keepResult(step, messages.get(call)!, result, context);
    });
    // All end before the first failure is passed on: no call is left running.
    const ends = await Promise.allSettled(running);
    context.history.messages.push(...batch.flatMap((call) => messages.get(call) ?? []));
    for (const end of ends) if (end.status === "rejected") throw end.reason;
  }
  step.repetition.endStep();
  return denials;
}

async function announceCall(step: Step, call: ToolUsePart, context: RunContext): Promise<void> {
  await context.emit({
    type: "tool_call",
    step: step.number,
    tool_id: call.id,
    tool_name: call.name,
    input: call.invalidText ?? call.input,
  });
}

async function runOne(
  step: Step,
  call: ToolUsePart,
  context: RunContext,
  signal: AbortSignal,
): Promise<CallResult> {
  if (step.cutOff !== undefined && call.invalidText !== undefined) {
    const text = `invalid_arguments: the call was ${step.cutOff}; write it in smaller pieces`;
    return Promise.resolve({ text, isError: true, denied: false, durationMs: 0, notes: [] });
  }
  if (step.stop !== undefined) {
    const text = `INTERRUPTED (${step.stop}): the call was not run`;
    return { text, isError: true, denied: false, durationMs: 0, notes: [] };
  }
  const announceDelta = (delta: string) =>
    context.emit({
      type: "tool_output_delta",
      step: step.number,
      tool_id: call.id,
      tool_name: call.name,
      delta: delta.toWellFormed(),
    });
  const result = await dispatch(
    call,
    step.tools,
    { ...context, step: step.number },
    announceDelta,
    signal,
  );
  return { ...result, text: withNotes(result.text, result.notes) };
}

function toMessage(call: ToolUsePart, result: CallResult): ToolResultMessage {
  return {
    role: "tool_result",
    toolId: call.id,
    toolName: call.name,
    content: [{ type: "text", text: result.text }, ...(result.images ?? [])],
    isError: result.isError,
  };
}

async function keepResult(
  step: Step,
  message: ToolResultMessage,
  result: CallResult,
  context: RunContext,
): Promise<void> {
  await context.journal.append(toolResultRecord(message));
  await context.emit({
    type: "tool_result",
    step: step.number,
    tool_id: message.toolId,
    tool_name: message.toolName,
    output: result.text,
    is_error: result.isError,
    duration_ms: result.durationMs,
    ...result.filesChanged === undefined ? {} : { files_changed: [...result.filesChanged] },
    ...result.changedInput === undefined ? {} : { input: result.changedInput },
    ...result.hooks === undefined ? {} : { hooks: [...result.hooks] },
  });
}
