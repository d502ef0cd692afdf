/** Compaction: which messages are summarised, which stay, and what comes of it. */
import { RunFailure } from "../core/failure.ts";
import type { Message } from "../core/message.ts";
import { ModelError } from "../core/model.ts";
import type { RecordOf } from "../core/record.ts";
import { byteLength, capMiddle } from "../lib/well_formed.ts";
import { maxSendBytes, maxSendTokens } from "./sendable.ts";
import { isSummary, summaryIn, summaryMessage } from "./summary_message.ts";
import { layOut, nextPart, type SummaryOptions, summaryRequest } from "./summary_request.ts";
import { estimateSize, estimateTokens } from "./token_estimate.ts";

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
  /** Before its first part. */
  readonly tokensBefore: number;
  readonly tokensAfter: number;
}

export interface CompactOptions {
  readonly budget: CompactionBudget;
  /** What a person wants the summary to dwell on. */
  readonly instruction?: string | undefined;
  /** Before the first request, where one is not enough; how many are is an estimate. */
  readonly onParts?: (parts: number, tokensBefore: number) => Promise<void>;
  /** After each part but the last: a compaction that can be kept, should the next part fail. */
  readonly onPart?: (done: Compaction, part: number) => Promise<void>;
}

/** True where the estimate passes what the window, or any request, has room for. */
export function needsCompaction(messages: readonly Message[], budget: CompactionBudget): boolean {
  const { tokens, bytes } = estimateSize(messages);
  return tokens > messageLimit(budget) || bytes > maxSendBytes;
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
  const keepTokens = Math.min(
    budget.keepRecentTokens,
    messageLimit(budget) / 2,
    tokensBefore / 2,
  );

  let from = messages.length, tokens = 0, bytes = 0;
  for (let start = messages.length - 1; start >= 0; start--) {
    if (messages[start]!.role === "tool_result") continue;
    const size = estimateSize(messages.slice(start, from));
    tokens += size.tokens;
    bytes += size.bytes;
    if (from < messages.length && (tokens > keepTokens || bytes > maxSendBytes / 2)) break;
    from = start;
  }
  const older = messages.slice(0, from);
  if (older.length === 0 || (older.length === 1 && isSummary(older[0]))) return undefined;
  return { older, kept: messages.slice(from), tokensBefore };
}

/**
 * Summarises older messages by `summarise`, which asks a model and gives its text: in parts where they
 * are too many for one request, each with the summary of those before it. Requests that are too large
 * for that model are made smaller, twice at most; its other errors pass through. Undefined where there
 * is nothing to summarise. Throws `RunFailure("provider")` for no summary.
 */
export async function compact(
  messages: readonly Message[],
  summarise: (request: string) => Promise<string>,
  { budget, instruction, onParts, onPart }: CompactOptions,
): Promise<Compaction | undefined> {
  const plan = planCompaction(messages, budget);
  if (plan === undefined) return undefined;
  let maxBytes = Math.min(maxRequestBytes, messageLimit(budget) * cautiousBytesPerToken);
  const maxSummaryBytes = Math.floor(Math.max(minSummaryBytes, maxBytes / 4));
  const options = (): SummaryOptions => ({ instruction, maxBytes, maxSummaryBytes });

  let tokens = plan.tokensBefore, part = 1, summary = summaryIn(plan.older[0]);
  let rest = summary === undefined ? plan.older : plan.older.slice(1);
  let layout = layOut(rest, options(), summary);
  if (layout.parts > 1) await onParts?.(layout.parts, tokens);
  for (let shrinks = 0;;) {
    const count = nextPart(rest, layout);
    const request = () => summaryRequest(rest.slice(0, count), options(), layout, summary);
    const text = request();
    let answer: string;
    try {
      answer = (await summarise(text)).trim();
    } catch (error) {
      const tooLarge = error instanceof ModelError && error.kind === "overflow";
      if (!tooLarge || shrinks++ === maxShrinks) throw error;
      maxBytes = Math.min(maxBytes, byteLength(text)) / 2;
      layout = layOut(rest, options(), summary);
      // the same text would be refused again
      if (nextPart(rest, layout) === count && request() === text) throw error;
      continue;
    }
    if (answer === "") throw noSummary();
    summary = capMiddle(answer, maxSummaryBytes);
    rest = rest.slice(count);
    const kept = [...rest, ...plan.kept];
    const messages = [summaryMessage(summary), ...kept];
    const record = {
      kind: "compaction",
      summary,
      kept: kept.length,
      tokens_before: tokens,
    } as const;
    tokens = estimateTokens(messages);
    const done = { messages, record, tokensBefore: plan.tokensBefore, tokensAfter: tokens };
    if (rest.length === 0) return done;
    await onPart?.(done, part++);
  }
}

function noSummary(): RunFailure {
  return new RunFailure(
    "provider",
    "the model gave no summary of the conversation; the conversation was left as it is",
  );
}

/** The largest request for a summary; about 100,000 tokens. */
const maxRequestBytes = 400_000;
const maxShrinks = 2;
const cautiousBytesPerToken = 3;
const minSummaryBytes = 4000;

/** Tokens that the messages may take; half of a window that is smaller than the reserve. */
function messageLimit(budget: CompactionBudget): number {
  const { contextWindow, reserveTokens, overheadTokens = 0 } = budget;
  if (contextWindow <= 0) return maxSendTokens;
  const free = contextWindow - reserveTokens;
  return Math.max(1, (free > 0 ? free : contextWindow / 2) - overheadTokens);
}
