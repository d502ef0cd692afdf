/** The contract of a mender: it makes one wire's real streams into what the SDK package reads. */
import type { JsonObject } from "../../core/json.ts";

export interface StreamMender {
  /** Takes one event; returns the events to hand on, as server-sent text ("" for none). */
  take(event: JsonObject, name: string): string;
  /** The text that `take` has kept to itself; comes before whatever `take` returns. */
  flush(): string;
  /** The stream is over: returns what has been held back. May set `facts.fault`. */
  end(): string;
  /** The wire's last word has come; nothing after it is read. */
  readonly ended: boolean;
  /** The finish has come: an answer that breaks off or falls silent from here on is whole. */
  readonly finished: boolean;
  /** Makes one answer that came as plain JSON, not as a stream, into events; undefined: it cannot. */
  whole?(answer: JsonObject): string | undefined;
}

/** One event without a name. */
export function dataEvent(value: JsonObject): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}
