/** Owns JSON mode: events as records, one line and one write each. */
import type { Sink } from "../core/event.ts";
import type { Terminal } from "../core/host.ts";
import { toLine } from "../lib/jsonl.ts";

/** A sink that writes version 1 records to stdout. */
export function jsonSink(terminal: Terminal): Sink {
  return ({ type, ...rest }, ids) =>
    terminal.writeOut(toLine({ version: 1, type, ...ids, ...rest }));
}
