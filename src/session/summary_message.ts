/** The message that a summary of older messages is in the conversation. */
import type { Message, UserMessage } from "../core/message.ts";

const opening = "Summary of the conversation so far (older messages were left out to make room):";

/** The user message that takes the place of the summarised messages. */
export function summaryMessage(summary: string): UserMessage {
  return { role: "user", content: [{ type: "text", text: `${opening}\n\n${summary.trim()}` }] };
}

export function isSummary(message: Message | undefined): boolean {
  return summaryIn(message) !== undefined;
}

/** The summary that a message is; undefined for any other. */
export function summaryIn(message: Message | undefined): string | undefined {
  const first = message?.role === "user" ? message.content[0] : undefined;
  return first?.type === "text" && first.text.startsWith(opening)
    ? first.text.slice(opening.length).trim()
    : undefined;
}
