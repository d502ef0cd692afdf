/** One step's answer: streaming it, and repeating it where it breaks. */
import type { FinishReason, TextPart, ThinkingPart, ToolUsePart } from "../core/message.ts";
import { askedOf, ModelError, type ModelEvent, type ModelRequest } from "../core/model.ts";
import type { Usage } from "../core/usage.ts";
import { watchedStream } from "../lib/watched_stream.ts";
import { createFold, type Fold } from "./fold.ts";
import type { RunContext } from "./run_context.ts";
import { maxRetries, retryWaitMs } from "./retry.ts";
import { wholeCharacters } from "./whole_characters.ts";

const laterAdvice = "try again later, or use another model";

export interface Reply {
  readonly parts: (TextPart | ThinkingPart | ToolUsePart)[];
  readonly finish: FinishReason;
  readonly rawReason?: string;
  readonly usage: Usage;
}

/** An answer that an abort cut short: what was already shown of it. */
export class CutReply extends Error {
  override readonly name = "CutReply";
  constructor(readonly parts: Reply["parts"]) {
    super("the answer was cut short");
  }
}

/**
 * Streams one answer, repeating what is worth repeating; each repetition is a second `step_start`.
 * Throws `ModelError` for what is final and `CutReply` after an abort.
 */
export async function streamReply(
  step: number,
  request: Omit<ModelRequest, "messages">,
  context: RunContext,
  signal: AbortSignal,
): Promise<Reply> {
  const { messages } = context.history;
  for (let attempt = 1;; attempt++) {
    await context.emit({ type: "step_start", step, model: context.model.model });
    const fold = createFold();
    try {
      return await streamOnce(step, { ...request, messages }, fold, context, signal);
    } catch (error) {
      if (signal.aborted) throw new CutReply(shownParts(fold));
      if (!(error instanceof ModelError)) throw error;
      const waitMs = retryWaitMs(error, attempt, Math.random());
      if (waitMs === undefined) throw error;
      await context.emit({
        type: "diagnostic",
        level: "warning",
        message: `${reasonOf(error)}; trying again in ${
          seconds(waitMs)
        } s (${attempt} of ${maxRetries})`,
        step,
      });
      try {
        await context.host.clock.delay(waitMs, signal);
      } catch {
        throw new CutReply([]);
      }
    }
  }
}

async function streamOnce(
  step: number,
  request: ModelRequest,
  fold: Fold,
  context: RunContext,
  signal: AbortSignal,
): Promise<Reply> {
  const attempt = new AbortController();
  const { idleMs } = context.limits;
  const watch = {
    idleMs,
    signal,
    onIdle: () =>
      new ModelError(
        "network",
        `${askedOf(context.model)} sent nothing for ${
          seconds(idleMs)
        } s (agent.request_timeout); ${laterAdvice}`,
        { retryable: true, advice: laterAdvice },
      ),
  };
  const whole = wholeCharacters();
  try {
    for await (const event of watchedStream(context.model.stream(request, attempt.signal), watch)) {
      fold.add(event);
      if (event.type === "finish") return toReply(fold, event, context);
      await announce(step, event, whole, context);
    }
  } finally {
    attempt.abort(signal.reason);
  }
  throw new ModelError("network", `${askedOf(context.model)} ended its answer before the finish`, {
    retryable: true,
  });
}

function toReply(fold: Fold, finish: ModelEvent & { type: "finish" }, context: RunContext): Reply {
  const parts = fold.parts();
  const empty = !parts.some((part) => part.type === "tool_use" || isVisible(part));
  if (empty && !["length", "content_filter", "error"].includes(finish.reason)) {
    throw new ModelError(
      "stopped",
      `${askedOf(context.model)} ended with an empty answer; ${laterAdvice}`,
      { retryable: true, advice: laterAdvice },
    );
  }
  return {
    parts,
    finish: finish.reason,
    ...(finish.rawReason === undefined ? {} : { rawReason: finish.rawReason }),
    usage: finish.usage,
  };
}

function isVisible(part: Reply["parts"][number]): boolean {
  return part.type === "text" && part.text.trim() !== "";
}

async function announce(
  step: number,
  event: ModelEvent,
  whole: (block: string, delta: string) => string,
  context: RunContext,
): Promise<void> {
  if (event.type === "notice") {
    await context.emit({ type: "diagnostic", level: "info", message: event.message, step });
    return;
  }
  if (event.type !== "text" && event.type !== "thinking") return;
  const delta = whole(`${event.type} ${event.block}`, event.delta);
  if (delta === "") return;
  const type = event.type === "text" ? "message_delta" : "thinking_delta";
  await context.emit({ type, step, delta, model: context.model.model });
}

/** What failed, without what a person could do. */
function reasonOf({ message, details }: ModelError): string {
  const told = message.replace(/\.$/, "");
  const advice = `; ${details.advice}`;
  return told.endsWith(advice) ? told.slice(0, -advice.length) : told;
}

function shownParts(fold: Fold): Reply["parts"] {
  return fold.parts().filter((part) => part.type === "text");
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(ms < 10_000 ? 1 : 0);
}
