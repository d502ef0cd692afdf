/** Makes call ids unique: not every server does, and results are paired by id. */
import { type CallIds, callIds } from "../core/call_ids.ts";
import type { AssistantMessage } from "../core/message.ts";
import type { History } from "./run_context.ts";

type Parts = AssistantMessage["content"];

/** The ids of each conversation, carried along: a step's work does not grow with the history. */
const carried = new WeakMap<History, { readonly ids: CallIds; seen: number }>();

/** `parts` with every call id that is empty or taken replaced; to be added to `history` next. */
export function uniqueIds(parts: Parts, history: History): Parts {
  const { ids } = idsOf(history);
  return parts.map((part) => {
    if (part.type !== "tool_use") return part;
    const id = ids.announce(part.id);
    return id === part.id ? part : { ...part, id };
  });
}

function idsOf(history: History) {
  let known = carried.get(history);
  if (known === undefined) {
    known = { ids: callIds(ownForm), seen: 0 };
    carried.set(history, known);
  }
  const { messages } = history;
  if (messages.length < known.seen) known.seen = 0; // shortened meanwhile
  for (; known.seen < messages.length; known.seen++) {
    const message = messages[known.seen]!;
    if (message.role !== "assistant") continue;
    for (const part of message.content) if (part.type === "tool_use") known.ids.keep(part.id);
  }
  return known;
}

function ownForm(id: string, round: number): string {
  if (id.trim() === "") return `call_${round + 1}`;
  return round === 0 ? id : `${id}_${round + 1}`;
}
