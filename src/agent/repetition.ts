/** The same call with the same result, again and again: counted, told to the model, and ended at last. */
import type { Json } from "../core/json.ts";

/** From this time on the model is told. */
const toldFrom = 4;
/** A call that takes this long is waiting for something: it may well be made again. */
const patientMs = 5000;

export interface RepetitionWatch {
  /** Takes a result; gives what to add to it, "" for nothing. */
  add(call: { readonly name: string; readonly input: Json }, text: string, ms: number): string;
  /** True once the same call had the same result `maxRepeats` times in a row. */
  isOver(): boolean;
}

/** `maxRepeats` 0: nothing is counted. */
export function repetitionWatch(maxRepeats: number): RepetitionWatch {
  let last = "", times = 0;
  return {
    add({ name, input }, text, ms) {
      if (maxRepeats === 0 || ms >= patientMs) return "";
      const seen = `${name}\n${JSON.stringify(input)}\n${text.replace(/^duration_ms: .*$/m, "")}`;
      times = seen === last ? times + 1 : 1;
      last = seen;
      return times < toldFrom
        ? ""
        : `\n\n[this call gave this result ${times} times in a row: do something else, or end]`;
    },
    isOver: () => maxRepeats > 0 && times >= maxRepeats,
  };
}
