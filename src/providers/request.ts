/** One request: the wire's fields, the person's own, and the conversation in the server's form. */
import { isJsonObject, type JsonObject } from "../core/json.ts";
import type { ModelEvent, ModelRequest } from "../core/model.ts";
import { joinBytesIn } from "../lib/join_bytes.ts";
import { wellFormed } from "../lib/well_formed.ts";
import type { Adjustments } from "./adjustments.ts";
import type { AddressOf, Server } from "./server.ts";
import { outputCap, sentLevel } from "./thinking.ts";
import {
  type ConversationJson,
  conversationJson,
  type ConversationMemo,
} from "./wires/conversation.ts";
import { limits } from "./wires/limits.ts";
import { sentSchema } from "./wires/schema.ts";
import type { RequestContext, Target, Wire } from "./wires/wire.ts";

/** Where requests go, and what a person adds to each. */
export interface Destination {
  readonly wire: Wire;
  readonly server: Server;
  readonly addressOf: AddressOf;
  /** Native request fields. */
  readonly options: JsonObject;
}

/** What a request depends on beside the conversation; another one where the server refused something. */
export interface RequestForm {
  readonly target: Target;
  readonly memo: ConversationMemo;
  readonly adjustments: Adjustments;
}

export interface BuiltRequest {
  readonly url: URL;
  readonly headers: Headers;
  readonly body: Uint8Array<ArrayBuffer>;
  /** Names of the body's fields. */
  readonly fields: readonly string[];
  readonly maxOutputTokens: number | undefined;
}

export function buildRequest(
  request: ModelRequest,
  to: Destination,
  { target, memo, adjustments }: RequestForm,
  notices: NoticeList,
): BuiltRequest {
  const context = contextOf(request, target, adjustments, notices);
  const { path, headers, body } = to.wire.request(context, to.server.apiKey);
  const address = to.addressOf(path, { "content-type": "application/json", ...headers });
  const options = request.thinking === undefined ? to.options : withoutThinking(to.options, target);
  const fields = renamed(merge(body, options), adjustments.fields);
  if (body.stream !== undefined) fields.stream = body.stream; // decides the form of the answer
  const key = to.wire.conversationKey;
  const opening = (to.wire.opening?.(context) ?? []).map((item) => JSON.stringify(item)).join(",");
  const conversation = conversationJson(to.wire, request.messages, target, memo);
  const sent = bodyBytes(fields, key, opening, conversation, memo);
  const { maxOutputTokens } = context;
  return { ...address, body: sent, fields: Object.keys(fields), maxOutputTokens };
}

function contextOf(
  request: ModelRequest,
  target: Target,
  { simpleSchemas }: Adjustments,
  notices: NoticeList,
): RequestContext {
  const { level, notice } = sentLevel(request.thinking, target);
  if (notice !== undefined) notices.add(notice);
  const tools = request.tools.map((tool) => {
    const { schema, simplified } = sentSchema(tool.inputSchema, target.profile, simpleSchemas);
    if (simplified) {
      notices.add(
        `The schema of the tool ${tool.name} is sent in a simpler form that ${target.provider} takes.`,
      );
    }
    return { ...tool, description: wellFormed(tool.description), inputSchema: schema };
  });
  const maxOutputTokens = outputCap(request.maxOutputTokens, level, target);
  return { target, level, maxOutputTokens, request, tools };
}

/** The conversation is long: it is copied once, and never parsed. */
function bodyBytes(
  fields: JsonObject,
  key: string,
  opening: string,
  { settled, rest }: ConversationJson,
  memo: ConversationMemo,
): Uint8Array<ArrayBuffer> {
  const { [key]: _, ...others } = fields;
  const head = JSON.stringify(others).slice(0, -1);
  const lists = [encode(opening), settled, encode(rest)].filter((list) => list.length > 0);
  const room = memo.spare;
  // until it was sent, no other request has it
  memo.spare = undefined;
  return joinBytesIn(room, [
    encode(`${head}${head === "{" ? "" : ","}${JSON.stringify(key)}:[`),
    ...lists.flatMap((list, at) => at === 0 ? [list] : [encode(","), list]),
    encode("]}"),
  ]);
}

function encode(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

function renamed(
  fields: JsonObject,
  others: ReadonlyMap<string, string | undefined>,
): JsonObject {
  const sent: JsonObject = {};
  for (const [name, value] of Object.entries(fields)) {
    const other = others.has(name) ? others.get(name) : name;
    if (other !== undefined) sent[other] = value;
  }
  return sent;
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

/** The options that count beside a thinking level that was asked for: those of thinking do not. */
function withoutThinking(options: JsonObject, { profile }: Target): JsonObject {
  const fields = limits[profile].thinkingFields;
  const kept: JsonObject = {};
  for (const [key, value] of Object.entries(options)) {
    if (!fields.includes(key)) kept[key] = value;
    else if (/config/i.test(key) && isJsonObject(value)) {
      // Containers keep what is not about thinking.
      const { effort: _, thinkingConfig: __, thinking_config: ___, ...rest } = value;
      if (Object.keys(rest).length > 0) kept[key] = rest;
    }
  }
  return kept;
}

export interface NoticeList {
  add(sentence: string): void;
  take(): ModelEvent[];
}

export function noticeList(): NoticeList {
  const said = new Set<string>();
  let fresh: ModelEvent[] = [];
  return {
    add(message) {
      if (!said.has(message)) fresh.push({ type: "notice", message });
      said.add(message);
    },
    take() {
      const taken = fresh;
      fresh = [];
      return taken;
    },
  };
}
