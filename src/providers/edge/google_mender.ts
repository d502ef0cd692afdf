/** The mending of Google's generateContent streams. */
import { isJsonObject, type JsonObject } from "../../core/json.ts";
import type { AnswerFacts } from "./fault.ts";
import { dataEvent, type StreamMender } from "./stream_mender.ts";
import { textRun } from "./text_run.ts";

/**
 * Mended here: ends that are no answer (a malformed or unexpected call, no candidates at all), calls
 * whose arguments come in pieces and are never closed, `null` where an object is due, errors in
 * mid-stream. Parts that mean nothing here are left out: the SDK package rejects a whole chunk for
 * one unknown part.
 */
export function googleMender(facts: AnswerFacts): StreamMender {
  const run = textRun(
    facts,
    (_, text) => dataEvent({ candidates: [{ content: { parts: [{ text }] } }] }),
  );
  let usage: JsonObject = {};
  let spoke = false;
  let openCall = false;
  let blocked: string | undefined;
  let ended = false;

  const fail = (event: JsonObject): string => {
    facts.fault ??= { type: "stream", error: event.error ?? event };
    ended = true;
    return "";
  };
  const ownPart = (part: unknown): JsonObject[] => {
    if (!isJsonObject(part)) return [];
    const signature = typeof part.thoughtSignature === "string"
      ? { thoughtSignature: part.thoughtSignature }
      : {};
    if (isJsonObject(part.functionCall)) {
      const call = part.functionCall;
      const named = typeof call.name === "string" && call.name !== "";
      const inPieces = Array.isArray(call.partialArgs) || (named && call.willContinue === true);
      if (inPieces) openCall = true;
      else if (!named) openCall = false;
      spoke = true;
      return [{
        functionCall: {
          ...typeof call.id === "string" && call.id !== "" ? { id: call.id } : {},
          ...named ? { name: call.name! } : {},
          ...call.args === undefined || call.args === null ? {} : { args: call.args },
          ...Array.isArray(call.partialArgs) ? { partialArgs: call.partialArgs } : {},
          ...typeof call.willContinue === "boolean" ? { willContinue: call.willContinue } : {},
        },
        ...signature,
      }];
    }
    if (typeof part.text !== "string") {
      return "thoughtSignature" in signature ? [{ text: "", ...signature }] : [];
    }
    if (part.text !== "") spoke = true;
    return [{ text: part.text, ...part.thought === true ? { thought: true } : {}, ...signature }];
  };

  const mender: StreamMender = {
    take: (event, name) => {
      if (event.error !== undefined && event.error !== null) return fail(event);
      if (name === "error") return fail(event);
      if (isJsonObject(event.usageMetadata)) {
        usage = { ...usage, ...event.usageMetadata };
        facts.usage = usage;
      }
      const feedback = event.promptFeedback;
      if (isJsonObject(feedback) && typeof feedback.blockReason === "string") {
        blocked ??= feedback.blockReason;
      }
      const candidate = Array.isArray(event.candidates) ? event.candidates[0] : undefined;
      if (!isJsonObject(candidate)) return "";
      const content = isJsonObject(candidate.content) ? candidate.content : {};
      const parts = Array.isArray(content.parts) ? content.parts.flatMap(ownPart) : [];
      const reason = candidate.finishReason;
      if (typeof reason === "string" && reason !== "" && reason !== "FINISH_REASON_UNSPECIFIED") {
        facts.rawReason = reason;
        if (reason in failedEnds) {
          const words = typeof candidate.finishMessage === "string"
            ? `${reason}: ${candidate.finishMessage}`
            : reason;
          facts.fault ??= { type: "stopped", reason: words, retryable: failedEnds[reason]! };
        }
      }
      if (parts.length === 1 && isPlainText(parts[0]!) && run.add(0, parts[0]!.text as string)) {
        return "";
      }
      return parts.length === 0 ? "" : dataEvent({ candidates: [{ content: { parts } }] });
    },
    flush: run.flush,
    end: () => {
      if (blocked !== undefined && facts.rawReason === undefined) {
        facts.rawReason = blocked;
        return dataEvent({ promptFeedback: { blockReason: blocked } });
      }
      if (facts.rawReason === undefined) {
        if (!spoke) {
          facts.fault ??= { type: "stopped", reason: "no candidates", retryable: true };
        }
        return "";
      }
      const parts = openCall && facts.rawReason === "STOP" ? [{ functionCall: {} }] : [];
      return dataEvent({
        candidates: [{ content: { parts }, finishReason: facts.rawReason }],
      });
    },
    get ended() {
      return ended;
    },
    get finished() {
      return facts.rawReason !== undefined;
    },
    whole: (answer) =>
      Array.isArray(answer.candidates) || isJsonObject(answer.promptFeedback)
        ? mender.take(answer, "")
        : undefined,
  };
  return mender;
}

/** Text and nothing beside it. */
function isPlainText(part: JsonObject): boolean {
  return part.text !== "" && part.text !== undefined && !part.thought && !part.thoughtSignature;
}

/** Ends that are no answer, and whether asking again may help. */
const failedEnds: Record<string, boolean> = {
  MALFORMED_FUNCTION_CALL: true,
  UNEXPECTED_TOOL_CALL: true,
  TOO_MANY_TOOL_CALLS: true,
  MALFORMED_RESPONSE: true,
  OTHER: true,
  MISSING_THOUGHT_SIGNATURE: false,
};
