/** The joining of neighbouring text deltas on their way through an SDK package. */
import type { AnswerFacts } from "./fault.ts";

/**
 * Deltas that came in one read go through the package as one, which costs it no more than one of
 * them; `facts.runs` tells the adapter where to part them again, so that nobody sees a difference.
 */
export interface TextRun {
  /** True where the delta was taken; else it must be handed on alone. */
  add(place: number, delta: string): boolean;
  /** The event of what was taken since the last time; "" for nothing. */
  flush(): string;
}

export function textRun(
  facts: AnswerFacts,
  event: (place: number, text: string) => string,
): TextRun {
  let deltas: string[] = [];
  let current = 0;
  return {
    add: (place, delta) => {
      if (deltas.length > 0 && place !== current) return false;
      current = place;
      deltas.push(delta);
      return true;
    },
    flush: () => {
      if (deltas.length === 0) return "";
      const text = deltas.length === 1 ? deltas[0]! : deltas.join("");
      if (deltas.length > 1) (facts.runs ??= []).push(deltas.map((delta) => delta.length));
      deltas = [];
      return event(current, text);
    },
  };
}

/** The deltas that `text` was joined of; `text` alone where it was not. */
export function* partedRun(facts: AnswerFacts, text: string): Iterable<string> {
  const lengths = facts.runs?.[0];
  if (lengths === undefined || sum(lengths) !== text.length) {
    yield text;
    return;
  }
  facts.runs!.shift();
  let at = 0;
  for (const length of lengths) yield text.slice(at, at += length);
}

function sum(lengths: readonly number[]): number {
  let total = 0;
  for (const length of lengths) total += length;
  return total;
}
