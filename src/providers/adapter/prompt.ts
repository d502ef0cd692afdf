/** The way from our messages to the prompt that the SDK packages take. */
import type {
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4ToolResultPart,
} from "@ai-sdk/provider";
import { isJsonObject, type Json, type JsonObject } from "../../core/json.ts";
import type {
  AssistantMessage,
  ImagePart,
  Message,
  ProviderMetadata,
  TextPart,
  ToolResultMessage,
  ToolUsePart,
} from "../../core/message.ts";
import { wellFormed } from "../../lib/well_formed.ts";
import { type CallIds, callIds } from "./call_ids.ts";
import { type ChatReasoning, chatReasoning } from "./chat_reasoning.ts";
import type { Target } from "./target.ts";

export interface BuiltPrompt {
  readonly prompt: LanguageModelV4Prompt;
  /** Images of tool results that the SDK package cannot place, by the call's id as sent. */
  readonly resultImages: ReadonlyMap<string, readonly ImagePart[]>;
}

export function buildPrompt(
  system: string,
  messages: readonly Message[],
  target: Target,
): BuiltPrompt {
  const prompt: LanguageModelV4Prompt = [];
  const ids = callIds(target.wire);
  const resultImages = new Map<string, readonly ImagePart[]>();
  if (system !== "") prompt.push({ role: "system", content: wellFormed(system) });
  for (let at = 0; at < messages.length; at++) {
    const message = messages[at]!;
    switch (message.role) {
      case "user": {
        const content = message.content.flatMap((part) => visiblePart(part, target));
        if (content.length > 0) prompt.push({ role: "user", content });
        break;
      }
      case "assistant": {
        const made = assistantMessage(message, target, ids);
        if (made !== undefined) prompt.push(made);
        break;
      }
      case "tool_result": {
        const results = [message];
        for (let next = messages[at + 1]; next?.role === "tool_result"; next = messages[at + 1]) {
          results.push(next);
          at++;
        }
        prompt.push(...resultMessages(results, target, ids, resultImages));
      }
    }
  }
  return { prompt: target.wire === "anthropic" ? withCacheMarks(prompt) : prompt, resultImages };
}

type VisiblePart = { type: "text"; text: string } | {
  type: "file";
  mediaType: string;
  data: { type: "data"; data: string };
};

function visiblePart(part: TextPart | ImagePart, target: Target): VisiblePart[] {
  if (part.type === "text") {
    return part.text === "" ? [] : [{ type: "text", text: wellFormed(part.text) }];
  }
  if (!target.images) return [{ type: "text", text: imageNote(part, target) }];
  return [{
    type: "file",
    mediaType: part.mediaType,
    data: { type: "data", data: part.data },
  }];
}

function imageNote(part: ImagePart, target: Target): string {
  const bytes = Math.floor(part.data.length * 3 / 4);
  return `[image (${part.mediaType}, ${bytes} bytes) left out: ${target.model} takes no images]`;
}

function assistantMessage(
  message: AssistantMessage,
  target: Target,
  ids: CallIds,
): LanguageModelV4Message | undefined {
  const own = message.provider === target.provider;
  const options = (metadata: ProviderMetadata | undefined) =>
    own && metadata !== undefined ? { providerOptions: metadata } : {};
  const content: (LanguageModelV4Message & { role: "assistant" })["content"] = [];
  for (const part of message.content) {
    switch (part.type) {
      case "text": {
        // Only Google hangs something that must go back on a text that is empty.
        const keptEmpty = own && target.wire === "google" && part.metadata !== undefined;
        if (part.text.trim() === "" && !keptEmpty) break;
        content.push({ type: "text", text: wellFormed(part.text), ...options(part.metadata) });
        break;
      }
      case "thinking":
        if (own && goesBack(part.metadata, message, target)) {
          content.push({ type: "reasoning", text: part.text, ...options(part.metadata) });
        }
        break;
      case "tool_use":
        content.push({
          type: "tool-call",
          toolCallId: ids.announce(part.id),
          toolName: part.name,
          input: callInput(part),
          ...options(part.metadata),
        });
    }
  }
  const reasoning: ChatReasoning = own && target.wire === "chat" && message.model === target.model
    ? chatReasoning(message)
    : {};
  if (content.length === 0) return undefined;
  return {
    role: "assistant",
    content,
    ...Object.keys(reasoning).length > 0
      ? { providerOptions: { openaiCompatible: reasoning } }
      : {},
  };
}

