/** Reads an answer's bytes: a stream of events, whole JSON, or a web page. */
import { isJsonObject, type JsonObject, parseJson } from "../../core/json.ts";
import { OversizedEvent, type SseEvent, sseReader } from "../../lib/sse.ts";
import type { AnswerBuilder } from "../wires/answer.ts";
import type { AnswerReader } from "../wires/wire.ts";

export interface ByteReader {
  push(bytes: Uint8Array): void;
  end(): void;
}

const maxWholeBytes = 64 * 1024 * 1024;

/**
 * Judges by the first character, not by the content type: servers send streams as JSON and JSON as
 * streams, and some ignore that a stream was asked for. What is wrong goes to `answer.fail`.
 */
export function answerBytes(answer: AnswerBuilder, reader: AnswerReader): ByteReader {
  const decoder = new TextDecoder(); // drops the byte order mark
  const stream = sseReader((event) => takeEvent(event, answer, reader));
  let form: "unknown" | "stream" | "whole" = "unknown";
  let whole: string[] = [];
  let wholeBytes = 0;
  const oversized = () =>
    answer.fail({ type: "protocol", problem: "holds an event without an end" });
  return {
    push: (bytes) => {
      if (answer.ended) return;
      const text = decoder.decode(bytes, { stream: true });
      if (form === "unknown") form = formOf(text);
      if (form !== "whole") return attempt(() => stream.push(text), oversized);
      wholeBytes += bytes.length;
      if (wholeBytes > maxWholeBytes) {
        whole = [];
        answer.fail({ type: "protocol", problem: "is larger than 64 MiB" });
      } else whole.push(text);
    },
    end: () => {
      if (form === "whole") {
        if (!answer.ended) takeWhole(whole.join("") + decoder.decode(), answer, reader);
      } else if (!answer.ended) {
        attempt(() => {
          stream.push(decoder.decode());
          stream.end();
        }, oversized);
      }
      reader.end?.();
      if (answer.reason === undefined) {
        answer.fail({ type: "protocol", problem: "ended before its finish" });
      }
    },
  };
}

/** Unknown where all so far is white space. */
function formOf(text: string): "unknown" | "stream" | "whole" {
  const first = text.trimStart()[0];
  if (first === undefined) return "unknown";
  return first === "{" || first === "[" || first === "<" ? "whole" : "stream";
}

function attempt(work: () => void, oversized: () => void): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof OversizedEvent)) throw error;
    oversized();
  }
}

function takeEvent({ name, data }: SseEvent, answer: AnswerBuilder, reader: AnswerReader): void {
  if (answer.ended) return;
  const objects = isDone(data) ? [] : parseEventData(data);
  if (objects !== undefined) {
    for (const object of objects) if (!answer.ended) reader.take(object, name);
    if (isDone(data) || isDone(data.slice(data.lastIndexOf("\n") + 1))) answer.ended = true;
  } else if (name === "error") {
    answer.fail({ type: "stream", error: data.replaceAll("\n", " ") });
  } else if (data.trimStart().startsWith("{")) {
    answer.fail({ type: "protocol", problem: "holds an event that is not valid JSON" });
  }
}

function isDone(text: string): boolean {
  return text.length < 20 && text.trim() === "[DONE]";
}

function takeWhole(text: string, answer: AnswerBuilder, reader: AnswerReader): void {
  const body = text.trim();
  if (body.startsWith("<")) {
    return answer.fail({ type: "protocol", problem: `is a web page${titleOf(body)}` });
  }
  const value = parseJson(body);
  if (Array.isArray(value) && value.every((item) => isJsonObject(item) && !item.error)) {
    // Google's stream without `alt=sse`.
    for (const event of value) if (isJsonObject(event)) reader.take(event, "");
  } else if (isJsonObject(value) && !value.error) {
    if (!reader.whole(value)) answer.fail({ type: "stream", error: value });
  } else if (value === undefined) {
    answer.fail({ type: "protocol", problem: "is neither a stream nor JSON" });
  } else {
    const first = Array.isArray(value) ? value[0] : value;
    answer.fail({ type: "stream", error: isJsonObject(first) ? first.error ?? first : body });
  }
}

function titleOf(html: string): string {
  const title = /<title[^>]*>([^<]*)<\/title>/i.exec(html)?.[1]?.trim();
  return title ? ` ("${title.slice(0, 100)}")` : "";
}

/**
 * One object as a rule; several where a server forgot the blank line between two events. Undefined
 * where the data is no JSON object at all.
 */
function parseEventData(data: string): JsonObject[] | undefined {
  const whole = parseObject(data);
  if (whole !== undefined) return [whole];
  const lines = data.split("\n");
  if (lines.length > 1) {
    // Cut inside a string, a newline between the pieces is too much; or each line is an event.
    const joined = parseObject(lines.join(""));
    if (joined !== undefined) return [joined];
    const each = lines.filter((line) => line.trim() !== "" && line !== "[DONE]").map(parseObject);
    const objects = each.filter((value) => value !== undefined);
    return objects.length > 0 && objects.length === each.length ? objects : undefined;
  }
  // A keep-alive comment stuck to the end of the data.
  const end = data.lastIndexOf("}:");
  const before = end > 0 ? parseObject(data.slice(0, end + 1)) : undefined;
  return before === undefined ? undefined : [before];
}

function parseObject(text: string): JsonObject | undefined {
  const value = parseJson(text);
  return isJsonObject(value) ? value : undefined;
}
