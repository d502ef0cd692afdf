/** The words that servers end an answer with, and what each means. */
import type { FinishReason } from "../../core/message.ts";

/** `asked`: the answer holds a tool call. Words that nobody knows are "other". */
export function finishReason(raw: string | undefined, asked: boolean): FinishReason {
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
