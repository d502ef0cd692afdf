/** Asks an extension about an event, as far as it listens to it. */
import type { Mode } from "../core/capability.ts";
import type { JsonObject } from "../core/json.ts";
import type { SessionStart } from "../core/moments.ts";
import type { AnyTool } from "../core/tool.ts";
import type { Extension } from "./extension_port.ts";
import { ExtensionFailure } from "./failure.ts";
import type { EventName, Response } from "./protocol.ts";

export interface ParticipantOptions {
  /** True where the matcher takes calls of the tool. Throws a `SyntaxError`. */
  matchesTool(matcher: string, tool: AnyTool): boolean;
  /** Says what is wrong with it, the first time. */
  warn(extension: Extension, sentence: string): void;
  entries(name: string): readonly JsonObject[];
  /** It is told of the session's beginning once it has registered. */
  sayLater(extension: Extension, reason: SessionStart["source"]): void;
  /** Aborts when all have had their time for the end of a session, which begins with the first of them. */
  endLimit(): AbortSignal;
}

export type Asked = { readonly answer: Response } | {
  readonly failure: string;
  /** Its answer was to deny or to change something. */
  readonly meansNo: boolean;
};

export interface EventAsker {
  /** What of an event it listens to; undefined for none. */
  wants(event: EventName, mode: Mode, tool?: AnyTool): "answer" | "told" | undefined;
  /** Undefined where it does not listen. Rejects with the reason of the signal alone. */
  ask(
    event: EventName,
    payload: JsonObject,
    signal: AbortSignal,
    about: { readonly mode: Mode; readonly tool?: AnyTool },
  ): Promise<Asked | undefined>;
}

/** What one extension is asked, and how it fails. */
export function eventAsker(extension: Extension, options: ParticipantOptions): EventAsker {
  const { found } = extension;

  function wants(event: EventName, mode: Mode, tool?: AnyTool) {
    const isCall = event === "tool_call" || event === "tool_result";
    if (mode === "plan" && (event.startsWith("turn_") || isCall && !found.manifest.guards)) {
      return undefined;
    }
    let wanted: "told" | undefined;
    for (const one of extension.registration?.events ?? []) {
      const given = typeof one === "string" ? { event: one } : one;
      if (given.event !== event) continue;
      const { matcher = "" } = given;
      if (tool !== undefined && !options.matchesTool(matcher, tool)) continue;
      // a guard's silence means no, so it is always waited for
      if (given.answers !== false || isCall && found.manifest.guards) return "answer";
      wanted = "told";
    }
    return wanted;
  }

  return {
    wants,
    async ask(event, payload, signal, { mode, tool }) {
      const wanted = wants(event, mode, tool);
      if (wanted === undefined) return undefined;
      if (wanted === "told") {
        extension.tell({ type: "event", event, payload });
        return undefined;
      }
      try {
        return {
          answer: await extension.request({ type: "event", event, payload }, { signal }),
        };
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof ExtensionFailure)) throw error;
        if (error.kind !== "disabled") options.warn(extension, `${error.message} (${event})`);
        return { failure: error.message, meansNo: error.meansNo };
      }
    },
  };
}
