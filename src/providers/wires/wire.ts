/** The contract of a wire: how a conversation is sent, and how one event of the answer is read. */
import type { JsonObject } from "../../core/json.ts";
import type { Message } from "../../core/message.ts";
import type { ModelRequest, ThinkingLevel } from "../../core/model.ts";
import type { Profile } from "../catalog.ts";
import type { ModelFacts } from "../models/model_facts.ts";
import type { Counts } from "../usage.ts";
import type { AnswerBuilder } from "./answer.ts";
import type { ModelList } from "./model_list.ts";

/** Who is asked, as far as requests depend on it. */
export interface Target {
  readonly provider: string;
  readonly model: string;
  readonly profile: Profile;
  readonly facts: ModelFacts;
  /** False once the server refused an image. */
  readonly images: boolean;
  /** True once the server said that user and model must take turns. */
  readonly alternate: boolean;
}

export interface RequestContext {
  readonly target: Target;
  /** The nearest level that the model has; undefined: nothing is said about thinking. */
  readonly level: ThinkingLevel | undefined;
  /** Output tokens to ask for, room for thinking included where the server counts it; undefined: no cap. */
  readonly maxOutputTokens: number | undefined;
  readonly request: ModelRequest;
  /** The tools, their schemas in a form that the server takes. */
  readonly tools: ModelRequest["tools"];
}

export interface WireRequest {
  /** Below the endpoint, as `/chat/completions`. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The body without the conversation. */
  readonly body: JsonObject;
}

/** How one run of messages is converted. */
export interface Converter {
  /** The id to send for a call that is announced now. */
  announce(id: string): string;
  /** The id to send with the result of the call that had `id`. */
  answer(id: string): string;
  readonly target: Target;
}

export interface Wire {
  request(context: RequestContext, apiKey: string | undefined): WireRequest;
  /** How the server is asked for its models. */
  readonly modelList: ModelList;
  /** The body's key that holds the conversation. */
  readonly conversationKey: string;
  /** Items in front of the conversation, such as a system message. */
  opening?(context: RequestContext): JsonObject[];
  /** Whether `next` is converted together with the message before it; results always are. */
  joins?(before: Message, next: Message): boolean;
  /** Items of the conversation for neighbouring messages that belong together. */
  convert(group: readonly Message[], converter: Converter): JsonObject[];
  /** Items between two groups, where a server could not take the second right after the first. */
  between?(before: Message, next: Message, target: Target): JsonObject[];
  /** The item with a mark up to which the server may cache; undefined: the wire or model has none. */
  cacheMark?(target: Target): ((item: JsonObject) => JsonObject) | undefined;
  /** Reads one answer into `answer`; `tools` are the names of those that were offered. */
  reader(answer: AnswerBuilder, target: Target, tools: readonly string[]): AnswerReader;
}

export interface AnswerReader {
  /** Takes one event; `name` is its `event:` field, or "". */
  take(event: JsonObject, name: string): void;
  /** Takes an answer that came whole, as one JSON object; false where it is none of this wire. */
  whole(answer: JsonObject): boolean;
  /** The stream is over: hands on what was held back. */
  end?(): void;
  /** The tokens that the server counted; undefined: it counted none. */
  usage(): Counts | undefined;
}
