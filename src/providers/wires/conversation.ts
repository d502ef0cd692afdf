/** The conversation in a wire's form, as JSON: each message is converted and joined once. */
import { type CallIds, callIds } from "../../core/call_ids.ts";
import type { JsonObject } from "../../core/json.ts";
import type { Message } from "../../core/message.ts";
import { type GrowingBytes, growingBytes } from "../../lib/growing_bytes.ts";
import { limits } from "./limits.ts";
import type { Target, Wire } from "./wire.ts";

interface Converted {
  /** How many messages it stands for. */
  readonly messages: number;
  /** The items as JSON, separated by commas; "" where there are none. */
  readonly text: string;
}

/** What is kept from request to request. */
export interface ConversationMemo {
  kept: Kept;
  /** Memory of a request that was sent, for the next one: else a long run leaves one a step to be collected. */
  spare?: ArrayBuffer | undefined;
}

interface Kept {
  /** The start that further messages and marks leave as it is: whole groups. */
  readonly settled: Message[];
  /** The JSON of those. */
  readonly bytes: GrowingBytes;
  /** The groups after them, by their first message. */
  readonly open: Map<Message, Converted>;
  readonly ids: CallIds;
}

export function conversationMemo(target: Target): ConversationMemo {
  return { kept: nothingKept(target) };
}

function nothingKept(target: Target): Kept {
  const ids = callIds(limits[target.profile].callId);
  return { settled: [], bytes: growingBytes(), open: new Map(), ids };
}

/** How many groups that are not the model's, from the end, carry a cache mark. */
const markedGroups = 2;

/** The items of a conversation, separated by commas: bytes that were sent before, and new text. */
export interface ConversationJson {
  /** Good until the next call. */
  readonly settled: Uint8Array<ArrayBuffer>;
  readonly rest: string;
}

/**
 * The items of `messages`. Marked are the last two groups that are not the model's: the older one is
 * where the last request's mark was. A step's work does not grow with the conversation: what stays as
 * it was is neither converted nor joined again.
 */
export function conversationJson(
  wire: Wire,
  messages: readonly Message[],
  target: Target,
  memo: ConversationMemo,
): ConversationJson {
  // another conversation, or one that was shortened
  if (!memo.kept.settled.every((message, at) => message === messages[at])) {
    memo.kept = nothingKept(target);
  }
  const { settled, bytes, open } = memo.kept;
  const groups = groupsOf(wire, messages.slice(settled.length));
  const mark = wire.cacheMark?.(target);
  const asked = groups.filter(([first]) => first!.role !== "assistant");
  const marked = new Set(mark === undefined ? [] : asked.slice(-markedGroups));
  const firstOpen = groups.findIndex((group) => marked.has(group) || group === groups.at(-1));
  const settling: string[] = [], rest: string[] = [];
  let before = settled.at(-1);
  for (const [at, group] of groups.entries()) {
    const text = convert(wire, group, target, memo.kept);
    const between = before && wire.between?.(before, group[0]!, target);
    const texts = [jsonOf(between ?? []), marked.has(group) ? withMark(text, mark!) : text]
      .filter((text) => text !== "");
    before = group.at(-1);
    if (at >= firstOpen) rest.push(...texts);
    else {
      settling.push(...texts);
      settled.push(...group);
      open.delete(group[0]!);
    }
  }
  if (settling.length > 0) {
    bytes.append(`${bytes.bytes.length === 0 ? "" : ","}${settling.join(",")}`);
  }
  return { settled: bytes.bytes, rest: rest.join(",") };
}

/** Converted once, as ids are announced once; a group that has grown is converted anew. */
function convert(
  wire: Wire,
  group: readonly Message[],
  target: Target,
  { open, ids: { announce, answer } }: Kept,
): string {
  const first = group[0]!;
  let converted = open.get(first);
  if (converted?.messages !== group.length) {
    const items = wire.convert(group, { announce, answer, target });
    converted = { messages: group.length, text: jsonOf(items) };
    open.set(first, converted);
  }
  return converted.text;
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

/** The items in `text`, the last of them marked. */
function withMark(text: string, mark: (item: JsonObject) => JsonObject): string {
  const items: JsonObject[] = JSON.parse(`[${text}]`);
  return jsonOf(items.map((item, at) => at === items.length - 1 ? mark(item) : item));
}

function jsonOf(items: readonly JsonObject[]): string {
  return items.length === 0 ? "" : JSON.stringify(items).slice(1, -1);
}
