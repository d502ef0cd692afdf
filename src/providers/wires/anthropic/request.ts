/** Requests of the Anthropic messages wire. */
import type {
  Base64ImageSource,
  ContentBlockParam,
  MessageCreateParamsStreaming,
  MessageParam,
  OutputConfig,
  ThinkingConfigParam,
  Tool,
  ToolResultBlockParam,
} from "@anthropic-ai/sdk/resources/messages";
import type { Json, JsonObject } from "../../../core/json.ts";
import type {
  AssistantMessage,
  ImagePart,
  Message,
  TextPart,
  ThinkingPart,
  ToolResultMessage,
  UserMessage,
} from "../../../core/message.ts";
import type { ThinkingLevel } from "../../../core/model.ts";
import { wellFormed } from "../../../lib/well_formed.ts";
import { callInput, isOwn, kept, sentParts, textAndImages } from "../content.ts";
import { thinkingBudget } from "../../thinking.ts";
import type { Converter, RequestContext, Target, WireRequest } from "../wire.ts";

/** The names of `T`'s fields; their values are checked where they are made. */
type Fields<T> = { [K in keyof T]?: Json };
type Body = Fields<MessageCreateParamsStreaming>;

const marked = { cache_control: { type: "ephemeral" } } satisfies Fields<Tool>;

export function request(context: RequestContext, apiKey: string | undefined): WireRequest {
  const { target, level, maxOutputTokens, tools } = context;
  const { system } = context.request;
  const most = target.facts.maxOutputTokens;
  const budget = budgetOf(level, target);
  const body: Body = {
    model: target.model,
    // The server counts the budget in.
    max_tokens: Math.min((maxOutputTokens ?? neededMost) + budget, most || Infinity),
    ...level === undefined ? {} : thinkingFields(level, budget),
    ...system === "" ? {} : { system: [{ ...textBlock(wellFormed(system)), ...marked }] },
    ...tools.length === 0 ? {} : {
      tools: tools.map(({ name, description, inputSchema }, at): Fields<Tool> => ({
        name,
        description,
        input_schema: inputSchema,
        ...at === tools.length - 1 ? marked : {},
      })),
    },
    stream: true,
  };
  return {
    path: "/messages",
    headers: headers(apiKey),
    body,
  };
}

/** Of every request of this wire. */
export function headers(apiKey: string | undefined): Readonly<Record<string, string>> {
  return {
    "anthropic-version": "2023-06-01",
    ...apiKey === undefined ? {} : { "x-api-key": apiKey },
  };
}

/** This wire wants a cap in every request: for models whose own is not known. */
const neededMost = 8192;
const leastBudget = 1024;
/** For models whose longest answer is not known. */
const likelyMost = 4096;

/** Tokens to think with; 0 where there is no thinking, or the model itself decides how much. */
function budgetOf(level: ThinkingLevel | undefined, { model, facts }: Target): number {
  if (level === undefined || level === "none" || decidesItself(model)) return 0;
  const longest = facts.maxOutputTokens || likelyMost;
  return thinkingBudget(level, longest, leastBudget, longest);
}

/** Claude 4.6 and later take an effort; earlier ones, and those of other vendors, a budget. */
function decidesItself(model: string): boolean {
  return /claude-(?!instant|v?[1-3](?!\d)|4|(opus|sonnet|haiku)-4(?![-.][6-9](?!\d)))/i.test(model);
}

function thinkingFields(level: ThinkingLevel, budget: number): Body {
  if (level === "none") {
    return { thinking: { type: "disabled" } satisfies ThinkingConfigParam };
  }
  if (budget > 0) {
    return { thinking: { type: "enabled", budget_tokens: budget } satisfies ThinkingConfigParam };
  }
  return {
    thinking: { type: "adaptive", display: "summarized" } satisfies ThinkingConfigParam,
    output_config: { effort: level === "minimal" ? "low" : level } satisfies OutputConfig,
  };
}

/** Turns alternate on this wire: results and what a person says after them are one message. */
export function joins(before: Message, next: Message): boolean {
  return (before.role === "assistant") === (next.role === "assistant");
}

export function convert(group: readonly Message[], converter: Converter): JsonObject[] {
  const role: MessageParam["role"] = group[0]!.role === "assistant" ? "assistant" : "user";
  const content = role === "assistant"
    ? (group as readonly AssistantMessage[]).flatMap((message) => ownBlocks(message, converter))
    : userBlocks(group as readonly (UserMessage | ToolResultMessage)[], converter);
  return content.length === 0 ? [] : [{ role, content }];
}

function ownBlocks(message: AssistantMessage, converter: Converter): JsonObject[] {
  const own = isOwn(message, converter.target);
  return message.content.flatMap((part): JsonObject[] => {
    switch (part.type) {
      case "text":
        return part.text.trim() === "" ? [] : [textBlock(wellFormed(part.text))];
      case "thinking":
        return own ? thinkingBlock(part) : [];
      case "tool_use": {
        const { name } = part, id = converter.announce(part.id), input = callInput(part);
        return [{ type: "tool_use", id, name, input } satisfies ContentBlockParam];
      }
    }
  });
}

/** The server takes only thinking that it signed, to the letter. */
function thinkingBlock({ text, metadata }: ThinkingPart): JsonObject[] {
  const signature = kept(metadata, "signature"), data = kept(metadata, "redacted_data");
  if (signature !== undefined) {
    return [{ type: "thinking", thinking: text, signature } satisfies ContentBlockParam];
  }
  if (data === undefined) return [];
  return [{ type: "redacted_thinking", data } satisfies ContentBlockParam];
}

/** Results come first, or the server refuses the message. */
function userBlocks(
  group: readonly (UserMessage | ToolResultMessage)[],
  { answer, target }: Converter,
): JsonObject[] {
  const results: JsonObject[] = [], words: JsonObject[] = [];
  for (const message of group) {
    const parts = sentParts(message.content, target);
    if (message.role === "user") {
      words.push(...parts.map(partBlock));
      continue;
    }
    const { text, images } = textAndImages(parts);
    const result: Fields<ToolResultBlockParam> = {
      type: "tool_result",
      tool_use_id: answer(message.toolId),
      // The server takes no images with an error.
      content: images.length > 0 && !message.isError ? parts.map(partBlock) : text,
      ...message.isError ? { is_error: true } : {},
    };
    results.push(result);
  }
  return [...results, ...words];
}

function partBlock(part: TextPart | ImagePart): JsonObject {
  if (part.type === "text") return textBlock(part.text);
  const media_type = part.mediaType as Base64ImageSource["media_type"];
  const source = { type: "base64", media_type, data: part.data } as const;
  return { type: "image", source } satisfies ContentBlockParam;
}

function textBlock(text: string) {
  return { type: "text", text } satisfies ContentBlockParam;
}

export function cacheMark(): (message: JsonObject) => JsonObject {
  return (message) => {
    const blocks = message.content as JsonObject[];
    return { ...message, content: [...blocks.slice(0, -1), { ...blocks.at(-1), ...marked }] };
  };
}
