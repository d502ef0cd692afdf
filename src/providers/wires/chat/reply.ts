/** Answers of the chat-completions wire, as the many servers that copy it send them. */
import type { ChatCompletionChunk } from "openai/resources/chat/completions";
import { isJsonObject, type Json, type JsonObject } from "../../../core/json.ts";
import { amount, count, type Counts, within } from "../../usage.ts";
import type { AnswerBuilder } from "../answer.ts";
import type { AnswerReader, Target } from "../wire.ts";
import { callPairing } from "./calls.ts";
import { thinkTags } from "./think_tags.ts";

/** Where the wire's own protocol keeps what is read here; servers put it elsewhere, too. */
type Choice = { [K in keyof ChatCompletionChunk.Choice]?: Json };
type Delta = { [K in keyof ChatCompletionChunk.Choice.Delta]?: Json };

/**
 * Taken as they come: content as a list of parts, reasoning under several names, calls whose index or
 * id is missing, repeated or rotating, `null` where an object is due, usage in any place and any number
 * of times, error objects in mid-stream.
 */
export function reader(
  answer: AnswerBuilder,
  _target: Target,
  tools: readonly string[],
): AnswerReader {
  const calls = callPairing(tools);
  const details = reasoningDetails();
  let usage: JsonObject | undefined;
  let thoughtField: string | undefined;
  let spoke = false;

  const tags = thinkTags();
  const text = (delta: string) => {
    if (delta === "") return;
    spoke = true;
    const { thinking, text } = tags.take(delta);
    answer.thinking("thinking", thinking);
    answer.text("text", text);
  };
  const think = (delta: string) => {
    if (delta === "") return;
    spoke = true;
    answer.thinking("thinking", delta);
  };
  const content = (value: Json | undefined): void => {
    if (typeof value === "string") return text(value);
    if (!Array.isArray(value)) return;
    for (const part of value) {
      if (typeof part === "string") text(part);
      if (!isJsonObject(part)) continue;
      if (part.type === "thinking" || part.type === "reasoning") {
        thoughtField ??= "content";
        think(joinedText(part.thinking ?? part.reasoning ?? part.text));
      } else {
        if (part.type === "refusal" && typeof part.refusal === "string") {
          answer.refuse(part.refusal);
        }
        if (typeof part.text === "string") text(part.text);
      }
    }
  };
  const takeDelta = (delta: JsonObject): void => {
    const field = thoughtFields.find((name) =>
      typeof delta[name] === "string" && delta[name] !== ""
    );
    const detailText = details.take(delta.reasoning_details);
    if (field !== undefined) {
      thoughtField ??= field;
      think(delta[field] as string);
    } else think(detailText);
    const { content: said, refusal, tool_calls, function_call } = delta as Delta;
    content(said);
    if (typeof refusal === "string") answer.refuse(refusal);
    const list = Array.isArray(tool_calls)
      ? tool_calls
      : isJsonObject(function_call)
      ? [function_call]
      : [];
    if (list.length === 0) return;
    spoke = true;
    answer.progress(calls.take(list));
  };

  const self: AnswerReader = {
    take: (event, name) => {
      if (isError(event.error)) return answer.fail({ type: "stream", error: event.error! });
      const choices = Array.isArray(event.choices) ? event.choices : undefined;
      if (choices === undefined && (name === "error" || event.object === "error")) {
        return answer.fail({ type: "stream", error: event });
      }
      const counted = event.usage ?? within(event.x_groq).usage;
      if (isJsonObject(counted)) usage = counted;
      const choice = choices?.find((item) => isJsonObject(item) && (item.index ?? 0) === 0) ??
        choices?.[0];
      if (!isJsonObject(choice)) return;
      if (isError(choice.error)) return answer.fail({ type: "stream", error: choice.error! });
      if (isJsonObject(choice.usage)) usage = choice.usage;
      const { delta, finish_reason: reason } = choice as Choice;
      if (isJsonObject(delta)) takeDelta(delta);
      else if (isJsonObject(choice.message) && !spoke) takeDelta(choice.message);
      if (typeof reason === "string" && reason !== "") answer.reason = reason;
    },
    whole: (event) => {
      if (!Array.isArray(event.choices)) return false;
      self.take(event, "");
      return true;
    },
    end: () => {
      answer.text("text", tags.end());
      for (const [at, call] of calls.all().entries()) {
        if (call.name === "") {
          return answer.fail({ type: "protocol", problem: "asks for a tool without naming it" });
        }
        answer.endCall(String(at), call);
      }
      if (thoughtField === undefined && details.list.length === 0) return;
      answer.thinking("thinking", "", {
        field: thoughtField ?? "reasoning",
        ...details.list.length > 0 ? { details: details.list } : {},
      });
    },
    usage: () => usage && countsOf(usage),
  };
  return self;
}

