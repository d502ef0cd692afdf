/** Answers of Google's generative language wire. */
import type {
  Candidate,
  FinishReason,
  FunctionCall,
  GenerateContentResponse,
  GenerateContentResponsePromptFeedback,
  GenerateContentResponseUsageMetadata,
  Part,
} from "@google/genai";
import { isJsonObject, type Json, type JsonObject } from "../../../core/json.ts";
import { count, type Counts, within } from "../../usage.ts";
import type { AnswerBuilder, WholeCall } from "../answer.ts";
import { strictValues } from "../strict_values.ts";
import type { AnswerReader } from "../wire.ts";
import { type PartialArguments, partialArguments } from "./partial_arguments.ts";

/** The names of `T`'s fields; servers put anything into them. */
type Fields<T> = { [K in keyof T]?: Json };

interface OpenCall {
  readonly key: string;
  call: WholeCall;
  readonly args: PartialArguments;
}

/**
 * Taken as they come: ends that are no answer (a malformed call, no candidates at all), calls whose
 * arguments come in pieces and are never closed, `null` where an object is due, errors in mid-stream.
 * Parts that mean nothing here are skipped.
 */
export function reader(answer: AnswerBuilder): AnswerReader {
  const { string, toolName, argumentText, refuse } = strictValues(answer);
  let usage: JsonObject | undefined;
  let spoke = false;
  let made = 0;
  /** The block that text of its type goes on in. */
  let block: { readonly type: "text" | "thinking"; readonly key: string } | undefined;
  let open: OpenCall | undefined;

  const say = (type: "text" | "thinking", text: string, metadata: JsonObject | undefined): void => {
    if (text !== "") {
      spoke = true;
      if (block?.type !== type) block = { type, key: `${type}-${made++}` };
      return answer[type](block.key, text, metadata);
    }
    if (metadata === undefined) return answer.progress();
    if (type === "text" && block?.type === type) return answer.text(block.key, "", metadata);
    // A signature alone keeps its place among the parts.
    block = undefined;
    answer[type](`${type}-${made++}`, "", metadata);
  };
  const close = (cut: boolean): void => {
    if (open === undefined) return;
    const text = open.args.text();
    // Cut arguments are no JSON: so they never run.
    answer.endCall(open.key, { ...open.call, inputText: cut ? text.slice(0, -1) : text });
    open = undefined;
  };
  const begin = (
    call: Fields<FunctionCall>,
    inputText: string,
    metadata: JsonObject | undefined,
  ) => {
    close(false);
    block = undefined;
    const key = `call-${made++}`;
    const begun: WholeCall = {
      id: typeof call.id === "string" ? call.id : "",
      name: toolName(call.name),
      inputText,
      ...metadata && { metadata },
    };
    const inPieces = Array.isArray(call.partialArgs) || call.willContinue === true;
    if (inputText !== "" || !inPieces) {
      return answer.endCall(key, { ...begun, inputText: inputText || "{}" });
    }
    answer.beginCall(key);
    open = { key, call: begun, args: partialArguments() };
  };
  const takeCall = (call: Fields<FunctionCall>, metadata: JsonObject | undefined): void => {
    spoke = true;
    const inputText = argumentText(call.args);
    if (call.name || inputText !== "") begin(call, inputText, metadata);
    if (open !== undefined && metadata !== undefined) open.call = { ...open.call, metadata };
    const pieces = Array.isArray(call.partialArgs) ? call.partialArgs : [];
    if (pieces.length > 0 && open === undefined) return refuse("holds arguments of no call");
    let goesOn = call.willContinue === true;
    for (const piece of pieces) {
      answer.progress(String(within(piece).stringValue ?? ""));
      const problem = open!.args.add(piece);
      if (problem !== undefined) return refuse(problem);
      goesOn ||= within(piece).willContinue === true;
    }
    if (!goesOn) close(false);
    if (pieces.length === 0) answer.progress();
  };
  const takePart = (part: Fields<Part>): void => {
    const thought_signature = string(part.thoughtSignature, "a thought signature");
    const metadata = thought_signature === "" ? undefined : { thought_signature };
    if (isJsonObject(part.functionCall)) return takeCall(part.functionCall, metadata);
    say(part.thought === true ? "thinking" : "text", string(part.text, "text"), metadata);
  };
  const finish = ({ finishReason, finishMessage }: Fields<Candidate>): void => {
    if (!isReason(finishReason)) return;
    answer.reason = finishReason;
    const retryable = failedEnds.get(finishReason);
    if (retryable === undefined) return;
    const words = finishMessage && typeof finishMessage === "string" ? `: ${finishMessage}` : "";
    answer.fail({ type: "stopped", reason: finishReason + words, retryable });
  };
  const self: AnswerReader = {
    take: (event, name) => {
      const failed = event.error ?? (name === "error" ? event : null);
      if (failed !== null) return answer.fail({ type: "stream", error: failed });
      const { usageMetadata, promptFeedback, candidates } = event as Fields<
        GenerateContentResponse
      >;
      if (isJsonObject(usageMetadata)) usage = { ...usage, ...usageMetadata };
      const feedback: Fields<GenerateContentResponsePromptFeedback> = within(promptFeedback);
      if (isReason(feedback.blockReason)) answer.reason ??= feedback.blockReason;
      const candidate: Fields<Candidate> = within(Array.isArray(candidates) ? candidates[0] : null);
      const { parts } = within(candidate.content);
      for (const part of Array.isArray(parts) ? parts : []) {
        if (isJsonObject(part) && answer.fault === undefined) takePart(part);
      }
      finish(candidate);
    },
    whole: (event) => {
      if (!Array.isArray(event.candidates) && !isJsonObject(event.promptFeedback)) return false;
      self.take(event, "");
      return true;
    },
    end: () => {
      close(answer.reason !== "STOP");
      if (answer.reason !== undefined || spoke) return;
      answer.fail({ type: "stopped", reason: "no candidates", retryable: true });
    },
    usage: () => usage && countsOf(usage),
  };
  return self;
}

/** Ends that are no answer, and whether a new try may help. */
const failedEnds = new Map<string, boolean>(
  Object.entries(
    {
      MALFORMED_FUNCTION_CALL: true,
      UNEXPECTED_TOOL_CALL: true,
      TOO_MANY_TOOL_CALLS: true,
      MALFORMED_RESPONSE: true,
      OTHER: true,
      MISSING_THOUGHT_SIGNATURE: false,
    } satisfies { [K in `${FinishReason}`]?: boolean },
  ),
);

function isReason(value: Json | undefined): value is string {
  return typeof value === "string" && value !== "" && !value.endsWith("_UNSPECIFIED");
}

function countsOf(raw: Fields<GenerateContentResponseUsageMetadata>): Counts {
  const thoughts = count(raw.thoughtsTokenCount);
  const answer = count(raw.candidatesTokenCount);
  // This wire counts thoughts beside the answer.
  const output = (answer ?? 0) + (thoughts ?? 0);
  return {
    input_tokens: count(raw.promptTokenCount),
    output_tokens: answer === undefined && thoughts === undefined ? undefined : output,
    cache_read_tokens: count(raw.cachedContentTokenCount),
    cache_write_tokens: undefined,
    reasoning_tokens: thoughts,
  };
}
