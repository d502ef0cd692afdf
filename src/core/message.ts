/** The conversation's messages: what is kept in a session and sent to a model. */
import type { Json, JsonObject } from "./json.ts";

export interface TextPart {
  readonly type: "text";
  readonly text: string;
  /** What the provider needs back with the part, verbatim; goes back only to the one that made it. */
  readonly metadata?: JsonObject;
}

export interface ThinkingPart {
  readonly type: "thinking";
  readonly text: string;
  /** What the provider needs back with the part, verbatim; goes back only to the one that made it. */
  readonly metadata?: JsonObject;
}

export interface ImagePart {
  readonly type: "image";
  readonly mediaType: string;
  /** base64 */
  readonly data: string;
}

export interface ToolUsePart {
  readonly type: "tool_use";
  /** Unique within the conversation. */
  readonly id: string;
  readonly name: string;
  /** The parsed arguments; `{}` where `inputText` does not parse. */
  readonly input: Json;
  /** The argument text as streamed, kept only where it is not valid JSON. */
  readonly invalidText?: string;
  /** What was read another way than the model wrote it; said in the result, and not kept. */
  readonly notes?: readonly string[];
  /** What the provider needs back with the part, verbatim; goes back only to the one that made it. */
  readonly metadata?: JsonObject;
}

export interface UserMessage {
  readonly role: "user";
  /** Who wrote it, where no person or client did: `hook:fmt`. */
  readonly origin?: string;
  readonly content: readonly (TextPart | ImagePart)[];
}

export interface AssistantMessage {
  readonly role: "assistant";
  readonly content: readonly (TextPart | ThinkingPart | ToolUsePart)[];
  /** Who answered; metadata of the parts goes back only to this provider. */
  readonly provider: string;
  readonly model: string;
  readonly finish: FinishReason;
}

export interface ToolResultMessage {
  readonly role: "tool_result";
  readonly toolId: string;
  readonly toolName: string;
  readonly content: readonly (TextPart | ImagePart)[];
  readonly isError: boolean;
}

export type Message = UserMessage | AssistantMessage | ToolResultMessage;

export type FinishReason = "stop" | "length" | "content_filter" | "tool_calls" | "error" | "other";

/** The visible text of a message, parts joined without separators. */
export function textOf(message: Message): string {
  return message.content.map((part) => part.type === "text" ? part.text : "").join("");
}

export function toolUsesOf(message: AssistantMessage): ToolUsePart[] {
  return message.content.filter((part): part is ToolUsePart => part.type === "tool_use");
}
