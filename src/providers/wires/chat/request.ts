/** Requests of the chat-completions wire, and of its dialects. */
import type { ThinkChunk } from "@mistralai/mistralai/models/components";
import type { ChatCompletionCreateParamsStreaming } from "openai/resources/chat/completions";
import { isJsonObject, type Json, type JsonObject } from "../../../core/json.ts";
import type {
  AssistantMessage,
  ImagePart,
  Message,
  TextPart,
  ToolResultMessage,
  UserMessage,
} from "../../../core/message.ts";
import { wellFormed } from "../../../lib/well_formed.ts";
import { callInput, dataUrl, isOwn, sentParts, textAndImages } from "../content.ts";
import type { Converter, RequestContext, Target, WireRequest } from "../wire.ts";

type Body = ChatCompletionCreateParamsStreaming;
/** Fields of the wire's own vocabulary; those that servers added have other names. */
type Fields = { [K in keyof Body]?: Json };

export function request(context: RequestContext, apiKey: string | undefined): WireRequest {
  const { target, level, maxOutputTokens, tools } = context;
  const { profile } = target;
  const fields: Fields = {
    model: target.model,
    ...maxOutputTokens === undefined ? {} : { max_tokens: maxOutputTokens },
    ...tools.length === 0 ? {} : {
      tools: tools.map(({ name, description, inputSchema }) => ({
        type: "function",
        function: { name, description: wellFormed(description), parameters: inputSchema },
      })),
    },
    stream: true,
    // Mistral reports usage unasked, and refuses fields that it does not know.
    ...profile === "mistral" ? {} : { stream_options: { include_usage: true } },
  };
  return {
    path: "/chat/completions",
    headers: apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` },
    body: { ...fields, ...level === undefined ? {} : thinkingFields(level, profile) },
  };
}

function thinkingFields(level: string, profile: Target["profile"]): JsonObject {
  if (profile === "openrouter") {
    // It knows every level but the highest.
    return {
      reasoning: level === "none"
        ? { enabled: false }
        : { effort: level === "max" ? "xhigh" : level },
    };
  }
  return { reasoning_effort: level } satisfies Fields;
}

export function opening({ request, target }: RequestContext): JsonObject[] {
  if (request.system === "") return [];
  const message = { role: "system", content: wellFormed(request.system) };
  return [cacheMark(target)?.(message) ?? message];
}

export function convert(group: readonly Message[], converter: Converter): JsonObject[] {
  const [first] = group;
  switch (first!.role) {
    case "user":
      return userMessage(first as UserMessage, converter.target);
    case "assistant":
      return assistantMessage(first as AssistantMessage, converter);
    case "tool_result":
      return resultMessages(group as readonly ToolResultMessage[], converter);
  }
}

function userMessage(message: UserMessage, target: Target): JsonObject[] {
  const parts = sentParts(message.content, target);
  if (parts.length === 0) return [];
  const [only] = parts;
  const content = parts.length === 1 && only!.type === "text"
    ? only!.text
    : parts.map((part) => sentPart(part, target));
  return [{ role: "user", content }];
}

function sentPart(part: TextPart | ImagePart, { profile }: Target): JsonObject {
  if (part.type === "text") return { type: "text", text: part.text };
  const url = dataUrl(part);
  return { type: "image_url", image_url: profile === "mistral" ? url : { url } };
}

function assistantMessage(message: AssistantMessage, converter: Converter): JsonObject[] {
  const { target } = converter;
  const own = isOwn(message, target);
  const calls: JsonObject[] = [];
  let text = "";
  for (const part of message.content) {
    if (part.type === "text" && part.text.trim() !== "") text += wellFormed(part.text);
    if (part.type !== "tool_use") continue;
    const extra = own ? part.metadata?.extra_content : undefined;
    calls.push({
      id: converter.announce(part.id),
      type: "function",
      function: { name: part.name, arguments: JSON.stringify(callInput(part)) },
      ...extra === undefined ? {} : { extra_content: extra },
    });
  }
  const thoughts = own && message.model === target.model ? thinking(message, target) : {};
  const { content, ...fields } = thoughts;
  if (text === "" && calls.length === 0 && content === undefined) return [];
  return [{
    role: "assistant",
    content: content === undefined
      ? text === "" ? null : text
      : [content, ...text === "" ? [] : [{ type: "text", text }]],
    ...calls.length === 0 ? {} : { tool_calls: calls },
    ...fields,
  }];
}

const sendable = new Set(["reasoning_content", "reasoning", "reasoning_text"]);

/** Thinking goes back under the name it came with; as part of the content to Mistral. */
function thinking(message: AssistantMessage, target: Target): JsonObject {
  let text = "";
  let field: Json | undefined, details: Json | undefined;
  for (const part of message.content) {
    if (part.type !== "thinking") continue;
    text += wellFormed(part.text);
    field = part.metadata?.field ?? field;
    details = part.metadata?.details ?? details;
  }
  // OpenRouter wants its details back as they were, and then no text beside them.
  if (Array.isArray(details)) return { reasoning_details: details };
  if (text === "") return {};
  if (target.profile === "mistral") {
    const content = {
      type: "thinking",
      thinking: [{ type: "text", text }],
      closed: true,
    } satisfies ThinkChunk;
    return { content };
  }
  return typeof field === "string" && sendable.has(field) ? { [field]: text } : {};
}

/** A tool's message of this wire is text: its images follow in a message of their own. */
function resultMessages(
  results: readonly ToolResultMessage[],
  { answer, target }: Converter,
): JsonObject[] {
  const images: JsonObject[] = [];
  const messages = results.map((result): JsonObject => {
    const parts = sentParts(result.content, target);
    const { text, images: found } = textAndImages(parts);
    const message = { role: "tool", tool_call_id: answer(result.toolId) };
    if (target.profile === "mistral") {
      const content = found.length === 0
        ? text
        : [{ type: "text", text }, ...found.map((image) => sentPart(image, target))];
      return { ...message, name: result.toolName, content };
    }
    if (found.length === 0) return { ...message, content: text };
    images.push(
      { type: "text", text: `The image that ${result.toolName} returned:` },
      ...found.map((image) => sentPart(image, target)),
    );
    return { ...message, content: `${text}${text === "" ? "" : "\n"}[the image follows]` };
  });
  return images.length === 0 ? messages : [...messages, { role: "user", content: images }];
}

/**
 * Templates of models want user and model to take turns. A message right after another is one after a
 * turn that failed; one after results may be steering, and is parted only where the server says so.
 */
export function between(before: Message, next: Message, { alternate }: Target): JsonObject[] {
  if (next.role !== "user") return [];
  if (before.role === "user") return [{ role: "assistant", content: "(no answer)" }];
  return alternate && before.role === "tool_result"
    ? [{ role: "assistant", content: "(interrupted)" }]
    : [];
}

/** OpenRouter marks nothing for Anthropic's cache by itself. */
export function cacheMark(
  { profile, model }: Target,
): ((message: JsonObject) => JsonObject) | undefined {
  if (profile !== "openrouter" || !/(^|\/)claude|^anthropic\//.test(model)) return undefined;
  return (message) => {
    const parts = typeof message.content === "string"
      ? [{ type: "text", text: message.content }]
      : message.content;
    if (!Array.isArray(parts) || !isJsonObject(parts.at(-1))) return message;
    const last = { ...parts.at(-1) as JsonObject, cache_control: { type: "ephemeral" } };
    return { ...message, content: [...parts.slice(0, -1), last] };
  };
}
