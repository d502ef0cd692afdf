/** The calls of one answer: in order, neighbours together, exactly one result each. */
import type { ToolResultMessage, ToolUsePart } from "../core/message.ts";
import { batchesOf } from "./batches.ts";
import type { History, LoopDeps } from "./deps.ts";
import { type CallResult, dispatch } from "./dispatch.ts";

/**
 * Runs `calls`, journals each result, then announces it, then adds it to the history.
 * After an abort the calls that did not run get results that say so. Returns the number of denials.
 */
export async function runCalls(
  step: number,
  calls: readonly ToolUsePart[],
  history: History,
  deps: LoopDeps,
  signal: AbortSignal,
): Promise<number> {
  const parallel = (call: ToolUsePart) =>
    deps.tools.find((tool) => tool.name === call.name)?.parallel ?? false;
  let denials = 0;
  for (const batch of batchesOf(calls, parallel)) {
    for (const call of batch) await announceCall(step, call, deps);
    const running = batch.map((call) => runOne(step, call, deps, signal));
    // All end before the first failure is passed on: no call is left running behind.
    await Promise.allSettled(running);
    for (const [index, call] of batch.entries()) {
      const result = await running[index]!;
      if (result.denied) denials++;
      await keepResult(step, call, result, history, deps);
    }
  }
  return denials;
}

async function announceCall(step: number, call: ToolUsePart, deps: LoopDeps): Promise<void> {
  await deps.emit({
    type: "tool_call",
    step,
    tool_id: call.id,
    tool_name: call.name,
    input: call.invalidText ?? call.input,
  });
}

function runOne(
  step: number,
  call: ToolUsePart,
  deps: LoopDeps,
  signal: AbortSignal,
): Promise<CallResult> {
  const announceDelta = (delta: string) =>
    deps.emit({
      type: "tool_output_delta",
      step,
      tool_id: call.id,
      tool_name: call.name,
      delta: delta.toWellFormed(),
    });
  return dispatch(call, deps, announceDelta, signal);
}

async function keepResult(
  step: number,
  call: ToolUsePart,
  result: CallResult,
  history: History,
  deps: LoopDeps,
): Promise<void> {
  const message: ToolResultMessage = {
    role: "tool_result",
    toolId: call.id,
    toolName: call.name,
    content: [{ type: "text", text: result.text }, ...(result.images ?? [])],
    isError: result.isError,
  };
  history.messages.push(message);
  const { role: _, ...record } = message;
  await deps.journal.append({ kind: "tool_result", ...record });
  await deps.emit({
    type: "tool_result",
    step,
    tool_id: call.id,
    tool_name: call.name,
    output: result.text,
    is_error: result.isError,
    duration_ms: result.durationMs,
  });
}
