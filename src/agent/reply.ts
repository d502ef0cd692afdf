/** One step's answer: streamed, and retried where it breaks. */
import type { FinishReason, TextPart, ThinkingPart, ToolUsePart } from "../core/message.ts";
import { askedOf, ModelError, type ModelEvent, type ModelRequest } from "../core/model.ts";
import type { Usage } from "../core/usage.ts";
import { createFold, type Fold } from "./fold.ts";
import { laterAdvice, modelStream } from "./model_stream.ts";
import type { RunContext } from "./run_context.ts";
import { withRetries } from "./retry.ts";
import { wholeCharacters } from "./whole_characters.ts";

export interface Reply {
  readonly parts: (TextPart | ThinkingPart | ToolUsePart)[];
  readonly finish: FinishReason;
  readonly rawReason?: string;
  readonly outputLimit?: number;
  readonly usage: Usage;
}

type Finish = ModelEvent & { readonly type: "finish" };

/** An answer that an abort cut short: what was already shown of it. */
export class CutReply extends Error {
  override readonly name = "CutReply";
  constructor(readonly parts: Reply["parts"]) {
    super("the answer was cut short");
  }
}

/**
 * Streams one answer, retrying what is worth it; each retry is a further `step_start`. Throws
 * `ModelError` for what is final, `CostReached` where none may begin, and `CutReply` after an abort.
 */
export async function streamReply(
  step: number,
  given: Omit<ModelRequest, "messages"> & Partial<Pick<ModelRequest, "messages">>,
  context: RunContext,
  signal: AbortSignal,
): Promise<Reply> {
  const { emit, model, history, spending } = context;
  const request = { messages: history.messages, ...given };
  let fold = createFold();
  const attempt = async () => {
    fold = createFold();
    spending?.begin();
    await emit({ type: "step_start", step, model: model.model });
    const whole = wholeCharacters();
    let finish: Finish | undefined;
    for await (const events of modelStream(request, context, signal)) {
      for (const event of events) {
        fold.add(event);
        if (event.type === "finish") finish = event;
        // most events need no wait, and a wait costs more than the event
        const announced = announce(step, event, whole, context);
        if (announced !== undefined) await announced;
      }
    }
    return toReply(fold, finish!, context);
  };
  try {
    return await withRetries(attempt, { again: "trying again", step }, context, signal);
  } catch (error) {
    throw signal.aborted ? new CutReply(shownParts(fold)) : error;
  }
}

function toReply(fold: Fold, finish: Finish, context: RunContext): Reply {
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
    ...(finish.outputLimit === undefined ? {} : { outputLimit: finish.outputLimit }),
    usage: finish.usage,
  };
}

function isVisible(part: Reply["parts"][number]): boolean {
  return part.type === "text" && part.text.trim() !== "";
}

function announce(
  step: number,
  event: ModelEvent,
  whole: (block: string, delta: string) => string,
  context: RunContext,
): Promise<void> | undefined {
  if (event.type === "notice") {
    return context.emit({ type: "diagnostic", level: "info", message: event.message, step });
  }
  if (event.type === "progress" && event.argumentChars !== undefined) {
    context.callArrives?.(event.argumentChars);
  }
  if (event.type !== "text" && event.type !== "thinking") return undefined;
  const delta = whole(event.type + event.block, event.delta);
  if (delta === "") return undefined;
  const type = event.type === "text" ? "message_delta" : "thinking_delta";
  return context.emit({ type, step, delta, model: context.model.model });
}

function shownParts(fold: Fold): Reply["parts"] {
  return fold.parts().filter((part) => part.type === "text");
}
