/** The model's side as the loop sees it: request, streamed events, failure. */
import type { JsonObject } from "./json.ts";
import type { FinishReason, Message } from "./message.ts";
import type { Usage } from "./usage.ts";

export const thinkingLevels = ["none", "minimal", "low", "medium", "high", "xhigh", "max"] as const;
export type ThinkingLevel = typeof thinkingLevels[number];

export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
}

export interface ModelRequest {
  readonly system: string;
  readonly messages: readonly Message[];
  readonly tools: readonly ToolDefinition[];
  /** Tokens of the answer; undefined: the model's own cap, or none where it is not known. */
  readonly maxOutputTokens?: number | undefined;
  readonly thinking?: ThinkingLevel;
  /** A JSON Schema that the final answer must fit, where the provider can take it. */
  readonly outputSchema?: JsonObject;
  /** A server that may not take the images fails the run; else the request is sent without them. */
  readonly keepImages?: boolean;
}

/**
 * One event of a streamed answer. `block` distinguishes parts of one answer; events of several blocks
 * may interleave, and a block's place in the message is that of its first event.
 */
export type ModelEvent =
  | {
    readonly type: "text";
    readonly block: string;
    readonly delta: string;
    readonly metadata?: JsonObject;
  }
  | {
    readonly type: "thinking";
    readonly block: string;
    readonly delta: string;
    readonly metadata?: JsonObject;
  }
  /** A whole call; `inputText` is its argument text, `""` meaning no arguments. */
  | {
    readonly type: "tool_call";
    readonly id: string;
    readonly name: string;
    readonly inputText: string;
    readonly metadata?: JsonObject;
  }
  /** A call's arguments are still arriving: a sign of life, nothing to keep. */
  | {
    readonly type: "progress";
    /** How much of the arguments of all calls has come. */
    readonly argumentChars?: number;
  }
  /** What a person should know but that fails nothing (another thinking level); may come at any time. */
  | { readonly type: "notice"; readonly message: string }
  /** The last event of a good stream, exactly once. */
  | {
    readonly type: "finish";
    readonly reason: FinishReason;
    /** The provider's own word, where it sent one. */
    readonly rawReason?: string;
    /** Tokens that the request allowed for the output, where it named a cap. */
    readonly outputLimit?: number;
    readonly usage: Usage;
  };

export interface ChatModel {
  readonly provider: string;
  readonly model: string;
  /** The address that is asked, as it may be shown; missing where there is none. */
  readonly endpoint?: string;
  /** Tokens; 0 where unknown. */
  readonly contextWindow: number;
  /** Whether the cost of its answers is known; a cassette costs nothing. */
  readonly hasPrices: boolean;
  /** False where images are left out, with a note in their place; missing where nothing is known. */
  readonly takesImages?: boolean;
  /**
   * Streams one answer, the events that came together as one batch; an empty one shows that the
   * server is still there. Throws `ModelError`; a stream that
   * ends without `finish` is a failure.
   */
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<readonly ModelEvent[]>;
}

/** Who is asked, for sentences. */
export function askedOf({ provider, model, endpoint }: ChatModel): string {
  return endpoint === undefined ? `${provider} ${model}` : `${provider} (${model} at ${endpoint})`;
}

export const modelErrorKinds = [
  "auth", // 401, 403
  "quota", // 429, 402
  "overload", // 5xx, 529
  "overflow", // the conversation does not fit the model
  "network", // no connection, or one that broke off
  "request", // 400, 404, 422: the request itself is wrong
  "protocol", // an answer that is not in the wire's form
  "stopped", // the model ended without a success: filter, safety, malformed call
] as const;
export type ModelErrorKind = typeof modelErrorKinds[number];

/** A failed model request. `message` is one sentence for people. */
export class ModelError extends Error {
  override readonly name = "ModelError";
  constructor(
    readonly kind: ModelErrorKind,
    message: string,
    readonly details: {
      readonly retryable: boolean;
      /** How long the server asked to wait, in milliseconds. */
      readonly waitMs?: number;
      readonly status?: number;
      /** The parameter of the request that the server names as the wrong one. */
      readonly parameter?: string;
      /** The end of `message` that says what to do: no word of it while it is tried again. */
      readonly advice?: string;
      readonly cause?: unknown;
    },
  ) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
  }
}
