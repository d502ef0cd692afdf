/** The loop: ask the model, run what it asks for, until it is done. */
import type { RunStatus } from "../core/event.ts";
import { type AssistantMessage, textOf, toolUsesOf } from "../core/message.ts";
import { askedOf, ModelError } from "../core/model.ts";
import { addUsage, type Usage } from "../core/usage.ts";
import { toolDefinitions } from "./definitions.ts";
import type { History, LoopDeps } from "./deps.ts";
import { runCalls } from "./calls.ts";
import { CutReply, type Reply, streamReply } from "./reply.ts";
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
}

/** Answers in a row that end at the output limit inside a call's arguments before the run fails. */
const maxCutAnswers = 3;

/**
 * Works on the history's last message to the end of the turn. Failures of the model's side are in the
 * returned end; throws only what the ports throw (a reader of events that is gone, a broken journal).
 */
export async function run(history: History, deps: LoopDeps, signal: AbortSignal): Promise<RunEnd> {
  const total = { usage: {} as Usage, denials: 0 };
  let text = "", cutAnswers = 0;
  const end = (status: RunStatus, steps: number, error?: ModelError): RunEnd => ({
    status,
    text,
    steps,
    ...total,
    ...(error ? { error } : {}),
  });

  for (let step = 1;; step++) {
    if (signal.aborted) return end("interrupted", step - 1);
    if (step > (deps.limits.maxSteps ?? Infinity)) return end("limit", step - 1);
    const startMs = deps.host.clock.monotonic();
    let reply: Reply;
    try {
      reply = await askModel(step, history, deps, signal);
    } catch (error) {
      if (error instanceof CutReply) {
        text = await keepCutAnswer(error, history, deps) || text;
        return end("interrupted", step);
      }
      if (error instanceof ModelError) return end("failed", step, error);
      throw error;
    }
    total.usage = addUsage(total.usage, reply.usage);
    const message = toMessage(reply, history, deps);
    await keepAnswer(message, reply, history, deps);
    text = textOf(message) || text;

    const calls = toolUsesOf(message);
    const cut = reply.finish === "length" && calls.some((call) => call.invalidText !== undefined);
    cutAnswers = cut ? cutAnswers + 1 : 0;
    total.denials += await runCalls(step, calls, history, deps, signal);
    await deps.emit({
      type: "step_end",
      step,
      model: deps.model.model,
      duration_ms: Math.round(deps.host.clock.monotonic() - startMs),
      usage: { ...reply.usage },
    });

    if (signal.aborted) return end("interrupted", step);
    const failure = cutAnswers >= maxCutAnswers || calls.length === 0
      ? unsuccessful(reply, deps)
      : undefined;
    if (failure) return end("failed", step, failure);
    const queued = await takeQueued(calls.length > 0 ? "after_results" : "at_end", history, deps);
    if (calls.length === 0 && !queued) return end("done", step);
  }
}

/** One answer; a conversation that does not fit is shortened once and asked again. */
async function askModel(
  step: number,
  history: History,
  deps: LoopDeps,
  signal: AbortSignal,
): Promise<Reply> {
  await deps.compactor?.ifNeeded(history, signal);
  const request = {
    ...await deps.request(),
    tools: toolDefinitions(deps.tools, deps.mode()),
  };
  try {
    return await streamReply(step, history.messages, request, deps, signal);
  } catch (error) {
    if (!(error instanceof ModelError) || error.kind !== "overflow") throw error;
    if (!await deps.compactor?.afterOverflow(history, signal)) throw error;
    return await streamReply(step, history.messages, request, deps, signal);
  }
}

function toMessage(reply: Reply, history: History, deps: LoopDeps): AssistantMessage {
  return {
    role: "assistant",
    content: uniqueIds(reply.parts, history.messages),
    provider: deps.model.provider,
    model: deps.model.model,
    finish: reply.finish,
  };
}

/** Into the session first; what is announced later is never lost. */
async function keepAnswer(
  message: AssistantMessage,
  reply: Pick<Reply, "usage">,
  history: History,
  deps: LoopDeps,
): Promise<void> {
  history.messages.push(message);
  const { role: _, ...record } = message;
  await deps.journal.append({ kind: "assistant", ...record, usage: reply.usage });
}

async function keepCutAnswer(cut: CutReply, history: History, deps: LoopDeps): Promise<string> {
  if (cut.parts.length === 0) return "";
  const reply = { parts: cut.parts, finish: "other", usage: {} } as const;
  const message = toMessage(reply, history, deps);
  await keepAnswer(message, reply, history, deps);
  return textOf(message);
}

/** The failure behind a finish that is no success, or undefined. */
function unsuccessful(reply: Reply, deps: LoopDeps): ModelError | undefined {
  const where = askedOf(deps.model);
  const raw = reply.rawReason ? ` (${reply.rawReason})` : "";
  switch (reply.finish) {
    case "stop":
    case "tool_calls":
    case "other":
      return undefined;
    case "length":
      return stopped(
        `${where} reached its output limit before the answer was complete${raw}; ` +
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

function stopped(sentence: string): ModelError {
  return new ModelError("stopped", sentence, { retryable: false });
}

async function takeQueued(
  moment: "after_results" | "at_end",
  history: History,
  deps: LoopDeps,
): Promise<boolean> {
  const queued = await deps.takeQueued?.(moment) ?? [];
  history.messages.push(...queued);
  return queued.length > 0;
}
