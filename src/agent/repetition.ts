/** The same calls with the same results, again and again: counted, told to the model, and ended at last. */
import type { Json } from "../core/json.ts";

/** From this time on the model is told. */
const toldFrom = 4;
/** A call that takes this long is waiting for something: it may well be made again. */
const patientMs = 5000;

export interface RepetitionWatch {
  /** Takes a result; gives what to add to it, "" for nothing. */
  add(call: { readonly name: string; readonly input: Json }, text: string, ms: number): string;
  /** Called after the results of each answer. */
  endStep(): void;
  /** True once the same call, or the same calls of an answer, had the same results `maxRepeats` times in a row. */
  isOver(): boolean;
}

/** `maxRepeats` 0: nothing is counted. */
export function repetitionWatch(maxRepeats: number): RepetitionWatch {
  let last = "", lastCall = "", times = 0;
  /** The results of the answer before, and how many answers in a row had the same. */
  let before = "", beforeTimes = 0, beforeAll = new Set<string>();
  /** Those of this answer; undefined where a call of it waited. */
  let now: Set<string> | undefined = new Set();

  return {
    add({ name, input }, text, ms) {
      if (maxRepeats === 0) return "";
      const call = `${name}\n${JSON.stringify(input)}`;
      if (ms >= patientMs) {
        now = undefined;
        // a wait between looks: they are none in a row
        if (call !== lastCall) [last, lastCall, times] = ["", "", 0];
        return "";
      }
      const seen = `${call}\n${text.replace(/^duration_ms: .*$/m, "")}`;
      times = seen === last ? times + 1 : 1;
      [last, lastCall] = [seen, call];
      now?.add(seen);
      const together = beforeAll.has(seen) ? beforeTimes + 1 : 1;
      const most = Math.max(times, together);
      return most < toldFrom
        ? ""
        : `\n\n[this call gave this result ${most} times in a row: do something else, or end]`;
    },
    endStep() {
      // one call alone is counted by itself
      const all = now !== undefined && now.size > 1 ? now : new Set<string>();
      const key = [...all].sort().join("\n\n");
      beforeTimes = key === "" ? 0 : key === before ? beforeTimes + 1 : 1;
      [before, beforeAll, now] = [key, all, new Set()];
    },
    isOver: () => maxRepeats > 0 && Math.max(times, beforeTimes) >= maxRepeats,
  };
}
