/** The mending of chat-completions streams: the dialects of compatible servers. */
import { isJsonObject, type Json, type JsonObject } from "../../core/json.ts";
import { callPairing } from "./call_deltas.ts";
import type { AnswerFacts } from "./fault.ts";
import { reasoningDetails } from "./reasoning_details.ts";
import { dataEvent, type StreamMender } from "./stream_mender.ts";
import { textRun } from "./text_run.ts";

/**
 * Mended here: content as a list of parts, reasoning under several names, refusals (kept apart from
 * the answer), calls whose index or id is missing, repeated or rotating, `null` where an object is
 * due, usage in any place and any number of times, error objects in mid-stream. The SDK packages
 * reject a whole chunk for one such field, or merge two calls into one.
 * `dialect` is the package that reads the outcome.
 */
export function chatMender(facts: AnswerFacts, dialect: "compatible" | "mistral"): StreamMender {
  const calls = callPairing();
  const details = reasoningDetails();
  let reasoningField: string | undefined;
  let spoke = false;
  let ended = false;

  const run = textRun(facts, (_, text) => textEvent(text));
  const text = (delta: string) => {
    spoke = true;
    return textEvent(delta);
  };
  const reasoning = (delta: string) => {
    spoke = true;
    if (dialect === "compatible") {
      return `data: {"choices":[{"index":0,"delta":{"reasoning_content":${
        JSON.stringify(delta)
      }}}]}\n\n`;
    }
    const content = [{ type: "thinking", thinking: [{ type: "text", text: delta }] }];
    return dataEvent({ choices: [{ index: 0, delta: { content } }] });
  };
  const content = (value: Json | undefined): string => {
    if (typeof value === "string") return value === "" ? "" : text(value);
    if (!Array.isArray(value)) return "";
    return value.map((part) => {
      if (!isJsonObject(part)) return typeof part === "string" && part !== "" ? text(part) : "";
      if (part.type === "thinking" || part.type === "reasoning") {
        reasoningField ??= "content";
        const thought = joinedText(part.thinking ?? part.reasoning ?? part.text);
        return thought === "" ? "" : reasoning(thought);
      }
      if (part.type === "refusal" && typeof part.refusal === "string") refuse(part.refusal);
      return typeof part.text === "string" && part.text !== "" ? text(part.text) : "";
    }).join("");
  };
  const refuse = (words: string) => {
    if (words !== "") facts.refusal = (facts.refusal ?? "") + words;
  };

  const takeDelta = (delta: JsonObject): string => {
    let out = "";
    const named = ["reasoning_content", "reasoning", "reasoning_text"].find((field) => {
      const value = delta[field];
      return typeof value === "string" && value !== "";
    });
    const more = details.take(delta.reasoning_details);
    if (named !== undefined) {
      reasoningField ??= named;
      out += reasoning(delta[named] as string);
    } else if (more !== "") out += reasoning(more);
    if (out === "" && isPlainText(delta)) {
      spoke = true;
      return run.add(0, delta.content as string) ? "" : textEvent(delta.content as string);
    }
    out += content(delta.content);
    if (typeof delta.refusal === "string") refuse(delta.refusal);
    const list = Array.isArray(delta.tool_calls)
      ? delta.tool_calls
      : isJsonObject(delta.function_call)
      ? [delta.function_call]
      : [];
    if (list.length === 0) return out;
    const pieces = calls.take(list).map((piece) => ({
      index: piece.index,
      ...piece.id === undefined ? {} : { id: piece.id, type: "function" },
      function: {
        ...piece.name === undefined ? {} : { name: piece.name },
        arguments: piece.text,
      },
      ...piece.extra === undefined ? {} : { extra_content: piece.extra },
    }));
    if (pieces.length === 0) return out;
    spoke = true;
    return out + dataEvent({ choices: [{ index: 0, delta: { tool_calls: pieces } }] });
  };

  const fail = (error: Json) => {
    facts.fault ??= { type: "stream", error };
    ended = true;
    return "";
  };

  const mender: StreamMender = {
    take: (event, name) => {
      if (isError(event.error)) return fail(event.error!);
      const choices = Array.isArray(event.choices) ? event.choices : undefined;
      if (choices === undefined && (name === "error" || event.object === "error")) {
        return fail(event);
      }
      const usage = event.usage ?? (isJsonObject(event.x_groq) ? event.x_groq.usage : undefined);
      if (isJsonObject(usage)) facts.usage = usage;
      const choice = choices?.find((item) => isJsonObject(item) && (item.index ?? 0) === 0) ??
        choices?.[0];
      if (!isJsonObject(choice)) return "";
      if (isError(choice.error)) return fail(choice.error!);
      if (isJsonObject(choice.usage)) facts.usage = choice.usage;
      const delta = isJsonObject(choice.delta)
        ? choice.delta
        : isJsonObject(choice.message) && !spoke
        ? choice.message
        : undefined;
      const out = delta === undefined ? "" : takeDelta(delta);
      const reason = choice.finish_reason;
      if (typeof reason === "string" && reason !== "") facts.rawReason = reason;
      return out;
    },
    flush: run.flush,
    end: () => {
      if (calls.hasNameless()) {
        facts.fault ??= { type: "protocol", problem: "asks for a tool without naming it" };
      }
      if (facts.rawReason === undefined) return "";
      if (reasoningField !== undefined || details.list.length > 0) {
        facts.extra = {
          text: "",
          data: {
            field: reasoningField ?? "reasoning",
            ...details.list.length > 0 ? { details: details.list } : {},
          },
        };
      }
      return dataEvent({
        choices: [{ index: 0, delta: {}, finish_reason: facts.rawReason }],
      });
    },
    get ended() {
      return ended;
    },
    get finished() {
      return facts.rawReason !== undefined;
    },
    whole: (answer) => Array.isArray(answer.choices) ? mender.take(answer, "") : undefined,
  };
  return mender;
}

function textEvent(text: string): string {
  return `data: {"choices":[{"index":0,"delta":{"content":${JSON.stringify(text)}}}]}\n\n`;
}

/** Text and nothing beside it. */
function isPlainText(delta: JsonObject): boolean {
  return typeof delta.content === "string" && delta.content !== "" && !delta.tool_calls &&
    !delta.function_call && !delta.refusal;
}

function isError(value: Json | undefined): boolean {
  return isJsonObject(value) || (typeof value === "string" && value !== "");
}

/** The text of a list of text parts, of one part, or of a plain string. */
function joinedText(value: Json | undefined): string {
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return value.map(joinedText).join("");
  return isJsonObject(value) && typeof value.text === "string" ? value.text : "";
}
