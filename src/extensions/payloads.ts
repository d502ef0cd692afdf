/** What events hold, and texts of answers as the model gets them. */
import { cleanText } from "../core/clean_text.ts";
import type { JsonObject } from "../core/json.ts";
import type { PendingCall } from "../core/moments.ts";
import { oneLine } from "../lib/one_line.ts";
import { capMiddle } from "../lib/well_formed.ts";

const maxReasonChars = 10_000, maxContextBytes = 40_000;
/** Of what it has kept it gets the newest. */
const maxEntryBytes = 1024 * 1024;

export function sessionPayload(
  sessionId: string,
  reason: string,
  kept: readonly JsonObject[],
): JsonObject {
  let bytes = 0, from = kept.length;
  while (from > 0 && (bytes += JSON.stringify(kept[from - 1]).length) <= maxEntryBytes) from--;
  return { session_id: sessionId, reason, entries: kept.slice(from) };
}

export function callPayload({ id, tool, arguments: given, mode, step }: PendingCall): JsonObject {
  return {
    tool_id: id,
    name: tool.name,
    arguments: given,
    capabilities: [...tool.capabilities],
    origin: tool.origin as unknown as JsonObject,
    mode,
    step,
  };
}

export function reasonText(reason: string | undefined): string {
  const text = oneLine(cleanText(reason ?? ""), maxReasonChars);
  return text === "" ? "it gave no reason" : text;
}

export function contextOf(
  name: string,
  context: string | undefined,
): { readonly context?: string } {
  const text = capMiddle(cleanText(context ?? ""), maxContextBytes).trim();
  return text === "" ? {} : { context: `[extension ${name}: ${text}]` };
}
