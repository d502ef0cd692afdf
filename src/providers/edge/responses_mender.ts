/** The mending of OpenAI Responses streams, also those of other servers with that wire. */
import { isJsonObject, type Json, type JsonObject } from "../../core/json.ts";
import type { AnswerFacts } from "./fault.ts";
import { ownItems, shapedItem, wholeMessage } from "./responses_items.ts";
import { dataEvent, type StreamMender } from "./stream_mender.ts";
import { textRun } from "./text_run.ts";

interface Item {
  /** The id the SDK package knows the item by: that of its first event. */
  readonly id: string;
  readonly index: number;
  readonly type: string;
  /** What has been streamed of its text or arguments so far. */
  text: string;
  done: boolean;
  /** Reasoning parts that were begun. */
  parts: Set<number>;
}

/**
 * Mended here: item ids that differ from event to event (items are told apart by output_index),
 * items whose first event or deltas are missing, `reasoning_text` of open models (the SDK package
 * knows summaries only), refusals (kept apart from the answer), errors in mid-stream, events with
 * `null` where a value is due. Events that carry nothing for us are left out.
 */
export function responsesMender(facts: AnswerFacts): StreamMender {
  const items = new Map<number, Item>();
  let ended = false;
  let finished = false;

  const begin = (index: number, item: JsonObject): string => {
    const type = String(item.type);
    const id = typeof item.id === "string" && item.id !== "" ? item.id : `item_${index}`;
    items.set(index, { id, index, type, text: "", done: false, parts: new Set() });
    return dataEvent({
      type: "response.output_item.added",
      output_index: index,
      item: shapedItem(item, id, ""),
    });
  };
  const indexOf = (event: JsonObject): number => {
    if (typeof event.output_index === "number") return event.output_index;
    const id = event.item_id ?? (isJsonObject(event.item) ? event.item.id : undefined);
    for (const item of items.values()) if (item.id === id) return item.index;
    return event.type === "response.output_item.added" ? items.size : Math.max(0, items.size - 1);
  };
  /** The item of a delta; one that was never announced is announced now. */
  const itemOf = (event: JsonObject, type: string): [Item, string] => {
    const index = indexOf(event);
    const known = items.get(index);
    if (known !== undefined) return [known, ""];
    const id = typeof event.item_id === "string" ? event.item_id : null;
    const out = begin(index, { type, id, summary: [] });
    return [items.get(index)!, out];
  };
  const textDelta = (event: JsonObject, delta: string): string => {
    const [item, out] = itemOf(event, "message");
    item.text = "x"; // only whether there was any counts; a copy of the answer would cost memory
    return out + textEvent(item.index, delta);
  };
  const begun = (index: number): string => {
    items.get(index)!.text = "x";
    return "";
  };
  const textEvent = (index: number, text: string): string =>
    `data: {"type":"response.output_text.delta","item_id":${
      JSON.stringify(items.get(index)?.id ?? "")
    },"output_index":${index},"delta":${JSON.stringify(text)}}\n\n`;
  const run = textRun(facts, textEvent);
  const reasoningDelta = (event: JsonObject, part: number, delta: string): string => {
    const [item, before] = itemOf(event, "reasoning");
    const place = { item_id: item.id, output_index: item.index, summary_index: part };
    let out = before;
    if (!item.parts.has(part)) {
      item.parts.add(part);
      out += dataEvent({ type: "response.reasoning_summary_part.added", ...place });
    }
    return out + dataEvent({ type: "response.reasoning_summary_text.delta", ...place, delta });
  };
  const complete = (event: JsonObject, item: JsonObject): string => {
    let out = "";
    const index = indexOf(event);
    if (!items.has(index)) out += begin(index, item);
    const known = items.get(index)!;
    if (known.done) return out;
    known.done = true;
    if (item.type === "message" && known.text === "") {
      const [text, refusal] = wholeMessage(item.content);
      if (text !== "") out += textDelta({ output_index: index }, text);
      if (refusal !== "" && facts.refusal === undefined) facts.refusal = refusal;
    }
    if (item.type === "reasoning" && known.parts.size === 0) {
      [item.summary, item.content].flatMap((list) => Array.isArray(list) ? list : [])
        .forEach((part, at) => {
          if (isJsonObject(part) && typeof part.text === "string" && part.text !== "") {
            out += reasoningDelta({ output_index: index }, at, part.text);
          }
        });
    }
    return out + dataEvent({
      type: "response.output_item.done",
      output_index: index,
      item: shapedItem(item, known.id, known.text),
    });
  };
  const finish = (event: JsonObject): string => {
    const response = isJsonObject(event.response) ? event.response : {};
    if (isJsonObject(response.usage)) facts.usage = response.usage;
    ended = true;
    if (isJsonObject(response.error)) {
      facts.fault ??= { type: "stream", error: response.error };
      return "";
    }
    const details = isJsonObject(response.incomplete_details) ? response.incomplete_details : {};
    const incomplete = typeof details.reason === "string" ? details.reason : undefined;
    if (event.type === "response.failed" && incomplete === undefined) {
      facts.fault ??= { type: "stream", error: response.status ?? "failed" };
      return "";
    }
    finished = true;
    facts.rawReason = incomplete ?? "completed";
    let out = "";
    if (Array.isArray(response.output)) {
      // An item whose own events never came is still part of the answer.
      response.output.forEach((item, index) => {
        const known = items.get(index);
        if (isJsonObject(item) && ownItems.has(String(item.type)) && !known?.done) {
          if (incomplete === undefined) out += complete({ output_index: index }, item);
        }
      });
    }
    return out + dataEvent({
      type: incomplete === undefined ? "response.completed" : "response.incomplete",
      response: incomplete === undefined ? {} : { incomplete_details: { reason: incomplete } },
    });
  };

  return {
    take: (event, name) => {
      const type = typeof event.type === "string" ? event.type : name;
      const delta = typeof event.delta === "string" ? event.delta : undefined;
      switch (type) {
        case "response.output_text.delta":
          if (!delta) return "";
          return items.has(indexOf(event)) && run.add(indexOf(event), delta)
            ? begun(indexOf(event))
            : textDelta(event, delta);
        case "response.refusal.delta":
          if (delta) facts.refusal = (facts.refusal ?? "") + delta;
          return "";
        case "response.refusal.done":
          if (typeof event.refusal === "string") facts.refusal ??= event.refusal;
          return "";
        case "response.reasoning_summary_text.delta":
          return delta ? reasoningDelta(event, numberOf(event.summary_index), delta) : "";
        case "response.reasoning_text.delta":
          return delta ? reasoningDelta(event, numberOf(event.content_index), delta) : "";
        case "response.function_call_arguments.delta":
        case "response.custom_tool_call_input.delta": {
          const item = items.get(indexOf(event));
          if (item === undefined || !delta) return "";
          item.text += delta;
          return dataEvent({ type, item_id: item.id, output_index: item.index, delta });
        }
        case "response.function_call_arguments.done": {
          const item = items.get(indexOf(event));
          if (item !== undefined && typeof event.arguments === "string") {
            item.text = event.arguments;
          }
          return "";
        }
        case "response.output_item.added":
          if (!isJsonObject(event.item) || !ownItems.has(String(event.item.type))) return "";
          return items.has(indexOf(event)) ? "" : begin(indexOf(event), event.item);
        case "response.output_item.done":
          if (!isJsonObject(event.item) || !ownItems.has(String(event.item.type))) return "";
          return complete(event, event.item);
        case "response.completed":
        case "response.incomplete":
        case "response.failed":
        case "response.done":
          return finish(event);
        case "response.cancelled":
          facts.fault ??= { type: "stream", error: "the response was cancelled" };
          ended = true;
          return "";
        case "error":
          facts.fault ??= {
            type: "stream",
            error: isJsonObject(event.error) ? event.error : event,
          };
          ended = true;
          return "";
        default:
          if (isJsonObject(event.error)) {
            facts.fault ??= { type: "stream", error: event.error };
            ended = true;
          } else if (Array.isArray(event.choices)) {
            facts.fault ??= {
              type: "protocol",
              problem: "is a chat-completions stream; use the provider openai-compatible for it",
            };
            ended = true;
          }
          return "";
      }
    },
    flush: run.flush,
    end: () => "",
    get ended() {
      return ended;
    },
    get finished() {
      return finished;
    },
    whole: (answer) =>
      Array.isArray(answer.output)
        ? finish({ type: "response.completed", response: answer })
        : undefined,
  };
}

function numberOf(value: Json | undefined): number {
  return typeof value === "number" ? value : 0;
}
