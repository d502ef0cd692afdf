/** Makes call ids unique: not every server does, and results are paired by id. */
import type { AssistantMessage, Message } from "../core/message.ts";

type Parts = AssistantMessage["content"];

/** `parts` with every call id that is empty or already taken replaced by one of our own. */
export function uniqueIds(parts: Parts, earlier: readonly Message[]): Parts {
  const calls = parts.filter((part) => part.type === "tool_use");
  if (calls.length === 0) return parts;
  const taken = new Set<string>();
  for (const message of earlier) {
    if (message.role !== "assistant") continue;
    for (const part of message.content) if (part.type === "tool_use") taken.add(part.id);
  }
  return parts.map((part) => {
    if (part.type !== "tool_use") return part;
    let id = part.id;
    for (let n = taken.size + 1; id === "" || taken.has(id); n++) id = `call_${n}`;
    taken.add(id);
    return id === part.id ? part : { ...part, id };
  });
}
