/** Tool call ids on the way out: unique in the request, and legal for the server asked. */
import type { Wire } from "../catalog.ts";

export interface CallIds {
  /** The id to send for a call that is announced now. */
  announce(id: string): string;
  /** The id to send with the result of the call that had `id`. */
  answer(id: string): string;
}

/** Ids depend on the calls before only, so that a growing conversation keeps its cached prefix. */
export function callIds(wire: Wire): CallIds {
  const used = new Set<string>();
  const waiting = new Map<string, string[]>();
  const answered = new Map<string, string>();
  const announce = (id: string) => {
    let sent = legal(wire, id, 0);
    for (let round = 1; used.has(sent); round++) sent = legal(wire, id, round);
    used.add(sent);
    return sent;
  };
  return {
    announce: (id) => {
      const sent = announce(id);
      const queue = waiting.get(id);
      if (queue === undefined) waiting.set(id, [sent]);
      else queue.push(sent);
      return sent;
    },
    answer: (id) => {
      // Calls that share an id get their results in the calls' order.
      const sent = waiting.get(id)?.shift() ?? answered.get(id) ?? announce(id);
      answered.set(id, sent);
      return sent;
    },
  };
}

const maxChars: Record<Wire, number> = {
  chat: 40, // OpenAI's own limit, which some servers copy
  mistral: 9,
  responses: 64,
  anthropic: 64,
  google: 64,
  replay: 64,
};

function legal(wire: Wire, id: string, round: number): string {
  if (wire === "mistral") {
    return round === 0 && /^[A-Za-z0-9]{9}$/.test(id) ? id : shortHash(`${id}#${round}`);
  }
  const limit = maxChars[wire];
  const clean = id.replace(/[^A-Za-z0-9_-]/g, "_") || "call";
  const suffix = round === 0 ? "" : `_${round + 1}`;
  const fits = clean.length + suffix.length <= limit;
  // A cut id keeps its end: that is where ids differ.
  return (fits ? clean : clean.slice(-(limit - suffix.length))) + suffix;
}

/** Nine characters of `0-9a-z` that depend on the whole text. */
function shortHash(text: string): string {
  let a = 0x811c9dc5, b = 0x1b873593;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    a = Math.imul(a ^ unit, 0x01000193);
    b = Math.imul(b + unit, 0x85ebca6b) ^ (b >>> 13);
  }
  const digits = (a >>> 0).toString(36).padStart(7, "0") + (b >>> 0).toString(36).padStart(7, "0");
  return digits.slice(1, 5) + digits.slice(9, 14);
}
