/** The loop: ask the model, run what it asks for, until it is done. */
import type { RunStatus } from "../core/event.ts";
import { type AssistantMessage, textOf, toolUsesOf } from "../core/message.ts";
import { assistantRecord } from "../core/message_record.ts";
import { askedOf, ModelError } from "../core/model.ts";
import type { AnyTool } from "../core/tool.ts";
import type { Usage } from "../core/usage.ts";
import { toolDefinitions } from "./definitions.ts";
import { runCalls } from "./calls.ts";
import { repetitionWatch } from "./repetition.ts";
import { CutReply, type Reply, streamReply } from "./reply.ts";
import type { RunContext, Step } from "./run_context.ts";
import { CostReached, createSpending } from "./spending.ts";
import { withToolName } from "./tool_names.ts";
import { uniqueIds } from "./unique_ids.ts";

export interface RunEnd {
  readonly status: RunStatus;
  /** The final answer; the last visible text where the run did not end well. */
  readonly text: string;
  readonly usage: Usage;
  readonly steps: number;
  readonly denials: number;
  /** What ended a run that failed. */
  readonly error?: ModelError;
  /** The last answer ended at a limit: `text` is its beginning. */
  readonly cut?: true;
  /** Which limit ended a run that ended at one. */
  readonly limit?: "steps" | "cost" | "repetition";
  /** Why a hook or extension ended a run that failed. */
  readonly stop?: string;
}

/** Answers in a row that end at the output limit inside a call's arguments before the run fails. */
const maxCutAnswers = 3;

/**
 * Works on the history's last message to the end of the turn. Failures of the model's side are in the
 * returned end; throws only what the ports throw (a reader of events that is gone, a broken journal).
 */
export async function run(given: RunContext, signal: AbortSignal): Promise<RunEnd> {
  const { maxSteps = Infinity, maxCost = Infinity, maxRepeats } = given.limits;
  const spending = createSpending(maxCost);
  const context: RunContext = Object.freeze({ ...given, spending });
  const repetition = repetitionWatch(maxRepeats);
  let text = "", cutAnswers = 0, denials = 0;
  const end = (status: RunStatus, steps: number, error?: ModelError): RunEnd => ({
    status,
    text,
    steps,
    usage: spending.usage,
    denials,
    ...(error ? { error } : {}),
  });

  for (let number = 1;; number++) {
    if (signal.aborted) return end("interrupted", number - 1);
    const limit = number > maxSteps
      ? "steps"
      : spending.isOver()
      ? "cost"
      : repetition.isOver()
      ? "repetition"
      : undefined;
    if (limit !== undefined) return { ...end("limit", number - 1), limit };
    if (maxCost < Infinity && spending.isUnknown) {
      return end("failed", number - 1, costUnknown(context));
    }
    if (!await areToolsReady(context, signal)) return end("interrupted", number - 1);
    const step: Step = { number, tools: context.tools(), repetition };
    const startMs = context.host.clock.monotonic();
    let reply: Reply;
    try {
      reply = await askModel(step, context, signal);
    } catch (error) {
      if (error instanceof CutReply) {
        text = await keepCutAnswer(error, context) || text;
        return end("interrupted", number);
      }
      if (error instanceof CostReached) return { ...end("limit", number - 1), limit: "cost" };
      if (error instanceof ModelError) return end("failed", number, error);
      throw error;
    }
    const message = toMessage(reply, step.tools, context);
    await keepAnswer(message, reply, context);
    text = textOf(message) || text;

    const calls = toolUsesOf(message);
    const cut = reply.finish === "length" && calls.some((call) => call.invalidText !== undefined);
    cutAnswers = cut ? cutAnswers + 1 : 0;
    if (reply.finish === "length") step.cutOff = `cut off at ${outputLimitOf(reply)}`;
    if (cut) {
      await context.emit({
        type: "diagnostic",
        level: "warning",
        message: `${askedOf(context.model)} was ${step.cutOff} within a call`,
        step: number,
      });
    }
    denials += await runCalls(step, calls, context, signal);
    await context.emit({
      type: "step_end",
      step: number,
      model: context.model.model,
      duration_ms: Math.round(context.host.clock.monotonic() - startMs),
      usage: { ...reply.usage },
    });

    if (signal.aborted) return end("interrupted", number);
    if (step.stop !== undefined) return { ...end("failed", number), stop: step.stop };
    const failure = cutAnswers >= maxCutAnswers || calls.length === 0
      ? unsuccessful(reply, context)
      : undefined;
    if (failure) {
      const failed = end("failed", number, failure);
      return reply.finish === "length" ? { ...failed, cut: true } : failed;
    }
    const queued = await takeQueued(calls.length > 0 ? "after_results" : "at_end", context);
    if (calls.length === 0 && !queued) return end("done", number);
  }
}

