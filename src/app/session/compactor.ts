/** Making room in a running conversation: when, with which model, and what is said of it. */
import type { Compactor, History } from "../../agent/deps.ts";
import { maxRetries, retryWaitMs } from "../../agent/retry.ts";
import type { AgentEvent } from "../../core/event.ts";
import { messageOf } from "../../core/failure.ts";
import { type ChatModel, ModelError } from "../../core/model.ts";
import type { Journal } from "../../core/record.ts";
import { delay } from "../../lib/delay.ts";
import { watchedStream } from "../../lib/watched_stream.ts";
import type { CompactionBudget } from "../../session/compaction.ts";

export interface CompactorParts {
  model(): ChatModel;
  emit(event: AgentEvent): Promise<void>;
  readonly journal: Journal;
  readonly enabled: boolean;
  /** 0 takes the model's own. */
  readonly contextWindow: number;
  readonly reserveTokens: number;
  readonly keepRecentTokens: number;
  readonly maxOutputTokens: number;
  readonly idleMs: number;
}

export interface PersonalCompactor extends Compactor {
  /** Shortens now, whatever the size; false where there is nothing older to shorten. */
  now(history: History, signal: AbortSignal, instruction?: string): Promise<boolean>;
}

export function createCompactor(parts: CompactorParts): PersonalCompactor {
  const budget = (): CompactionBudget => ({
    contextWindow: parts.contextWindow || parts.model().contextWindow,
    reserveTokens: parts.reserveTokens,
    keepRecentTokens: parts.keepRecentTokens,
  });

  async function shorten(history: History, signal: AbortSignal, instruction?: string) {
    const { compact } = await import("../../session/compaction.ts");
    const done = await compact(
      history.messages,
      (request) => askForSummary(request, parts, signal),
      { budget: budget(), ...(instruction === undefined ? {} : { instruction }) },
    );
    if (done === undefined) return false;
    await parts.journal.append(done.record);
    history.messages = done.messages;
    await parts.emit({
      type: "diagnostic",
      level: "info",
      message:
        `older messages were summarised: about ${done.record.tokens_before} tokens before, ` +
        `${done.tokensAfter} after`,
    });
    return true;
  }

  return {
    async ifNeeded(history, signal) {
      if (!parts.enabled || budget().contextWindow === 0) return;
      const { needsCompaction } = await import("../../session/compaction.ts");
      if (!needsCompaction(history.messages, budget())) return;
      try {
        await shorten(history, signal);
      } catch (error) {
        if (signal.aborted) return;
        // The request itself may still fit: the estimate is on the careful side.
        await parts.emit({
          type: "diagnostic",
          level: "warning",
          message: `older messages could not be summarised: ${messageOf(error)}`,
        });
      }
    },
    async afterOverflow(history, signal) {
      return parts.enabled && await shorten(history, signal);
    },
    now: shorten,
  };
}

/** A failure that may pass is met as in any other request: with a pause and another try. */
async function askForSummary(
  request: string,
  parts: CompactorParts,
  signal: AbortSignal,
): Promise<string> {
  for (let attempt = 1;; attempt++) {
    try {
      return await askOnce(request, parts, signal);
    } catch (error) {
      if (signal.aborted || !(error instanceof ModelError)) throw error;
      const waitMs = retryWaitMs(error, attempt, Math.random());
      if (waitMs === undefined) throw error;
      await parts.emit({
        type: "diagnostic",
        level: "warning",
        message:
          `${error.message}; asking for the summary again in ${(waitMs / 1000).toFixed(1)} s ` +
          `(${attempt} of ${maxRetries})`,
      });
      await delay(waitMs, signal);
    }
  }
}

async function askOnce(
  request: string,
  parts: CompactorParts,
  signal: AbortSignal,
): Promise<string> {
  const stop = new AbortController();
  const events = parts.model().stream({
    system: "You write summaries of conversations between a person and a coding agent.",
    messages: [{ role: "user", content: [{ type: "text", text: request }] }],
    tools: [],
    maxOutputTokens: parts.maxOutputTokens,
  }, stop.signal);
  const onIdle = () => new ModelError("network", "nothing came for too long", { retryable: true });
  let text = "";
  try {
    for await (const event of watchedStream(events, { idleMs: parts.idleMs, signal, onIdle })) {
      if (event.type === "text") text += event.delta;
    }
  } finally {
    stop.abort(signal.reason);
  }
  return text;
}
