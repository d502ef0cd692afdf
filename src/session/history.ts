/** Builds a conversation that a model accepts from records. */
import { type Message, type ToolResultMessage, toolUsesOf } from "../core/message.ts";
import { messageOf } from "../core/message_record.ts";
import type { RecordOf, SessionRecord } from "../core/record.ts";
import { addUsage, type Usage } from "../core/usage.ts";
import { assertNever } from "../lib/assert_never.ts";
import { summaryMessage } from "./summary_message.ts";

export type SessionHeader = RecordOf<"session">;
export type Selection = Omit<RecordOf<"selection">, "kind">;
export type ExtensionRecord = Omit<RecordOf<"extension">, "kind">;

export interface RebuiltHistory {
  /** The first record, with the folder that the session is in now; undefined where it is missing or damaged. */
  readonly header?: SessionHeader;
  /** True where the session has moved to another folder since its first record. */
  readonly moved?: boolean;
  /** The messages in force: each tool call has exactly one result, each result its call. */
  readonly messages: Message[];
  /** The last word on each setting. */
  readonly selection: Selection;
  readonly name?: string;
  /** Sum over all answers, those that were summarised since included. */
  readonly usage: Usage;
  readonly extensions: ExtensionRecord[];
  /** What a person should know about repairs, one sentence each. */
  readonly notices: string[];
}

/** What a session's records say of it so far: a later one names the folder that it has moved to. */
export function currentHeader(first: SessionHeader | undefined, next: SessionHeader) {
  return first === undefined ? next : { ...first, workspace: next.workspace };
}

export interface HistoryBuilder {
  add(record: SessionRecord): void;
  /** Closes open calls; call it once, after the last record. */
  finish(): RebuiltHistory;
}

/** The text of the result that a call gets whose own was never recorded. */
export const unknownOutcome = "outcome_unknown: the program ended before the result of this call " +
  "was recorded, so whether it took effect is unknown. It was not run again; check the state " +
  "of things before repeating it.";

/** Builds the conversation that records describe, one by one, keeping only what is still in force. */
export function historyBuilder(): HistoryBuilder {
  let messages: Message[] = [];
  let header: SessionHeader | undefined, moved = false;
  let selection: Selection = {};
  let name: string | undefined;
  let usage: Usage = {};
  const extensions: ExtensionRecord[] = [];
  let unknownOutcomes = 0, strayResults = 0, repeatedResults = 0;

  /** Calls of the last answer that have no result yet: id and tool name. */
  let open = new Map<string, string>();
  /** The place of each call in the last answer, by id. */
  let order = new Map<string, number>();
  /** Where the made-up results stand, so that a late real one can take the place. */
  let madeUp = new Map<string, number>();
  let answered = new Set<string>();

  function closeOpenCalls() {
    const made = [...open].map(([toolId, toolName]) => unknownResult(toolId, toolName));
    for (const result of made) insert(result);
    for (const result of made) madeUp.set(result.toolId, messages.lastIndexOf(result));
    unknownOutcomes += made.length;
    open = new Map();
  }

  /** Results are recorded as calls end, and stand in the conversation in the order of the calls. */
  function insert(result: ToolResultMessage) {
    const position = order.get(result.toolId)!;
    let at = messages.length;
    for (; at > 0; at--) {
      const before = messages[at - 1]!;
      if (before.role !== "tool_result" || (order.get(before.toolId) ?? -1) < position) break;
    }
    messages.splice(at, 0, result);
  }

  function addResult(result: ToolResultMessage) {
    const { toolId } = result;
    if (open.delete(toolId)) {
      answered.add(toolId);
      insert(result);
      return;
    }
    const position = madeUp.get(toolId);
    if (position !== undefined) {
      madeUp.delete(toolId);
      answered.add(toolId);
      messages[position] = result;
      unknownOutcomes--;
    } else if (answered.has(toolId)) repeatedResults++;
    else strayResults++;
  }

  function compact(summary: string, kept: number) {
    closeOpenCalls();
    const count = Math.max(0, Math.min(Math.trunc(kept), messages.length));
    let rest = messages.slice(messages.length - count);
    const calls = new Set(
      rest.flatMap((message) =>
        message.role === "assistant" ? toolUsesOf(message).map((use) => use.id) : []
      ),
    );
    rest = rest.filter((message) => message.role !== "tool_result" || calls.has(message.toolId));
    messages = [summaryMessage(summary), ...rest];
    madeUp = new Map();
    answered = new Set([...answered].filter((id) => calls.has(id)));
  }

  return {
    add(record) {
      switch (record.kind) {
        case "session":
          moved = header !== undefined;
          header = currentHeader(header, record);
          return;
        case "user":
          closeOpenCalls();
          messages.push(messageOf(record));
          return;
        case "assistant": {
          closeOpenCalls();
          const answer = messageOf(record);
          messages.push(answer);
          order = new Map();
          for (const use of toolUsesOf(answer)) {
            order.set(use.id, order.size);
            open.set(use.id, use.name);
            // an id that is used again belongs to the newer call
            madeUp.delete(use.id);
            answered.delete(use.id);
          }
          usage = addUsage(usage, record.usage);
          return;
        }
        case "tool_result":
          addResult(messageOf(record));
          return;
        case "compaction":
          compact(record.summary, record.kept);
          return;
        case "name":
          name = record.name;
          return;
        case "selection": {
          const { kind: _, ...changes } = record;
          selection = { ...selection, ...changes };
          return;
        }
        case "extension":
          extensions.push({ name: record.name, data: record.data });
          return;
        default:
          assertNever(record);
      }
    },
    finish() {
      closeOpenCalls();
      // Models want a person's message first; it may be the one that could not be read.
      if (messages.length > 0 && messages[0]!.role !== "user") messages.unshift(lostPrompt);
      const notices = [
        say(unknownOutcomes, "tool call has", "tool calls have") +
        " no recorded result; the model is told that the outcome is unknown",
        say(strayResults, "tool result belongs", "tool results belong") +
        " to no call and was left out",
        say(repeatedResults, "tool result repeats", "tool results repeat") +
        " an earlier one and was left out",
      ].filter((_, index) => [unknownOutcomes, strayResults, repeatedResults][index]! > 0);
      return {
        ...(header === undefined ? {} : { header }),
        ...(moved ? { moved } : {}),
        messages,
        selection,
        ...(name === undefined ? {} : { name }),
        usage,
        extensions,
        notices,
      };
    },
  };
}

const lostPrompt: Message = {
  role: "user",
  content: [{ type: "text", text: "(The start of this conversation could not be read.)" }],
};

function unknownResult(toolId: string, toolName: string): ToolResultMessage {
  const content = [{ type: "text", text: unknownOutcome }] as const;
  return { role: "tool_result", toolId, toolName, content, isError: true };
}

function say(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}
