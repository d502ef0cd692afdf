/** What extensions are told of a conversation, and what they can do to it. */
import type { ConversationSide, UserMessageWish } from "../../extensions/conversation_side.ts";
import type { Mode } from "../../core/capability.ts";
import { RunFailure } from "../../core/failure.ts";
import type { JsonObject } from "../../core/json.ts";
import type { ChatModel } from "../../core/model.ts";
import type { Front } from "../../core/moments.ts";
import type { ConversationEnvironment } from "./conversation_environment.ts";
import type { currentOf } from "./current_session.ts";
import type { EventStream } from "./event_stream.ts";
import type { InputQueue } from "./input_queue.ts";

export interface ExtensionSideParts {
  readonly front: Front;
  readonly events: EventStream;
  readonly queue: InputQueue;
  place(): {
    readonly current: ReturnType<typeof currentOf>;
    readonly environment: ConversationEnvironment;
    readonly model: ChatModel;
    readonly mode: Mode;
    readonly busy: boolean;
  };
  rename(name: string): Promise<void>;
  /** A message waits. */
  waits(): void;
}

export function extensionSide(parts: ExtensionSideParts): ConversationSide {
  const { front, events, queue, place } = parts;
  return {
    front,
    now() {
      const { current, model, mode } = place();
      return {
        sessionId: current.session.id,
        runId: events.ids.run_id ?? null,
        mode,
        provider: model.provider,
        model: model.model,
        messages: current.history.messages,
      };
    },
    entries: (name) =>
      place().current.history.extensions.filter((record) => record.name === name)
        .map(({ data }) => data as JsonObject),
    async keepEntry(name, data) {
      const { current } = place();
      current.history.extensions.push({ name, data });
      await current.session.append({ kind: "extension", name, data });
    },
    async sendMessage(name, { content, deliver_as }: UserMessageWish) {
      if (content.trim() === "") return;
      if (!place().busy && (front === "print" || front === "json")) {
        throw new Error("a message outside of a run is not sent here");
      }
      const kind = deliver_as === "follow_up" ? "follow_up" : "steer";
      await queue.enqueue({ kind, content, origin: `extension:${name}` });
      parts.waits();
    },
    async answer({ method, name }) {
      const { current, environment, model } = place();
      switch (method) {
        case "session.info":
          return {
            session_id: current.session.id,
            name: current.history.name ?? null,
            file: current.session.path ?? null,
            messages: current.history.messages.length,
          };
        case "session.name":
          if (name === undefined) throw new Error("session.name: name: expected text");
          if (name !== current.history.name) await parts.rename(name);
          return { name };
        case "context.usage": {
          const { estimateTokens } = await import("../../session/token_estimate.ts");
          const tokens = estimateTokens(current.history.messages);
          const limit = environment.config.settings["agent.context_window"] || model.contextWindow;
          return { tokens, limit, percent: limit > 0 ? Math.round(tokens / limit * 100) : 0 };
        }
        default:
          throw new RunFailure(
            "usage",
            "method: expected session.info, session.name or context.usage, found " +
              JSON.stringify(method.slice(0, 40)),
          );
      }
    },
    notify: (level, message) => events.notify(level === "info" ? "info" : "warning", message),
  };
}
