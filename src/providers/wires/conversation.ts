/** The conversation in a wire's form, as JSON text: each message is converted once and kept. */
import { type CallIds, callIds } from "../../core/call_ids.ts";
import type { JsonObject } from "../../core/json.ts";
import type { Message } from "../../core/message.ts";
import { limits } from "./limits.ts";
import type { Target, Wire } from "./wire.ts";

interface Converted {
  /** How many messages it stands for. */
  readonly messages: number;
  readonly items: readonly JsonObject[];
  /** The items as JSON, separated by commas; made when they are first sent without a mark. */
  text?: string;
}

/** What is kept from request to request, by the first message of each group. */
export interface ConversationMemo {
  readonly converted: WeakMap<Message, Converted>;
  readonly ids: CallIds;
}

export function conversationMemo(target: Target): ConversationMemo {
  return { converted: new WeakMap(), ids: callIds(limits[target.profile].callId) };
}

/** How many groups that are not the model's, from the end, carry a cache mark. */
const markedGroups = 2;

/**
 * The items of `messages`, separated by commas. Marked are the last two groups that are not the
 * model's: the older one is where the last request's mark was.
 */
export function conversationText(
  wire: Wire,
  messages: readonly Message[],
  target: Target,
  memo: ConversationMemo,
): string {
  const groups = groupsOf(wire, messages);
  const mark = wire.cacheMark?.(target);
  const asked = groups.filter(([first]) => first!.role !== "assistant");
  const marked = new Set(mark === undefined ? [] : asked.slice(-markedGroups));
  const texts = groups.flatMap((group, at) => {
    const converted = convert(wire, group, target, memo);
    const text = marked.has(group)
      ? joined(withMark(converted.items, mark!))
      : converted.text ??= joined(converted.items);
    const before = groups[at - 1]?.at(-1);
    const between = before === undefined ? undefined : wire.between?.(before, group[0]!, target);
    return between === undefined ? [text] : [joined(between), text];
  });
  return texts.filter((text) => text !== "").join(",");
}

/** Converted once, as ids are announced once; a group that has grown is converted anew. */
function convert(
  wire: Wire,
  group: readonly Message[],
  target: Target,
  memo: ConversationMemo,
): Converted {
  const first = group[0]!;
  let converted = memo.converted.get(first);
  if (converted?.messages !== group.length) {
    const { announce, answer } = memo.ids;
    const items = wire.convert(group, { announce, answer, target });
    converted = { messages: group.length, items };
    memo.converted.set(first, converted);
  }
  return converted;
}

function groupsOf(wire: Wire, messages: readonly Message[]): Message[][] {
  const groups: Message[][] = [];
  for (const message of messages) {
    const group = groups.at(-1);
    const before = group?.at(-1);
    const joins = before !== undefined &&
      (before.role === "tool_result" && message.role === "tool_result" ||
        wire.joins?.(before, message) === true);
    if (joins) group!.push(message);
    else groups.push([message]);
  }
  return groups;
}

function withMark(
  items: readonly JsonObject[],
  mark: (item: JsonObject) => JsonObject,
): readonly JsonObject[] {
  return items.map((item, at) => at === items.length - 1 ? mark(item) : item);
}

function joined(items: readonly JsonObject[]): string {
  return items.map((item) => JSON.stringify(item)).join(",");
}
