/** How thinking goes back to servers of the chat wire: under the name it came with. */
import { isJsonObject, type Json, type JsonObject } from "../../core/json.ts";
import type { AssistantMessage } from "../../core/message.ts";
import { wellFormed } from "../../lib/well_formed.ts";

/** Fields of the assistant message beside its content. */
export type ChatReasoning = JsonObject;

const sendable = new Set(["reasoning_content", "reasoning", "reasoning_text"]);

export function chatReasoning(message: AssistantMessage): ChatReasoning {
  let text = "";
  let field: Json | undefined;
  let details: Json | undefined;
  for (const part of message.content) {
    if (part.type !== "thinking") continue;
    text += part.text;
    const metadata = part.metadata?.[message.provider];
    if (!isJsonObject(metadata)) continue;
    field = metadata.field ?? field;
    details = metadata.details ?? details;
  }
  // OpenRouter wants its details back as they were, and then no text beside them.
  if (Array.isArray(details)) return { reasoning_details: details };
  if (text === "" || typeof field !== "string" || !sendable.has(field)) return {};
  return { [field]: wellFormed(text) };
}
