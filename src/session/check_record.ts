/** Checks what a session file holds against the records that this program knows. */
import { isJsonObject, type Json, type JsonObject } from "../core/json.ts";
import type { FinishReason } from "../core/message.ts";
import type { SessionRecord } from "../core/record.ts";

export type CheckedRecord =
  | { readonly record: SessionRecord }
  /** A kind of a later version, or of another program. */
  | { readonly unknownKind: string }
  /** What is wrong, as `content: expected an array of parts`. */
  | { readonly problem: string };

/**
 * Takes a parsed line for a record. Lenient where nothing is lost by it: text in place of parts,
 * missing answerer or usage; parts of unknown types are left out.
 */
export function checkRecord(value: Json): CheckedRecord {
  if (!isJsonObject(value)) return { problem: "expected an object" };
  const { kind } = value;
  if (typeof kind !== "string") return { problem: "kind: expected text" };
  switch (kind) {
    case "session":
      return need(value, { id: "string", workspace: "string" });
    case "user":
      return withContent(value, {});
    case "assistant":
      return withContent(value, {
        provider: text(value.provider, "unknown"),
        model: text(value.model, "unknown"),
        finish: text(value.finish, "other") as FinishReason,
        usage: isJsonObject(value.usage) ? value.usage : {},
      });
    case "tool_result":
      return typeof value.tool_id === "string"
        ? withContent(value, {
          tool_name: text(value.tool_name, "unknown"),
          is_error: value.is_error === true,
        })
        : { problem: "tool_id: expected text" };
    case "compaction": {
      const { usage, ...rest } = value;
      const whole = isJsonObject(usage) ? value : rest;
      return need(whole, { summary: "string", kept: "number" });
    }
    case "name":
      return need(value, { name: "string" });
    case "selection":
      return { record: value as SessionRecord };
    case "extension":
      return isJsonObject(value.data)
        ? need(value, { name: "string" })
        : { problem: "data: expected an object" };
    default:
      return { unknownKind: kind };
  }
}

function need(value: JsonObject, types: Record<string, "string" | "number">): CheckedRecord {
  for (const [key, type] of Object.entries(types)) {
    const found: string = typeof value[key];
    if (found !== type) {
      return { problem: `${key}: expected ${type === "string" ? "text" : "a number"}` };
    }
  }
  return { record: value as SessionRecord };
}

function withContent(value: JsonObject, rest: JsonObject): CheckedRecord {
  const { content } = value;
  if (typeof content === "string") {
    const parts = [{ type: "text", text: content }];
    return { record: { ...value, ...rest, content: parts } as unknown as SessionRecord };
  }
  if (!Array.isArray(content)) return { problem: "content: expected an array of parts" };
  const isWhole = content.every(isPart);
  // As this program writes them; a copy of each takes time in long sessions.
  if (isWhole && Object.keys(rest).every((key) => value[key] === rest[key])) {
    return { record: value as SessionRecord };
  }
  const parts = isWhole ? content : content.filter(isPart);
  return { record: { ...value, ...rest, content: parts } as unknown as SessionRecord };
}

function isPart(part: Json): boolean {
  if (!isJsonObject(part)) return false;
  switch (part.type) {
    case "text":
    case "thinking":
      return typeof part.text === "string";
    case "image":
      return typeof part.media_type === "string" && typeof part.data === "string";
    case "tool_use":
      return typeof part.id === "string" && typeof part.name === "string" &&
        part.input !== undefined;
    default:
      return false;
  }
}

function text(value: Json | undefined, otherwise: string): string {
  return typeof value === "string" ? value : otherwise;
}
