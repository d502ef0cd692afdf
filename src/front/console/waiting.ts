/** What a person waits for, as the events of a run tell it. */
import type { AgentEvent } from "../../core/event.ts";
import { visible } from "../../lib/visible.ts";
import { callSubject } from "./tool_lines.ts";

export interface WaitedFor {
  /** As in `waiting for m`, `bash npm test`. */
  readonly what: string;
  /** On the clock of the events. */
  readonly sinceMs: number;
  /** Estimated, of thinking or text that came so far. */
  readonly tokens?: number;
}

export interface Waiting {
  /** Takes note of an event of the time `nowMs`. */
  event(event: AgentEvent, nowMs: number): void;
  /** So many characters of a call have come. */
  writes(chars: number, nowMs: number): void;
  /** How many calls run. */
  readonly calls: number;
  /** Undefined where nothing runs. */
  now(): WaitedFor | undefined;
  /** What runs begins anew, as a question held it up until `nowMs`. */
  restart(nowMs: number): void;
}

const charsPerToken = 4;
const maxSubjectColumns = 200;

export function waitingFor(): Waiting {
  let model = "the model";
  let asked: { what: string; sinceMs: number; chars?: number } | undefined;
  const calls = new Map<string, { what: string; sinceMs: number }>();

  function ask(sinceMs: number): void {
    asked = { what: `waiting for ${model}`, sinceMs };
  }

  function came(what: string, delta: string, nowMs: number): void {
    if (asked?.what !== what) asked = { what, sinceMs: nowMs, chars: 0 };
    asked.chars = (asked.chars ?? 0) + delta.length;
  }

  return {
    event(event, nowMs) {
      switch (event.type) {
        case "run_start":
          calls.clear();
          return ask(nowMs);
        case "step_start":
          model = visible(event.model.slice(event.model.lastIndexOf("/") + 1)) || "the model";
          return ask(nowMs);
        case "thinking_delta":
          return came("thinking", event.delta, nowMs);
        case "message_delta":
          return came("answering", event.delta, nowMs);
        case "tool_call": {
          const subject = callSubject(event.input, maxSubjectColumns);
          const what = `${visible(event.tool_name)} ${subject}`.trimEnd();
          calls.set(event.tool_id, { what, sinceMs: nowMs });
          return;
        }
        case "tool_result":
          calls.delete(event.tool_id);
          if (calls.size === 0) ask(nowMs);
          return;
        case "run_end":
          calls.clear();
          asked = undefined;
      }
    },
    writes(chars, nowMs) {
      came("writing a call", "", nowMs);
      asked!.chars = chars;
    },
    get calls() {
      return calls.size;
    },
    now() {
      const [first] = calls.values();
      if (first !== undefined) {
        return calls.size === 1 ? first : { ...first, what: `${calls.size} calls` };
      }
      if (asked === undefined) return undefined;
      const { what, sinceMs, chars } = asked;
      return { what, sinceMs, ...chars ? { tokens: Math.ceil(chars / charsPerToken) } : {} };
    },
    restart(nowMs) {
      for (const call of calls.values()) call.sinceMs = nowMs;
      if (asked !== undefined) asked.sinceMs = nowMs;
    },
  };
}
