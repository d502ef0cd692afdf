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
import type { AnswerPart, CallPart, RecordOf, ShownPart } from "./record.ts";
import type { Usage } from "./usage.ts";

export function userRecord(content: UserMessage["content"], origin?: string): RecordOf<"user"> {
  return {
    kind: "user",
    content: content.map(shownRecord),
    ...origin === undefined ? {} : { origin },
  };
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
      return {
        role: "user",
        content: shownParts(record.content),
        ...record.origin === undefined ? {} : { origin: record.origin },
      };
    case "assistant": {
      const { content, provider, model, finish } = record;
      return { role: "assistant", content: answerParts(content), provider, model, finish };
    }
    case "tool_result":
      return {
        role: "tool_result",
        toolId: record.tool_id,
        toolName: record.tool_name,
        content: shownParts(record.content),
        isError: record.is_error,
      };
  }
}

function shownRecord(part: TextPart | ImagePart): ShownPart {
  if (part.type === "text") return part;
  return { type: "image", media_type: part.mediaType, data: part.data };
}

/** The list itself where it is the same in both forms, as nearly always: sessions may be long. */
function shownParts(parts: readonly ShownPart[]): readonly (TextPart | ImagePart)[] {
  return parts.every((part) => part.type === "text") ? parts : parts.map(shownPart);
}

function shownPart(part: ShownPart): TextPart | ImagePart {
  if (part.type === "text") return part;
  return { type: "image", mediaType: part.media_type, data: part.data };
}

function answerParts(parts: readonly AnswerPart[]): AssistantMessage["content"] {
  return parts.every((part) => part.type !== "tool_use" || part.invalid_text === undefined)
    ? parts
    : parts.map((part) => part.type === "tool_use" ? callPart(part) : part);
}

function callRecord({ invalidText, notes: _, ...rest }: ToolUsePart): CallPart {
  return { ...rest, ...(invalidText === undefined ? {} : { invalid_text: invalidText }) };
}

function callPart({ invalid_text, ...rest }: CallPart): ToolUsePart {
  return { ...rest, ...(invalid_text === undefined ? {} : { invalidText: invalid_text }) };
}
