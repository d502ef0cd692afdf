/** Requests of Google's generative language wire. */
import type {
  Content,
  FunctionDeclaration,
  FunctionResponse,
  GenerateContentConfig,
  GenerationConfig,
  Part,
  ThinkingConfig,
  Tool,
} from "@google/genai";
import type { Json, JsonObject } from "../../../core/json.ts";
import type {
  AssistantMessage,
  ImagePart,
  Message,
  TextPart,
  ToolResultMessage,
  UserMessage,
} from "../../../core/message.ts";
import type { ThinkingLevel } from "../../../core/model.ts";
import { wellFormed } from "../../../lib/well_formed.ts";
import { callInput, isOwn, kept, sentParts, textAndImages } from "../content.ts";
import { thinkingBudget } from "../../thinking.ts";
import type { Converter, RequestContext, WireRequest } from "../wire.ts";

/** The names of `T`'s fields; their values are checked where they are made. */
type Fields<T> = { [K in keyof T]?: Json };
type Body = Fields<Pick<GenerateContentConfig, "systemInstruction" | "tools">> & {
  generationConfig: Fields<GenerationConfig>;
};

export function request(context: RequestContext, apiKey: string | undefined): WireRequest {
  const { target: { model }, level, maxOutputTokens, tools } = context;
  const { system } = context.request;
  const thinkingConfig = level === undefined ? undefined : thinkingFields(level, model);
  const body: Body = {
    generationConfig: {
      ...maxOutputTokens === undefined ? {} : { maxOutputTokens },
      ...thinkingConfig && { thinkingConfig },
    },
    ...system === "" || isGemma(model) ? {} : {
      systemInstruction: { parts: [{ text: wellFormed(system) }] } satisfies Content,
    },
    ...tools.length === 0 ? {} : {
      tools: [{
        functionDeclarations: tools.map(({ name, description, inputSchema }) => (
          { name, description, parametersJsonSchema: inputSchema } satisfies FunctionDeclaration
        )),
      }] satisfies Tool[],
    },
  };
  const path = model.split("/").map(encodeURIComponent).join("/");
  return {
    path: `/${path.includes("/") ? "" : "models/"}${path}:streamGenerateContent?alt=sse`,
    headers: apiKey === undefined ? {} : { "x-goog-api-key": apiKey },
    body,
  };
}

/** Gemma has no place for a system prompt: it comes as what a person says first. */
export function opening({ request, target }: RequestContext): JsonObject[] {
  if (request.system === "" || !isGemma(target.model)) return [];
  return [{ role: "user", parts: [{ text: wellFormed(request.system) }] }];
}

function isGemma(model: string): boolean {
  return /(^|\/)gemma-/i.test(model);
}

/** Gemini 3 and later; a name that tells no version stands for the newest. */
function isGemini3(model: string): boolean {
  return /(^|[/.])gemini-(?![12]([.-]|$)|pro(-vision)?$|robotics-er-1\.5)/i.test(model);
}

/** What every budget is a part of. */
const longestAnswer = 65_536;

function thinkingFields(level: ThinkingLevel, model: string): Fields<ThinkingConfig> {
  if (isGemini3(model) && !/gemini-3-pro-image/i.test(model)) {
    return { thinkingLevel: level, includeThoughts: true };
  }
  if (level === "none") return { thinkingBudget: 0 };
  const least = /2\.5-pro/i.test(model) ? 128 : 0;
  const most = /2\.5-pro|gemini-3-pro-image/i.test(model) ? 32_768 : 24_576;
  const budget = thinkingBudget(level, longestAnswer, least, most);
  return { thinkingBudget: budget, includeThoughts: true };
}

export function convert(group: readonly Message[], converter: Converter): JsonObject[] {
  const [first] = group;
  switch (first!.role) {
    case "user":
      return userContent(first as UserMessage, converter);
    case "assistant":
      return modelContent(first as AssistantMessage, converter);
    case "tool_result": {
      const results = group as readonly ToolResultMessage[];
      return [{ role: "user", parts: results.flatMap((result) => resultParts(result, converter)) }];
    }
  }
}

function userContent(message: UserMessage, { target }: Converter): JsonObject[] {
  const parts = sentParts(message.content, target).map(sentPart);
  return parts.length === 0 ? [] : [{ role: "user", parts }];
}

function sentPart(part: TextPart | ImagePart) {
  return part.type === "text"
    ? { text: part.text } satisfies Part
    : { inlineData: { mimeType: part.mediaType, data: part.data } } satisfies Part;
}

/** Tells the server, in its own words, that a call was made elsewhere and so has no signature. */
const noSignature = "skip_thought_signature_validator";

function modelContent(message: AssistantMessage, converter: Converter): JsonObject[] {
  const { target } = converter;
  const own = isOwn(message, target);
  let signed = !isGemini3(target.model);
  const parts = message.content.flatMap((part): JsonObject[] => {
    const signature = own ? kept(part.metadata, "thought_signature") : undefined;
    const signing = signature === undefined ? {} : { thoughtSignature: signature };
    switch (part.type) {
      case "text":
        if (part.text.trim() === "" && signature === undefined) return [];
        return [{ text: wellFormed(part.text), ...signing } satisfies Part];
      case "thinking":
        if (signature === undefined) return [];
        return [{ text: part.text, thought: true, ...signing } satisfies Part];
      case "tool_use": {
        // The first of several calls carries the signature of all.
        signed ||= signature !== undefined;
        const id = converter.announce(part.id);
        return [
          {
            functionCall: { id, name: part.name, args: callInput(part) },
            ...signed ? signing : { thoughtSignature: noSignature },
          } satisfies Part,
        ];
      }
    }
  });
  return parts.length === 0 ? [] : [{ role: "model", parts }];
}

/** Images are part of a result for later models only; for others they follow it. */
function resultParts(result: ToolResultMessage, { answer, target }: Converter): JsonObject[] {
  const { text, images } = textAndImages(sentParts(result.content, target));
  const within = images.length > 0 && isGemini3(target.model);
  const name = result.toolName;
  const functionResponse = {
    id: answer(result.toolId),
    name,
    response: { name, [result.isError ? "error" : "content"]: text },
    ...within ? { parts: images.map(sentPart) } : {},
  } satisfies FunctionResponse;
  if (within || images.length === 0) return [{ functionResponse }];
  return [
    { functionResponse },
    { text: `The image that ${name} returned:` },
    ...images.map(sentPart),
  ];
}
