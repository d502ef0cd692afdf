/** The last changes to a request's body: native options, and what the SDK packages cannot say. */
import { isJsonObject, type Json, type JsonObject } from "../../core/json.ts";
import type { ImagePart } from "../../core/message.ts";
import type { Wire } from "../catalog.ts";

export interface BodyChanges {
  readonly wire: Wire;
  readonly provider: string;
  readonly model: string;
  /** Native fields from the settings. */
  readonly options: JsonObject;
  /** Native reasoning fields for the level that was asked for; undefined: none was. */
  readonly reasoning: JsonObject | undefined;
  /** Whether a level was asked for: then the options' reasoning fields do not count. */
  readonly levelGiven: boolean;
  readonly resultImages: ReadonlyMap<string, readonly ImagePart[]>;
}

/** Whether a body needs any change: parsing a long conversation again takes time. */
export function changesBody(changes: BodyChanges): boolean {
  return Object.keys(changes.options).length > 0 || changes.reasoning !== undefined ||
    changes.resultImages.size > 0 || marksCache(changes);
}

export function shapeBody(body: JsonObject, changes: BodyChanges): JsonObject {
  const options = changes.levelGiven
    ? withoutReasoning(changes.options, changes.wire)
    : changes.options;
  let shaped = changes.reasoning === undefined ? body : merge(body, changes.reasoning);
  if (changes.wire === "mistral") shaped = withResultImages(shaped, changes.resultImages);
  if (marksCache(changes)) shaped = withCacheMarks(shaped);
  shaped = merge(shaped, options);
  // These decide the form of the answer, which is read as a stream.
  return body.stream === undefined ? shaped : { ...shaped, stream: body.stream };
}

/** OpenRouter marks nothing for Anthropic's cache by itself. */
function marksCache({ provider, model }: BodyChanges): boolean {
  return provider === "openrouter" && /(^|\/)claude|^anthropic\//.test(model);
}

/** `over` wins; objects are merged, lists of tools joined, all else replaced. */
function merge(base: JsonObject, over: JsonObject): JsonObject {
  const merged: JsonObject = { ...base };
  for (const [key, value] of Object.entries(over)) {
    const before = merged[key];
    if (isJsonObject(before) && isJsonObject(value)) merged[key] = merge(before, value);
    else if (key === "tools" && Array.isArray(before) && Array.isArray(value)) {
      merged[key] = [...before, ...value];
    } else merged[key] = value;
  }
  return merged;
}

const reasoningFields: Record<Wire, readonly string[]> = {
  chat: [
    "reasoning_effort",
    "reasoning",
    "thinking",
    "enable_thinking",
    "thinking_budget",
    "include_reasoning",
  ],
  mistral: ["reasoning_effort", "prompt_mode"],
  responses: ["reasoning"],
  anthropic: ["thinking", "output_config"],
  google: ["generationConfig", "generation_config"],
  replay: [],
};

function withoutReasoning(options: JsonObject, wire: Wire): JsonObject {
  const kept: JsonObject = {};
  for (const [key, value] of Object.entries(options)) {
    if (!reasoningFields[wire].includes(key)) {
      kept[key] = value;
      continue;
    }
    // Containers keep what is not about reasoning.
    const inner = key === "output_config" ? "effort" : "thinkingConfig";
    if (!/config/i.test(key) || !isJsonObject(value)) continue;
    const { [inner]: _, thinking_config: __, ...rest } = value;
    if (Object.keys(rest).length > 0) kept[key] = rest;
  }
  return kept;
}

/** Mistral takes images in a tool's message; its SDK package writes them as text. */
function withResultImages(
  body: JsonObject,
  images: ReadonlyMap<string, readonly ImagePart[]>,
): JsonObject {
  if (images.size === 0 || !Array.isArray(body.messages)) return body;
  const messages = body.messages.map((message): Json => {
    if (!isJsonObject(message) || message.role !== "tool") return message;
    const found = images.get(String(message.tool_call_id));
    if (found === undefined) return message;
    const pictures = found.map((image) => ({
      type: "image_url",
      image_url: `data:${image.mediaType};base64,${image.data}`,
    }));
    return { ...message, content: [{ type: "text", text: message.content ?? "" }, ...pictures] };
  });
  return { ...body, messages };
}

/** Marks the system prompt and the last message for Anthropic's cache, as OpenRouter wants it. */
function withCacheMarks(body: JsonObject): JsonObject {
  if (!Array.isArray(body.messages)) return body;
  const last = body.messages.length - 1;
  const messages = body.messages.map((message, at): Json => {
    if (!isJsonObject(message) || (message.role !== "system" && at !== last)) return message;
    const parts = typeof message.content === "string"
      ? [{ type: "text", text: message.content }]
      : message.content;
    if (!Array.isArray(parts) || parts.length === 0) return message;
    const content = parts.map((part, place): Json =>
      place === parts.length - 1 && isJsonObject(part)
        ? { ...part, cache_control: { type: "ephemeral" } }
        : part
    );
    return { ...message, content };
  });
  return { ...body, messages };
}
