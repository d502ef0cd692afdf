/** A compaction whose summary somebody else has written. */
import type { Message } from "../core/message.ts";
import type { Compaction } from "./compaction.ts";
import { summaryMessage } from "./summary_message.ts";
import { estimateTokens } from "./token_estimate.ts";

/** Undefined where it would part a call from its result, keep nothing, or say nothing. */
export function ownCompaction(
  messages: readonly Message[],
  summary: string,
  firstKeptIndex: number,
): Compaction | undefined {
  const first = messages[firstKeptIndex];
  if (summary.trim() === "" || firstKeptIndex < 1) return undefined;
  if (first === undefined || first.role === "tool_result") return undefined;
  const text = summary.toWellFormed();
  const after = [summaryMessage(text), ...messages.slice(firstKeptIndex)];
  const tokensBefore = estimateTokens(messages);
  return {
    messages: after,
    record: {
      kind: "compaction",
      summary: text,
      kept: messages.length - firstKeptIndex,
      tokens_before: tokensBefore,
    },
    tokensBefore,
    tokensAfter: estimateTokens(after),
  };
}
