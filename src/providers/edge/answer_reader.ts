/** The reading of an answer whose form is not certain: a stream, whole JSON, or a web page. */
import { isJsonObject, type Json } from "../../core/json.ts";
import { conclude, type EventReader, eventReader, type Mending } from "./event_reader.ts";
import { OversizedEvent } from "./sse_decoder.ts";

const maxWholeBytes = 64 * 1024 * 1024;

/**
 * Judges by the first character, not by the content type: servers send streams as JSON and JSON as
 * streams, and some ignore that a stream was asked for.
 */
export function answerReader(mending: Mending): EventReader {
  const stream = eventReader(mending);
  const decoder = new TextDecoder();
  let form: "unknown" | "stream" | "whole" = "unknown";
  let text = "";
  let bytesTaken = 0;
  return {
    push: (bytes) => {
      if (form === "unknown") form = formOf(bytes);
      if (form !== "whole") return stream.push(bytes);
      bytesTaken += bytes.length;
      if (bytesTaken > maxWholeBytes) throw new OversizedEvent("an answer is too large");
      text += decoder.decode(bytes, { stream: true });
      return "";
    },
    end: () => form === "whole" ? whole(mending, text + decoder.decode()) : stream.end(),
    ended: () => form !== "whole" && stream.ended(),
  };
}

/** Unknown where all so far is white space or a byte order mark. */
function formOf(bytes: Uint8Array): "unknown" | "stream" | "whole" {
  for (const byte of bytes) {
    if (byte <= 0x20 || byte === 0xef || byte === 0xbb || byte === 0xbf) continue;
    return byte === 0x7b || byte === 0x5b || byte === 0x3c ? "whole" : "stream"; // { [ <
  }
  return "unknown";
}

function whole(mending: Mending, text: string): string {
  const { facts, mender } = mending;
  const body = text.replace(/^\ufeff/, "").trim();
  if (body.startsWith("<")) {
    facts.fault ??= { type: "protocol", problem: `is a web page${titleOf(body)}` };
    return "";
  }
  const answer = parsed(body);
  let out = "";
  if (Array.isArray(answer) && answer.every(isJsonObject) && answer.every((item) => !item.error)) {
    // Google's stream without `alt=sse`.
    for (const event of answer) {
      const made = mender.take(event, "");
      out += mender.flush() + made;
    }
  } else if (isJsonObject(answer) && !answer.error) {
    const made = mender.whole?.(answer);
    if (made === undefined) facts.fault ??= { type: "stream", error: answer };
    out = mender.flush() + (made ?? "");
  } else if (answer === undefined) {
    facts.fault ??= { type: "protocol", problem: "is neither a stream nor JSON" };
  } else {
    const first = Array.isArray(answer) ? answer[0] : answer;
    facts.fault ??= { type: "stream", error: isJsonObject(first) ? first.error ?? first : body };
  }
  return out + conclude(mending);
}

function parsed(body: string): Json | undefined {
  try {
    return JSON.parse(body) as Json;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function titleOf(html: string): string {
  const title = /<title[^>]*>([^<]*)<\/title>/i.exec(html)?.[1]?.trim();
  return title ? ` ("${title.slice(0, 100)}")` : "";
}
