/** Messages as records of a session file, whose fields are in snake_case, and back. */
import type {
  AssistantMessage,
  ImagePart,
  Message,
  TextPart,
  ToolResultMessage,
  ToolUsePart,
  UserMessage,
} from "./message.ts";
import type { CallPart, RecordOf, ShownPart } from "./record.ts";
import type { Usage } from "./usage.ts";

export function userRecord(content: UserMessage["content"]): RecordOf<"user"> {
  return { kind: "user", content: content.map(shownRecord) };
}

export function assistantRecord(message: AssistantMessage, usage: Usage): RecordOf<"assistant"> {
  const { content, provider, model, finish } = message;
  const parts = content.map((part) => part.type === "tool_use" ? callRecord(part) : part);
  return { kind: "assistant", content: parts, provider, model, finish, usage };
}

export function toolResultRecord(message: ToolResultMessage): RecordOf<"tool_result"> {
  return {
    kind: "tool_result",
    tool_id: message.toolId,
    tool_name: message.toolName,
    content: message.content.map(shownRecord),
    is_error: message.isError,
  };
}

/** The message that a record holds. */
export function messageOf(record: RecordOf<"user">): UserMessage;
export function messageOf(record: RecordOf<"assistant">): AssistantMessage;
export function messageOf(record: RecordOf<"tool_result">): ToolResultMessage;
export function messageOf(record: RecordOf<"user" | "assistant" | "tool_result">): Message {
  switch (record.kind) {
    case "user":
      return { role: "user", content: record.content.map(shownPart) };
    case "assistant": {
      const { content, provider, model, finish } = record;
      const parts = content.map((part) => part.type === "tool_use" ? callPart(part) : part);
      return { role: "assistant", content: parts, provider, model, finish };
    }
    case "tool_result":
      return {
        role: "tool_result",
        toolId: record.tool_id,
        toolName: record.tool_name,
        content: record.content.map(shownPart),
        isError: record.is_error,
      };
  }
}

function shownRecord(part: TextPart | ImagePart): ShownPart {
  if (part.type === "text") return part;
  return { type: "image", media_type: part.mediaType, data: part.data };
}

function shownPart(part: ShownPart): TextPart | ImagePart {
  if (part.type === "text") return part;
  return { type: "image", mediaType: part.media_type, data: part.data };
}

function callRecord({ invalidText, notes: _, ...rest }: ToolUsePart): CallPart {
  return { ...rest, ...(invalidText === undefined ? {} : { invalid_text: invalidText }) };
}

function callPart(part: CallPart): ToolUsePart {
  if (part.invalid_text === undefined) return part;
  const { invalid_text, ...rest } = part;
  return { ...rest, invalidText: invalid_text };
}
