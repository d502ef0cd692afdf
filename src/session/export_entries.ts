/** A session's records in the order a reader wants them: each call with its result. */
import { isJsonObject } from "../core/json.ts";
import type { CallPart, RecordOf, SessionRecord, ShownPart } from "../core/record.ts";
import { oneLine } from "../lib/one_line.ts";
import { currentHeader, type SessionHeader } from "./history.ts";

export type ExportEntry =
  | { readonly type: "user"; readonly record: RecordOf<"user"> }
  | {
    readonly type: "assistant";
    readonly record: RecordOf<"assistant">;
    /** By the id of the call. */
    readonly results: ReadonlyMap<string, RecordOf<"tool_result">>;
  }
  | { readonly type: "compaction"; readonly record: RecordOf<"compaction"> };

export interface ExportedSession {
  readonly header?: SessionHeader;
  readonly name?: string;
  readonly entries: readonly ExportEntry[];
}

export function exportEntries(records: Iterable<SessionRecord>): ExportedSession {
  let header: SessionHeader | undefined;
  let name: string | undefined;
  const entries: ExportEntry[] = [];
  let results = new Map<string, RecordOf<"tool_result">>();
  for (const record of records) {
    switch (record.kind) {
      case "session":
        header = currentHeader(header, record);
        break;
      case "name":
        name = record.name;
        break;
      case "user":
        entries.push({ type: "user", record });
        break;
      case "assistant":
        results = new Map();
        entries.push({ type: "assistant", record, results });
        break;
      case "tool_result":
        if (!results.has(record.tool_id)) results.set(record.tool_id, record);
        break;
      case "compaction":
        entries.push({ type: "compaction", record });
        break;
      case "selection":
      case "extension":
        break;
    }
  }
  return {
    ...(header === undefined ? {} : { header }),
    ...(name === undefined ? {} : { name }),
    entries,
  };
}

/** The name, else the first line that was written. */
export function titleOf(session: ExportedSession): string {
  if (session.name) return session.name;
  for (const entry of session.entries) {
    const line = entry.type === "user" ? firstLine(entry.record.content) : "";
    if (line !== "") return line;
  }
  return session.header?.id ?? "Session";
}

export function firstLine(content: readonly ShownPart[]): string {
  const text = content.map((part) => part.type === "text" ? part.text : "").join("");
  const line = text.trim().split("\n", 1)[0]!.trim();
  return line.length <= 90 ? line : `${line.slice(0, 89).toWellFormed()}…`;
}

/** What a call is about, in one line: its command, pattern or path, else its arguments. */
export function subjectOf(call: CallPart): string {
  const { input } = call;
  if (call.invalid_text === undefined && isJsonObject(input)) {
    for (const key of ["command", "pattern", "path", "name", "question", "operation"]) {
      const value = input[key];
      if (typeof value === "string") return oneLine(value, 120);
    }
  }
  return oneLine(call.invalid_text ?? JSON.stringify(input), 120);
}

/** The arguments for reading: texts as they are, not as JSON with escapes. */
export function argumentsOf(call: CallPart): string {
  const { input } = call;
  if (call.invalid_text !== undefined) return call.invalid_text;
  if (!isJsonObject(input)) return JSON.stringify(input, null, 2);
  return Object.entries(input).map(([key, value]) => {
    if (typeof value !== "string") return `${key}: ${JSON.stringify(value, null, 2)}`;
    return value.includes("\n") ? `${key}:\n${value}` : `${key}: ${value}`;
  }).join("\n");
}
