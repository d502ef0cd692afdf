/** Requests of the Responses wire. */
import type {
  EasyInputMessage,
  FunctionTool,
  ResponseCreateParamsStreaming,
  ResponseFunctionToolCall,
  ResponseInputImage,
  ResponseInputItem,
  ResponseInputText,
  ResponseReasoningItem,
} from "openai/resources/responses/responses";
import type { Json, JsonObject } from "../../../core/json.ts";
import type {
  AssistantMessage,
  ImagePart,
  Message,
  TextPart,
  ThinkingPart,
  ToolResultMessage,
} from "../../../core/message.ts";
import { wellFormed } from "../../../lib/well_formed.ts";
import { callInput, dataUrl, isOwn, kept, sentParts, textAndImages } from "../content.ts";
import type { Converter, RequestContext, WireRequest } from "../wire.ts";

type Body = ResponseCreateParamsStreaming;
type Fields = { [K in keyof Body]?: Json };

export function request(context: RequestContext, apiKey: string | undefined): WireRequest {
  const { target, level, maxOutputTokens, tools, request: { outputSchema } } = context;
  const fields: Fields = {
    model: target.model,
    ...maxOutputTokens === undefined ? {} : { max_output_tokens: maxOutputTokens },
    ...outputSchema === undefined ? {} : {
      // A person's own schema is seldom in the strict subset; the answer is checked here anyway.
      text: {
        format: { type: "json_schema", strict: false, name: "answer", schema: outputSchema },
      } satisfies Body["text"],
    },
    // Nothing is kept at the server: reasoning goes back with the conversation, encrypted.
    store: false,
    ...thinks(context)
      ? { include: ["reasoning.encrypted_content"] satisfies Body["include"] }
      : {},
    ...level === undefined ? {} : {
      // Summaries need a verified organisation: only those who ask for thinking ask for them.
      reasoning: { effort: level, ...level === "none" ? {} : { summary: "auto" } } satisfies Body[
        "reasoning"
      ],
    },
    ...tools.length === 0 ? {} : {
      tools: tools.map(({ name, description, inputSchema }) => ({
        type: "function",
        name,
        description: wellFormed(description),
        parameters: inputSchema,
        strict: false,
      } satisfies FunctionTool)),
    },
    stream: true,
  };
  return {
    path: "/responses",
    headers: apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` },
    body: fields,
  };
}

/**
 * Whether the model is asked as one that thinks: those that do not refuse the request. OpenAI's
 * models are known by name; for others, of which nobody knows, a level is a sign.
 */
function thinks({ target: { model, facts }, level }: RequestContext): boolean {
  return level !== undefined ||
    /(^|\/)(gpt-|o)\d/.test(model) && facts.thinking.some((known) => known !== "none");
}

export function opening(context: RequestContext): JsonObject[] {
  const { system } = context.request;
  if (system === "") return [];
  const role = thinks(context) ? "developer" : "system";
  return [{ role, content: wellFormed(system) } satisfies EasyInputMessage];
}

export function convert(group: readonly Message[], converter: Converter): JsonObject[] {
  const [first] = group;
  switch (first!.role) {
    case "user": {
      const content = sentParts(first!.content, converter.target).map(sentPart);
      return content.length === 0 ? [] : [{ role: "user", content } satisfies EasyInputMessage];
    }
    case "assistant":
      return assistantItems(first as AssistantMessage, converter);
    case "tool_result":
      return resultItems(group as readonly ToolResultMessage[], converter);
  }
}

function sentPart(part: TextPart | ImagePart) {
  return part.type === "text"
    ? { type: "input_text", text: part.text } satisfies ResponseInputText
    // Servers whose types are the vendor's own refuse images without a detail.
    : {
      type: "input_image",
      image_url: dataUrl(part),
      detail: "auto",
    } satisfies ResponseInputImage;
}

function assistantItems(message: AssistantMessage, converter: Converter): JsonObject[] {
  const own = isOwn(message, converter.target);
  const items: JsonObject[] = [];
  const thoughts = new Map<string, JsonObject & { summary: Json[] }>();
  const addThought = (id: string, { text, metadata }: ThinkingPart) => {
    let item = thoughts.get(id);
    if (item === undefined) {
      item = { type: "reasoning", id, summary: [] } satisfies ResponseReasoningItem;
      thoughts.set(id, item);
      items.push(item);
    }
    if (text !== "") {
      item.summary.push(
        { type: "summary_text", text: wellFormed(text) } satisfies ResponseReasoningItem.Summary,
      );
    }
    const content = kept(metadata, "encrypted_content");
    if (content !== undefined) item.encrypted_content = content;
  };
  for (const part of message.content) {
    switch (part.type) {
      case "text": {
        if (part.text.trim() === "") break;
        const phase = own ? kept(part.metadata, "phase") : undefined;
        items.push({
          ...{ role: "assistant", content: wellFormed(part.text) } satisfies EasyInputMessage,
          ...phase === undefined ? {} : { phase },
        });
        break;
      }
      case "thinking": {
        const id = own ? kept(part.metadata, "item_id") : undefined;
        if (id !== undefined) addThought(id, part);
        break;
      }
      case "tool_use":
        items.push(
          {
            type: "function_call",
            call_id: converter.announce(part.id),
            name: part.name,
            arguments: JSON.stringify(callInput(part)),
          } satisfies ResponseFunctionToolCall,
        );
    }
  }
  // Without its content an item would have to lie at the server, and nothing is kept there.
  return items.filter((item) => item.type !== "reasoning" || item.encrypted_content !== undefined);
}

/** An output is text, or a list where there are images. */
function resultItems(
  results: readonly ToolResultMessage[],
  { answer, target }: Converter,
): JsonObject[] {
  return results.map((result) => {
    const parts = sentParts(result.content, target);
    const { text, images } = textAndImages(parts);
    return {
      type: "function_call_output",
      call_id: answer(result.toolId),
      output: images.length === 0 ? text : parts.map(sentPart),
    } satisfies ResponseInputItem.FunctionCallOutput;
  });
}
