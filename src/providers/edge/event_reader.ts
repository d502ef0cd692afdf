/** The reading of an answer's events: decoded, parsed, mended, up to the wire's last word. */
import { parseEventData } from "./event_json.ts";
import type { AnswerFacts } from "./fault.ts";
import { sseDecoder, type SseEvent } from "./sse_decoder.ts";
import type { StreamMender } from "./stream_mender.ts";

export interface Mending {
  readonly facts: AnswerFacts;
  readonly mender: StreamMender;
}

/** Turns the bytes of an answer into mended events. */
export interface EventReader {
  push(bytes: Uint8Array): string;
  /** What is left at the end, and what the mender held back. */
  end(): string;
  ended(): boolean;
}

export function eventReader(edge: Mending): EventReader {
  const { facts, mender } = edge;
  const decoder = sseDecoder();
  let terminated = false;
  let out = "";
  const take = ({ name, data }: SseEvent) => {
    if (terminated || mender.ended) return;
    const first = data[0]!;
    if (data.length === 1 && first.trim() === "[DONE]") {
      terminated = true;
      return;
    }
    const objects = parseEventData(data);
    if (objects !== undefined) {
      for (const object of objects) {
        const made = mender.ended ? "" : mender.take(object, name);
        if (made !== "") out += mender.flush() + made;
      }
      if (data.at(-1)!.trim() === "[DONE]") terminated = true;
    } else if (name === "error") {
      facts.fault ??= { type: "stream", error: data.join(" ") };
      terminated = true;
    } else if (first.trimStart().startsWith("{")) {
      facts.fault ??= { type: "protocol", problem: "holds an event that is not valid JSON" };
      terminated = true;
    }
  };
  const taken = () => {
    const text = out + mender.flush();
    out = "";
    return text;
  };
  return {
    push: (bytes) => {
      decoder.push(bytes, take);
      return taken();
    },
    end: () => {
      if (!terminated && !mender.ended) decoder.end(take);
      return taken() + conclude(edge);
    },
    ended: () => terminated || mender.ended,
  };
}

/** What the mender held back; a stream without its finish is a fault. */
export function conclude(edge: Mending): string {
  const { facts, mender } = edge;
  const out = mender.end();
  if (!mender.finished) facts.fault ??= { type: "protocol", problem: "ended before its finish" };
  return facts.fault === undefined ? out : "";
}