/** False where the wait was given up. */
async function areToolsReady(context: RunContext, signal: AbortSignal): Promise<boolean> {
  try {
    await context.toolsReady?.(signal);
    return true;
  } catch (error) {
    if (signal.aborted) return false;
    throw error;
  }
}

/** One answer; a conversation that does not fit is shortened once and asked again. */
async function askModel(
  step: Step,
  context: RunContext,
  signal: AbortSignal,
): Promise<Reply> {
  await context.compactor?.ifNeeded(context, signal);
  const request = {
    ...await context.request(step.tools),
    tools: toolDefinitions(step.tools, context.mode()),
  };
  const ask = async () => {
    const { messages } = context.history;
    const view = await context.viewRequest?.(step.number, messages, signal);
    if (view === undefined) return await streamReply(step.number, request, context, signal);
    const system = [request.system, ...view.system].join("\n\n");
    const seen = { ...request, system, messages: view.messages };
    return await streamReply(step.number, seen, context, signal);
  };
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof ModelError) || error.kind !== "overflow") throw error;
    const reply = await context.compactor?.afterOverflow(context, signal, ask);
    if (reply === undefined) throw error;
    return reply;
  }
}

function toMessage(
  reply: Reply,
  tools: readonly AnyTool[],
  context: RunContext,
): AssistantMessage {
  const parts = reply.parts.map((part) => withToolName(part, tools));
  return {
    role: "assistant",
    content: uniqueIds(parts, context.history),
    provider: context.model.provider,
    model: context.model.model,
    finish: reply.finish,
  };
}

/** Into the session first; what is announced later is never lost. */
async function keepAnswer(
  message: AssistantMessage,
  reply: Pick<Reply, "usage">,
  context: RunContext,
): Promise<void> {
  context.history.messages.push(message);
  await context.journal.append(assistantRecord(message, reply.usage));
}

async function keepCutAnswer(cut: CutReply, context: RunContext): Promise<string> {
  if (cut.parts.length === 0) return "";
  const reply = { parts: cut.parts, finish: "other", usage: {} } as const;
  const message = toMessage(reply, [], context);
  await keepAnswer(message, reply, context);
  return textOf(message);
}

/** The failure that a finish without success stands for, or undefined. */
function unsuccessful(reply: Reply, context: RunContext): ModelError | undefined {
  const where = askedOf(context.model);
  const raw = reply.rawReason ? ` (${reply.rawReason})` : "";
  switch (reply.finish) {
    case "stop":
    case "tool_calls":
    case "other":
      return undefined;
    case "length":
      return stopped(
        `${where} was cut off at ${outputLimitOf(reply)} before the answer was complete${raw}; ` +
          (reply.rawReason === "model_context_window_exceeded"
            ? "shorten the conversation with /compact, or begin a new session"
            : "raise agent.max_tokens or ask for less"),
      );
    case "content_filter":
      return stopped(`${where} withheld the answer: content filter${raw}; rephrase the request`);
    case "error":
      return stopped(`${where} ended the answer with an error${raw}; try again`);
  }
}

/** A limit that cannot be kept must not seem to be. */
function costUnknown({ model }: RunContext): ModelError {
  return stopped(
    `${
      askedOf(model)
    } did not report the tokens of its answer, so --max-cost cannot bound the cost; ` +
      "use --max-steps",
  );
}

function outputLimitOf({ outputLimit }: Reply): string {
  return outputLimit === undefined
    ? "its output limit"
    : `the output limit of ${outputLimit} tokens`;
}

function stopped(sentence: string): ModelError {
  return new ModelError("stopped", sentence, { retryable: false });
}

async function takeQueued(
  moment: "after_results" | "at_end",
  context: RunContext,
): Promise<boolean> {
  const queued = await context.takeQueued?.(moment) ?? [];
  context.history.messages.push(...queued);
  return queued.length > 0;
}
