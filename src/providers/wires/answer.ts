/** One model's answer while it comes in: the events it makes, its calls in order, its end. */
import type { JsonObject } from "../../core/json.ts";
import type { FinishReason } from "../../core/message.ts";
import type { ModelEvent } from "../../core/model.ts";
import type { Usage } from "../../core/usage.ts";
import { byteLength } from "../../lib/well_formed.ts";
import type { Fault } from "../http/fault.ts";

export interface WholeCall {
  /** As the server sent it; "" where it sent none. */
  readonly id: string;
  readonly name: string;
  readonly inputText: string;
  readonly metadata?: JsonObject;
}

/** What a wire's reader fills. Blocks and calls have keys of the reader's own choice. */
export interface AnswerBuilder {
  text(block: string, delta: string, metadata?: JsonObject): void;
  thinking(block: string, delta: string, metadata?: JsonObject): void;
  /** Something came that is not shown: a sign of life; `argument`: a piece of a call's arguments. */
  progress(argument?: string): void;
  /** The arguments of a call begin: calls keep the order of their beginnings. */
  beginCall(key: string): void;
  /** A call is whole. */
  endCall(key: string, call: WholeCall): void;
  /** Words of a refusal, where the wire sends them apart from the text. */
  refuse(words: string): void;
  /** The first fault counts; nothing after it is read. */
  fail(fault: Fault): void;
  /** The server's own word for the end; once it is set, silence is the end of the answer. */
  reason: string | undefined;
  /** The wire's last word has come; nothing after it is read. */
  ended: boolean;
  readonly fault: Fault | undefined;
}

export interface Answer extends AnswerBuilder {
  /** The events since the last time. */
  drain(): ModelEvent[];
  /** The last events, the finish among them; undefined: the answer failed, see `fault`. */
  finish(
    usage: Usage,
    clean: (text: string) => string,
    outputLimit?: number,
  ): ModelEvent[] | undefined;
}

interface Waiting {
  call?: WholeCall;
}

/** Text and thinking of one answer. */
const maxBytes = 64 * 1024 * 1024;
/** Arguments of all its calls. */
const maxArgumentChars = 16 * 1024 * 1024;

export function createAnswer(): Answer {
  let events: ModelEvent[] = [];
  /** Calls in the order of their beginnings, from the first that is not whole. */
  let waiting: Waiting[] = [];
  let passed = 0;
  const begun = new Map<string, Waiting>();
  /** Calls whose arguments are no JSON: whether they were cut is known at the end only. */
  const doubtful: WholeCall[] = [];
  let refusal: string | undefined;
  let fault: Fault | undefined;
  let called = false;
  let bytes = 0, argumentChars = 0;

  const block =
    (type: "text" | "thinking") => (block: string, delta: string, metadata?: JsonObject): void => {
      bytes += byteLength(delta);
      if (bytes > maxBytes) {
        return answer.fail({ type: "protocol", problem: "is larger than 64 MiB" });
      }
      if (metadata !== undefined) events.push({ type, block, delta, metadata });
      else if (delta !== "") events.push({ type, block, delta });
    };
  const release = (calls: readonly WholeCall[]) => {
    for (const call of calls) {
      called = true;
      events.push({ type: "tool_call", ...call });
    }
  };

  const answer: Answer = {
    text: block("text"),
    thinking: block("thinking"),
    progress: (argument = "") => {
      argumentChars += argument.length;
      if (argumentChars > maxArgumentChars) {
        answer.fail({
          type: "protocol",
          problem: "asks for a tool with more than 16 MiB of arguments",
        });
      }
      if (events.length > 0) return;
      events.push({ type: "progress", ...argument === "" ? {} : { argumentChars } });
    },
    beginCall: (key) => {
      answer.progress();
      if (begun.has(key)) return;
      const entry = {};
      waiting.push(entry);
      begun.set(key, entry);
    },
    endCall: (key, call) => {
      if (call.inputText.length > maxArgumentChars) answer.progress(call.inputText);
      const entry = begun.get(key);
      if (entry === undefined) waiting.push({ call });
      else entry.call = call;
      begun.delete(key);
      for (let next = waiting[passed]?.call; next !== undefined; next = waiting[passed]?.call) {
        passed++;
        if (doubtful.length > 0 || !isWhole(next.inputText)) doubtful.push(next);
        else release([next]);
      }
      if (passed === waiting.length) {
        waiting = [];
        passed = 0;
      }
    },
    refuse: (words) => {
      if (words !== "") refusal = (refusal ?? "") + words;
    },
    fail: (found) => {
      fault ??= found;
      answer.ended = true;
    },
    reason: undefined,
    ended: false,
    get fault() {
      return fault;
    },
    drain: () => {
      const drained = events;
      events = [];
      return drained;
    },
    finish: (usage, clean, outputLimit) => {
      for (const { call } of waiting.splice(passed)) if (call !== undefined) doubtful.push(call);
      let reason = finishReason(answer.reason, true);
      if (refusal !== undefined && reason !== "length") reason = "content_filter";
      if (reason === "error") {
        answer.fail({ type: "stopped", reason: answer.reason ?? "error", retryable: true });
      }
      if (fault !== undefined) return undefined;
      release(doubtful.filter((call) => mayRun(call, reason)));
      if (reason === "tool_calls" && !called) reason = finishReason(answer.reason, false);
      const rawReason = refusal === undefined
        ? answer.reason
        : refusal.trim() === ""
        ? answer.reason
        : `refusal: ${short(refusal)}`;
      return [...answer.drain(), {
        type: "finish",
        reason,
        ...rawReason === undefined ? {} : { rawReason: clean(rawReason) },
        ...outputLimit === undefined ? {} : { outputLimit },
        usage,
      }];
    },
  };
  return answer;
}

