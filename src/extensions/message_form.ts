/** Messages as extensions see them. */
import type { Json, JsonObject } from "../core/json.ts";
import type { ImagePart, Message } from "../core/message.ts";

/** `refOf` gives what stands for an image; undefined leaves it out. */
export function messageForm(
  message: Message,
  refOf: (image: ImagePart) => string | undefined,
): JsonObject {
  const content: JsonObject[] = [];
  for (const part of message.content) {
    switch (part.type) {
      case "text":
      case "thinking":
        content.push({ type: part.type, text: part.text });
        break;
      case "image": {
        const ref = refOf(part);
        if (ref !== undefined) content.push({ type: "image", ref });
        break;
      }
      case "tool_use":
        content.push({ type: "tool_use", id: part.id, name: part.name, input: part.input as Json });
    }
  }
  return message.role === "tool_result"
    ? {
      role: message.role,
      tool_id: message.toolId,
      tool_name: message.toolName,
      is_error: message.isError,
      content,
    }
    : { role: message.role, content };
}
