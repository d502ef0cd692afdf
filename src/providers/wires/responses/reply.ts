/** Answers of the Responses wire, of OpenAI and of the servers that copy it. */
import type { ResponseStreamEvent } from "openai/resources/responses/responses";
import { isJsonObject, type Json, type JsonObject } from "../../../core/json.ts";
import { amount, count, type Counts, within } from "../../usage.ts";
import type { AnswerBuilder } from "../answer.ts";
import type { AnswerReader } from "../wire.ts";
import {
  createItems,
  inputOf,
  isCall,
  type Item,
  type ItemType,
  listOf,
  phaseOf,
  stringOf,
} from "./items.ts";
import { callsIn } from "./parallel.ts";

/** The protocol's own events, and those that only other servers send. */
type EventType = ResponseStreamEvent["type"] | "response.done" | "response.cancelled";

/**
 * Taken as they come: items whose first event, deltas or last event are missing, the reasoning of
 * open models, errors in mid-stream, `null` where a value is due. Items of tools that the server runs
 * itself are left out.
 */
export function reader(answer: AnswerBuilder): AnswerReader {
  const items = createItems((item) =>
    isCall(item.announced) ? answer.beginCall(String(item.index)) : answer.progress()
  );
  let refused = false;
  let usage: JsonObject | undefined;

  const speak = (item: Item, delta: string) => {
    if (delta === "") return;
    const phase = item.spoke ? undefined : phaseOf(item.announced);
    item.spoke = true;
    answer.text(String(item.index), delta, phase === undefined ? undefined : { phase });
  };
  const think = (item: Item, part: string, delta: string) => {
    if (delta === "") return;
    const block = `${item.index}.${part}`;
    item.thoughts.add(block);
    answer.thinking(block, delta);
  };
  const refuse = (words: string) => {
    refused ||= words !== "";
    answer.refuse(words);
  };
  const addInput = (item: Item, delta: string) => {
    item.input += delta;
    answer.progress(delta);
  };

  const endMessage = (item: Item, value: JsonObject) => {
    const parts = listOf(value.content);
    if (!item.spoke) { for (const part of parts) speak(item, stringOf(part.text)); }
    if (!refused) { for (const part of parts) answer.refuse(stringOf(part.refusal)); }
    const phase = phaseOf(value);
    if (item.spoke && phase !== undefined && phase !== phaseOf(item.announced)) {
      answer.text(String(item.index), "", { phase });
    }
  };
  const endReasoning = (item: Item, value: JsonObject) => {
    if (item.thoughts.size === 0) {
      const parts = [...listOf(value.summary), ...listOf(value.content)];
      for (const [at, part] of parts.entries()) think(item, String(at), stringOf(part.text));
    }
    const content = stringOf(value.encrypted_content);
    if (content === "") return;
    const blocks = item.thoughts.size === 0 ? [`${item.index}.0`] : [...item.thoughts];
    const last = blocks.pop()!;
    for (const block of blocks) answer.thinking(block, "", { item_id: item.id });
    answer.thinking(last, "", { item_id: item.id, encrypted_content: content });
  };
  const endCall = (item: Item, value: JsonObject, type: ItemType) => {
    const { announced } = item;
    const name = stringOf(value.name) || stringOf(announced.name);
    if (name === "") {
      return answer.fail({ type: "protocol", problem: "asks for a tool without naming it" });
    }
    const id = stringOf(value.call_id) || stringOf(announced.call_id) || stringOf(announced.id);
    const input = inputOf(value) || item.input || inputOf(announced);
    const inputText = type === "custom_tool_call" ? JSON.stringify(input) : input;
    for (const [at, call] of callsIn({ id, name, inputText }).entries()) {
      answer.endCall(at === 0 ? String(item.index) : `${item.index}.${at}`, call);
    }
  };
  /** Takes an item as it is in the end. */
  const end = (item: Item, value: JsonObject) => {
    if (item.done) return;
    item.done = true;
    const type = (stringOf(value.type) || stringOf(item.announced.type)) as ItemType;
    switch (type) {
      case "message":
        return endMessage(item, value);
      case "reasoning":
        return endReasoning(item, value);
      case "function_call":
      case "custom_tool_call":
        return endCall(item, value, type);
    }
  };
  const finish = (type: EventType, { status, error, output, ...response }: JsonObject) => {
    if (isJsonObject(response.usage)) usage = response.usage;
    if (isError(error)) return answer.fail({ type: "stream", error });
    const reason = stringOf(within(response.incomplete_details).reason);
    const incomplete = reason !== "" || status === "incomplete" || type === "response.incomplete";
    const failed = type === "response.failed" || status === "failed" || status === "cancelled";
    if (failed && !incomplete) {
      return answer.fail({ type: "stream", error: stringOf(status) || "failed" });
    }
    // An item whose own events never came, or not the last of them, is still part of the answer.
    for (const [at, value] of listOf(output).entries()) end(items.at(at, value), value);
    for (const item of items.all()) if (isCall(item.announced)) end(item, {});
    answer.reason = incomplete ? reason || "incomplete" : "completed";
    answer.ended = true;
  };

  const take = (event: JsonObject, name: string): void => {
    const type = (stringOf(event.type) || name) as EventType;
    const delta = stringOf(event.delta);
    switch (type) {
      case "response.output_text.delta":
        return speak(items.of(event, "message"), delta);
      case "response.reasoning_summary_text.delta":
        return think(items.of(event, "reasoning"), `${count(event.summary_index) ?? 0}`, delta);
      case "response.reasoning_text.delta":
        return think(
          items.of(event, "reasoning"),
          `text_${count(event.content_index) ?? 0}`,
          delta,
        );
      case "response.refusal.delta":
        return refuse(delta);
      case "response.refusal.done":
        return refused ? undefined : refuse(stringOf(event.refusal));
      case "response.function_call_arguments.delta":
        return addInput(items.of(event, "function_call"), delta);
      case "response.custom_tool_call_input.delta":
        return addInput(items.of(event, "custom_tool_call"), delta);
      case "response.function_call_arguments.done":
        items.of(event, "function_call").input ||= inputOf(event);
        return;
      case "response.output_item.added":
        if (isJsonObject(event.item)) items.of(event, "message");
        return;
      case "response.output_item.done":
        if (isJsonObject(event.item)) end(items.of(event, "message"), event.item);
        return;
      case "response.completed":
      case "response.incomplete":
      case "response.failed":
      case "response.done":
        return finish(type, within(event.response));
      case "response.cancelled":
        return answer.fail({ type: "stream", error: "the response was cancelled" });
      case "error":
        return answer.fail({ type: "stream", error: isError(event.error) ? event.error : event });
      default:
        return takeOther(event);
    }
  };
  const takeOther = ({ error, choices, output_index }: JsonObject): void => {
    if (isError(error)) return answer.fail({ type: "stream", error });
    if (Array.isArray(choices)) {
      const problem = "is a chat-completions stream; use the provider openai-compatible for it";
      return answer.fail({ type: "protocol", problem });
    }
    // A part of an item, or of a tool that the server runs.
    if (output_index !== undefined) answer.progress();
  };
  return {
    take,
    whole: (response) => {
      if (Array.isArray(response.choices)) takeOther(response);
      else if (Array.isArray(response.output)) finish("response.done", response);
      else return false;
      return true;
    },
    usage: () => usage && countsOf(usage),
  };
}

function isError(value: Json | undefined): value is Json {
  return isJsonObject(value) || stringOf(value) !== "";
}

function countsOf(raw: JsonObject): Counts {
  const input = within(raw.input_tokens_details);
  return {
    input_tokens: count(raw.input_tokens),
    output_tokens: count(raw.output_tokens),
    cache_read_tokens: count(input.cached_tokens),
    cache_write_tokens: count(input.cache_write_tokens) || undefined,
    reasoning_tokens: count(within(raw.output_tokens_details).reasoning_tokens),
    cost: amount(raw.cost),
  };
}