/**
 * Cut arguments are no JSON, so they never run; the model is told so. None at all would look like a
 * call without arguments.
 */
function mayRun({ inputText }: WholeCall, reason: FinishReason): boolean {
  return reason === "tool_calls" || isWhole(inputText) ||
    (reason === "length" && inputText.trim() !== "");
}

/** True for arguments that came whole: a JSON value, and not merely none. */
export function isWhole(text: string): boolean {
  if (text.trim() === "") return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false; // the caller decides what broken arguments mean
  }
}

function short(text: string): string {
  const words = text.replace(/\s+/g, " ").trim();
  return words.length > 500 ? `${words.slice(0, 500)}...` : words;
}

/** `asked`: the answer holds a tool call. Words that nobody knows are "other". */
function finishReason(raw: string | undefined, asked: boolean): FinishReason {
  const reason = meanings.get((raw ?? "").toLowerCase()) ?? "other";
  // Some servers say "stop" though they ask for a tool, and some the other way round.
  if (reason === "stop" || reason === "tool_calls" || reason === "other") {
    return asked ? "tool_calls" : reason === "tool_calls" ? "stop" : reason;
  }
  return reason;
}

const meanings = new Map<string, FinishReason>(Object.entries({
  stop: "stop",
  end_turn: "stop",
  stop_sequence: "stop",
  completed: "stop",
  complete: "stop",
  eos: "stop",
  eos_token: "stop",
  finished: "stop",
  pause_turn: "stop",
  tool_calls: "tool_calls",
  tool_use: "tool_calls",
  function_call: "tool_calls",
  "tool-calls": "tool_calls",
  length: "length",
  max_tokens: "length",
  max_output_tokens: "length",
  model_length: "length",
  model_context_window_exceeded: "length",
  incomplete: "length",
  content_filter: "content_filter",
  "content-filter": "content_filter",
  refusal: "content_filter",
  safety: "content_filter",
  recitation: "content_filter",
  language: "content_filter",
  blocklist: "content_filter",
  prohibited_content: "content_filter",
  spii: "content_filter",
  image_safety: "content_filter",
  model_armor: "content_filter",
  jailbreak: "content_filter",
  image_prohibited_content: "content_filter",
  image_recitation: "content_filter",
  error: "error",
  insufficient_system_resource: "error",
  abort: "error",
  aborted: "error",
  cancelled: "error",
}));
