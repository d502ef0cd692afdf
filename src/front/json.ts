/** Owns JSON mode: events as records, one line and one write each. */
import type { Sink } from "../core/event.ts";
import type { Terminal } from "../core/host.ts";

/** Line separators that some readers split at, though JSON allows them in strings. */
const separators = /[\u2028\u2029\u0085]/g;

/** A sink that writes version 1 records to stdout. */
export function jsonSink(terminal: Terminal): Sink {
  return (event, ids) => {
    const record = { version: 1, type: event.type, ...ids, ...event };
    return terminal.writeOut(`${toJsonText(record)}\n`);
  };
}

function toJsonText(value: unknown): string {
  const text = JSON.stringify(value);
  return text.replace(
    separators,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
