/** Builds a conversation that a model accepts from records. */
import type { Message, ToolResultMessage } from "../core/message.ts";
import { messageOf } from "../core/message_record.ts";
import type { RecordOf, SessionRecord } from "../core/record.ts";
import { addUsageTo, type Usage, type UsageSum } from "../core/usage.ts";
import { assertNever } from "../lib/assert_never.ts";
import { heldMessages } from "./held_messages.ts";
import { isSummary } from "./summary_message.ts";
import { noteSize } from "./token_estimate.ts";

export type SessionHeader = RecordOf<"session">;
export type Selection = Omit<RecordOf<"selection">, "kind">;
export type ExtensionRecord = Omit<RecordOf<"extension">, "kind">;

export interface RebuiltHistory {
  /** The first record, with the folder that the session is in now; undefined where it is missing or damaged. */
  readonly header?: SessionHeader;
  /** True where the session has moved to another folder since its first record. */
  readonly moved?: boolean;
  /**
   * The messages in force: each tool call has exactly one result, each result its call. Of a
   * conversation that is far more than one request can hold, the older ones are shortened to what a
   * summary is made from.
   */
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
  const held = heldMessages();
  const { messages } = held;
  let header: SessionHeader | undefined, moved = false;
  let selection: Selection = {};
  let name: string | undefined;
  const usage: UsageSum = {};
  const extensions: ExtensionRecord[] = [];
  let unknownOutcomes = 0, strayResults = 0, repeatedResults = 0;

  /** Calls of the last answer that have no result yet: id and tool name. */
  const open = new Map<string, string>();
  /** The place of each call in the last answer, by id. */
  const order = new Map<string, number>();
  /** Results of the last answer: recorded as calls end, they are put in the order of the calls. */
  let results: ToolResultMessage[] = [];
  /** The numbers of made-up results, so that a late real one can take the place. */
  const madeUp = new Map<string, number>();
  const answered = new Set<string>();

  function closeAnswer() {
    if (open.size === 0) {
      // as nearly always: sessions may be long
      if (results.length > 1) results.sort((a, b) => order.get(a.toolId)! - order.get(b.toolId)!);
      for (const result of results) held.push(result);
      results = [];
      return;
    }
    const made = new Set([...open].map(([toolId, toolName]) => unknownResult(toolId, toolName)));
    const all = [...results, ...made];
    all.sort((a, b) => order.get(a.toolId)! - order.get(b.toolId)!);
    for (const result of all) {
      const number = held.push(result);
      if (made.has(result)) madeUp.set(result.toolId, number);
    }
    unknownOutcomes += made.size;
    open.clear();
    results = [];
  }

  function addResult(result: ToolResultMessage) {
    const { toolId } = result;
    if (open.delete(toolId)) {
      answered.add(toolId);
      results.push(result);
      return;
    }
    const number = madeUp.get(toolId);
    if (number !== undefined) {
      madeUp.delete(toolId);
      answered.add(toolId);
      held.replace(number, result);
      unknownOutcomes--;
    } else if (answered.has(toolId)) repeatedResults++;
    else strayResults++;
  }

  function compact(summary: string, kept: number) {
    closeAnswer();
    // a summary takes the place of the one before it
    const most = messages.length - (isSummary(messages[0]) ? 1 : 0);
    let start = messages.length - Math.max(0, Math.min(Math.trunc(kept), most));
    // results whose calls are summarised
    while (messages[start]?.role === "tool_result") start++;
    held.summarise(start, summary);
    madeUp.clear();
  }

  return {
    add(record) {
      switch (record.kind) {
        case "session":
          moved = header !== undefined;
          header = currentHeader(header, record);
          return;
        case "user":
          closeAnswer();
          held.push(messageOf(record));
          return;
        case "assistant": {
          closeAnswer();
          const answer = messageOf(record);
          held.push(answer);
          order.clear();
          for (const use of answer.content) {
            if (use.type !== "tool_use") continue;
            order.set(use.id, order.size);
            open.set(use.id, use.name);
            // an id that is used again belongs to the newer call
            madeUp.delete(use.id);
            answered.delete(use.id);
          }
          addUsageTo(usage, record.usage);
          return;
        }
        case "tool_result":
          addResult(messageOf(record));
          return;
        case "compaction":
          compact(record.summary, record.kept);
          if (record.usage !== undefined) addUsageTo(usage, record.usage);
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
      closeAnswer();
      // Models want a person's message first; it may be the one that could not be read.
      if (messages.length > 0 && messages[0]!.role !== "user") messages.unshift(lostPrompt);
      else noteSize(messages, held.size());
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
