/** What extensions are told of the conversation, and what they can do to it. */
import type { JsonObject } from "../core/json.ts";
import type { Message } from "../core/message.ts";
import type { Front } from "../core/moments.ts";
import type { Mode } from "../core/capability.ts";
import type { HostRequest, Response } from "./protocol.ts";

export interface Place {
  /** Null outside of a session. */
  readonly sessionId: string | null;
  readonly runId: string | null;
  readonly mode: Mode;
  readonly provider: string;
  readonly model: string;
  readonly messages: readonly Message[];
}

export type UserMessageWish = NonNullable<Response["user_message"]>;

export interface ConversationSide {
  readonly front: Front;
  now(): Place;
  /** What the extension has kept in the session, the newest last. */
  entries(name: string): readonly JsonObject[];
  keepEntry(name: string, data: JsonObject): Promise<void>;
  sendMessage(name: string, wish: UserMessageWish): Promise<void>;
  /** Throws an `Error` whose message is one sentence. */
  answer(request: HostRequest): Promise<JsonObject>;
  notify(level: "info" | "warning" | "error", message: string): void;
}
