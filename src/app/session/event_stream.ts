/** The way of a conversation's events to the front end, each with the ids that it belongs to. */
import type { AgentEvent, Emit, EventIds, Sink } from "../../core/event.ts";

export interface EventStream {
  /** What the events from here on belong to. */
  ids: EventIds;
  readonly emit: Emit;
  /** Announces what a person should know. */
  warn(messages: readonly string[]): Promise<void>;
  /** For what nobody waits for; held back until `release`, so that no record comes before the first. */
  notify(level: "info" | "warning", message: string): void;
  release(): Promise<void>;
}

export function createEventStream(sink: Sink): EventStream {
  let held: AgentEvent[] | undefined = [];
  const stream: EventStream = {
    ids: {},
    emit: (event) => sink(event, stream.ids),
    async warn(messages) {
      for (const message of messages) {
        await stream.emit({ type: "diagnostic", level: "warning", message });
      }
    },
    notify(level, message) {
      const event: AgentEvent = { type: "diagnostic", level, message };
      if (held) held.push(event);
      // a reader that has gone is noticed by the next event that is waited for
      else stream.emit(event)?.catch(() => {});
    },
    async release() {
      const waiting = held ?? [];
      held = undefined;
      for (const event of waiting) await stream.emit(event);
    },
  };
  return stream;
}
