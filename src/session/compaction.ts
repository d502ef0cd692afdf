/** Compaction: which messages are summarised, which stay, and what comes of it. */
import { RunFailure } from "../core/failure.ts";
import type { Message } from "../core/message.ts";
import { ModelError } from "../core/model.ts";
import type { RecordOf } from "../core/record.ts";
import { byteLength, capMiddle } from "../lib/well_formed.ts";
import { isSummary, summaryMessage } from "./summary_message.ts";
import { maxRequestBytes, summaryRequest } from "./summary_request.ts";
import { estimateTokens } from "./token_estimate.ts";

export interface CompactionBudget {
  /** Tokens; 0 where unknown. */
  readonly contextWindow: number;
  /** Tokens left free for the answer and for errors of the estimate. */
  readonly reserveTokens: number;
  /** Tokens of the newest messages that stay verbatim. */
  readonly keepRecentTokens: number;
  /** Tokens of what goes with every request: system prompt and tools. */
  readonly overheadTokens?: number;
}

export interface CompactionPlan {
  /** What is to be summarised; not empty. */
  readonly older: readonly Message[];
  /** What stays verbatim; not empty, and never begins with a tool result. */
  readonly kept: readonly Message[];
  readonly tokensBefore: number;
}

export interface Compaction {
  /** The summary, then the kept messages. */
  readonly messages: Message[];
  /** For the session file; nothing there is rewritten. */
  readonly record: RecordOf<"compaction">;
  readonly tokensAfter: number;
}

export interface CompactOptions {
  readonly budget: CompactionBudget;
  /** What a person wants the summary to dwell on. */
  readonly instruction?: string;
}

/** True where the estimate passes what the window has room for; never where the window is unknown. */
export function needsCompaction(messages: readonly Message[], budget: CompactionBudget): boolean {
  const limit = messageLimit(budget);
  return limit !== undefined && estimateTokens(messages) > limit;
}

/**
 * What to summarise and what to keep, whether or not room is needed. A tool call stays with its
 * results. Kept are the newest messages within `keepRecentTokens`, at most half of what there is
 * and half of what there is room for, so that it helps; and always the newest one with its results.
 * Undefined where there is nothing older, or only an earlier summary.
 */
export function planCompaction(
  messages: readonly Message[],
  budget: CompactionBudget,
): CompactionPlan | undefined {
  const tokensBefore = estimateTokens(messages);
  const limit = messageLimit(budget) ?? Infinity;
  const keepTokens = Math.min(budget.keepRecentTokens, limit / 2, tokensBefore / 2);

  let from = messages.length, tokens = 0;
  for (let start = messages.length - 1; start >= 0; start--) {
    if (messages[start]!.role === "tool_result") continue;
    tokens += estimateTokens(messages.slice(start, from));
    if (tokens > keepTokens && from < messages.length) break;
    from = start;
  }
  const older = messages.slice(0, from);
  if (older.length === 0 || (older.length === 1 && isSummary(older[0]))) return undefined;
  return { older, kept: messages.slice(from), tokensBefore };
}

/**
 * Summarises older messages by `summarise`, which asks a model and gives its text. A request that
 * is too large for that model is made smaller, twice at most; its other errors pass through.
 * Undefined where there is nothing to summarise. Throws `RunFailure("provider")` for no summary.
 */
export async function compact(
  messages: readonly Message[],
  summarise: (request: string) => Promise<string>,
  options: CompactOptions,
): Promise<Compaction | undefined> {
  const plan = planCompaction(messages, options.budget);
  if (plan === undefined) return undefined;
  const limit = messageLimit(options.budget);
  const maxBytes = Math.min(maxRequestBytes, (limit ?? Infinity) * cautiousBytesPerToken);
  const request = (bytes: number) => summaryRequest(plan.older, options.instruction, bytes);
  const answer = await shrinking(maxBytes, request, summarise);
  if (answer.trim() === "") {
    throw new RunFailure(
      "provider",
      "the model gave no summary of the conversation; the conversation was left as it is",
    );
  }
  const maxSummaryBytes = Math.floor(Math.max(minSummaryBytes, maxBytes / 4));
  const summary = capMiddle(answer.trim(), maxSummaryBytes);
  const after = [summaryMessage(summary), ...plan.kept];
  return {
    messages: after,
    record: {
      kind: "compaction",
      summary,
      kept: plan.kept.length,
      tokens_before: plan.tokensBefore,
    },
    tokensAfter: estimateTokens(after),
  };
}

const cautiousBytesPerToken = 3;
const minSummaryBytes = 4000;

/** Tokens that the messages may take; half of a window that is smaller than the reserve. */
function messageLimit(budget: CompactionBudget): number | undefined {
  const { contextWindow, reserveTokens, overheadTokens = 0 } = budget;
  if (contextWindow <= 0) return undefined;
  const free = contextWindow - reserveTokens;
  return Math.max(1, (free > 0 ? free : contextWindow / 2) - overheadTokens);
}

/** Asks with half of what was too large, twice at most, and never twice with the same text. */
async function shrinking(
  maxBytes: number,
  request: (maxBytes: number) => string,
  summarise: (request: string) => Promise<string>,
): Promise<string> {
  let text = request(maxBytes);
  for (let shrinks = 0;; shrinks++) {
    try {
      return await summarise(text);
    } catch (error) {
      const tooLarge = error instanceof ModelError && error.kind === "overflow";
      const smaller = request(Math.min(maxBytes, byteLength(text)) / 2);
      if (!tooLarge || shrinks === 2 || smaller === text) throw error;
      text = smaller;
    }
  }
}
