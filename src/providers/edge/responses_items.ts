/** The items of the Responses wire: which mean something here, and the form they need. */
import { isJsonObject, type Json, type JsonObject } from "../../core/json.ts";

/** Items that mean something here; those of tools that a server runs itself are left out. */
export const ownItems = new Set(["message", "reasoning", "function_call", "custom_tool_call"]);

/** `item` with the fields that the SDK package insists on. */
export function shapedItem(item: JsonObject, id: string, streamed: string): JsonObject {
  const callId = typeof item.call_id === "string" && item.call_id !== "" ? item.call_id : id;
  switch (item.type) {
    case "function_call": {
      const args = item.arguments;
      const text = typeof args === "string" ? args : isJsonObject(args) ? JSON.stringify(args) : "";
      return { ...item, id, call_id: callId, status: "completed", arguments: text || streamed };
    }
    case "custom_tool_call":
      return {
        ...item,
        id,
        call_id: callId,
        input: typeof item.input === "string" && item.input !== "" ? item.input : streamed,
      };
    case "reasoning":
      return {
        type: "reasoning",
        id,
        summary: [],
        ...typeof item.encrypted_content === "string"
          ? { encrypted_content: item.encrypted_content }
          : {},
      };
    default:
      return {
        type: "message",
        id,
        role: "assistant",
        content: [],
        ...item.phase === "commentary" || item.phase === "final_answer"
          ? { phase: item.phase }
          : {},
      };
  }
}

export function wholeMessage(content: Json | undefined): [text: string, refusal: string] {
  let text = "", refusal = "";
  for (const part of Array.isArray(content) ? content : []) {
    if (!isJsonObject(part)) continue;
    if (typeof part.text === "string") text += part.text;
    if (typeof part.refusal === "string") refusal += part.refusal;
  }
  return [text, refusal];
}
