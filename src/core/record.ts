/** The records of a session file: one JSON object a line, only ever appended. */
import type { JsonObject } from "./json.ts";
import type { AssistantMessage, ToolResultMessage, UserMessage } from "./message.ts";
import type { Usage } from "./usage.ts";

export type SessionRecord =
  /** The first line. */
  | {
    readonly kind: "session";
    readonly version: 1;
    readonly id: string;
    readonly workspace: string;
    readonly created: string;
    /** The session that this one was copied from. */
    readonly forked_from?: string;
  }
  | ({ readonly kind: "user" } & Omit<UserMessage, "role">)
  | ({ readonly kind: "assistant"; readonly usage: Usage } & Omit<AssistantMessage, "role">)
  | ({ readonly kind: "tool_result" } & Omit<ToolResultMessage, "role">)
  /** Older messages are replaced by the summary when the history is rebuilt; nothing is rewritten. */
  | {
    readonly kind: "compaction";
    readonly summary: string;
    /** How many of the messages in force before this record stay verbatim, from the end. */
    readonly kept: number;
    readonly tokens_before: number;
  }
  | { readonly kind: "name"; readonly name: string }
  | {
    readonly kind: "selection";
    readonly provider?: string;
    readonly model?: string;
    readonly thinking?: string;
    readonly mode?: "act" | "plan";
  }
  | { readonly kind: "extension"; readonly name: string; readonly data: JsonObject };

/** Where records go. `append` resolves when the record is in the file (record, then announce). */
export interface Journal {
  append(record: SessionRecord): Promise<void>;
}