/** Whether a thinking part means something to the server that made it. */
function goesBack(
  metadata: ProviderMetadata | undefined,
  message: AssistantMessage,
  target: Target,
): boolean {
  switch (target.wire) {
    case "anthropic":
      return has(metadata, "anthropic", "signature") || has(metadata, "anthropic", "redactedData");
    case "responses":
      // Without its content the item would have to lie at the server, and nothing is kept there.
      return has(metadata, "openai", "reasoningEncryptedContent");
    case "google":
      return has(metadata, "google", "thoughtSignature");
    case "mistral":
      return message.model === target.model;
    case "chat": // goes back beside the content, under the name it came with
    case "replay":
      return false;
  }
}

function has(metadata: ProviderMetadata | undefined, provider: string, key: string): boolean {
  const value = metadata?.[provider]?.[key];
  return typeof value === "string" && value !== "";
}

/** Every server wants an object; what the model wrote instead is shown to it as such. */
function callInput(part: ToolUsePart): JsonObject {
  if (part.invalidText !== undefined) return { invalid_json: wellFormed(part.invalidText) };
  const input = wellFormedJson(part.input);
  return isJsonObject(input) ? input : { value: input };
}

function wellFormedJson(value: Json): Json {
  if (typeof value === "string") return wellFormed(value);
  if (Array.isArray(value)) return value.map(wellFormedJson);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [wellFormed(key), wellFormedJson(item)]),
  );
}

function resultMessages(
  results: readonly ToolResultMessage[],
  target: Target,
  ids: CallIds,
  resultImages: Map<string, readonly ImagePart[]>,
): LanguageModelV4Message[] {
  const images: VisiblePart[] = [];
  const content = results.map((result): LanguageModelV4ToolResultPart => {
    const toolCallId = ids.answer(result.toolId);
    const parts = result.content.flatMap((part) => visiblePart(part, target));
    const texts = parts.filter((part) => part.type === "text").map((part) => part.text);
    const files = parts.filter((part) => part.type === "file");
    let text = texts.join("\n");
    const base = { type: "tool-result", toolCallId, toolName: result.toolName } as const;
    if (files.length > 0) {
      if (target.wire === "mistral") {
        resultImages.set(toolCallId, result.content.filter((part) => part.type === "image"));
      } else if (target.wire === "chat") {
        // A tool message of this wire is text; the image follows in a message of its own.
        text += `${text === "" ? "" : "\n"}[the image follows]`;
        images.push(
          { type: "text", text: `The image that ${result.toolName} returned:` },
          ...files,
        );
      } else if (!result.isError) {
        return { ...base, output: { type: "content", value: parts } };
      }
    }
    // The package for the responses wire would wrap an error in JSON of its own.
    const flagged = result.isError && target.wire !== "responses";
    return { ...base, output: { type: flagged ? "error-text" : "text", value: text } };
  });
  return [
    { role: "tool", content },
    ...images.length > 0 ? [{ role: "user" as const, content: images }] : [],
  ];
}

const cacheMark = { anthropic: { cacheControl: { type: "ephemeral" } } };

/**
 * Marks what stays the same: the system prompt, and the conversation up to the last two messages
 * that are not the model's (the older one is where the last request's mark stood).
 */
function withCacheMarks(prompt: LanguageModelV4Prompt): LanguageModelV4Prompt {
  const asked = prompt.flatMap(({ role }, at) => role === "user" || role === "tool" ? [at] : []);
  const marked = new Set(asked.slice(-2));
  return prompt.map((message, at) =>
    message.role === "system" || marked.has(at)
      ? { ...message, providerOptions: cacheMark }
      : message
  );
}