const thoughtFields = ["reasoning_content", "reasoning", "reasoning_text"];

function isError(value: Json | undefined): boolean {
  return isJsonObject(value) || (typeof value === "string" && value !== "");
}

/** The text of a list of text parts, of one part, or of a plain string. */
function joinedText(value: Json | undefined): string {
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return value.map(joinedText).join("");
  return isJsonObject(value) && typeof value.text === "string" ? value.text : "";
}

function countsOf(raw: JsonObject): Counts {
  const input = count(raw.prompt_tokens);
  const output = count(raw.completion_tokens);
  const reasoning = count(within(raw.completion_tokens_details).reasoning_tokens);
  // xAI counts reasoning beside the completion; its total shows it.
  const beside = reasoning !== undefined && input !== undefined && output !== undefined &&
    reasoning > 0 && count(raw.total_tokens) === input + output + reasoning;
  const prompt = within(raw.prompt_tokens_details);
  return {
    input_tokens: input,
    output_tokens: beside ? output + reasoning : output,
    cache_read_tokens: count(prompt.cached_tokens) ?? count(raw.prompt_cache_hit_tokens),
    cache_write_tokens: count(prompt.cache_write_tokens),
    reasoning_tokens: reasoning,
    cost: costOf(raw),
  };
}

/** OpenRouter's; with a key of one's own for the vendor, the vendor's bill comes on top of its fee. */
function costOf({ cost, is_byok, cost_details }: JsonObject): number | undefined {
  const fee = amount(cost);
  if (fee === undefined || is_byok !== true) return fee;
  return fee + (amount(within(cost_details).upstream_inference_cost) ?? 0);
}

interface ReasoningDetails {
  /** Takes the list of one delta; returns its visible text. */
  take(value: Json | undefined): string;
  readonly list: JsonObject[];
}

function reasoningDetails(): ReasoningDetails {
  const list: JsonObject[] = [];
  return {
    list,
    take: (value) => {
      if (!Array.isArray(value)) return "";
      let text = "";
      for (const item of value) {
        if (!isJsonObject(item)) continue;
        for (const field of ["text", "summary"]) {
          if (typeof item[field] === "string") text += item[field];
        }
        const last = list.at(-1);
        if (last !== undefined && belongs(last, item)) merge(last, item);
        else list.push({ ...item });
      }
      return text;
    },
  };
}

/** Pieces of one detail share type and index; encrypted data always comes whole. */
function belongs(last: JsonObject, item: JsonObject): boolean {
  return last.type === item.type && last.type !== "reasoning.encrypted" &&
    (last.index ?? null) === (item.index ?? null);
}

function merge(last: JsonObject, item: JsonObject): void {
  for (const [key, value] of Object.entries(item)) {
    if (value === null) continue;
    const before = last[key];
    last[key] = (key === "text" || key === "summary") && typeof before === "string" &&
        typeof value === "string"
      ? before + value
      : value;
  }
}
