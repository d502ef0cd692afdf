/** Counts the steps and tokens of a run as its events go by. */
import type { Emit } from "../../core/event.ts";
import { addUsage, type Usage } from "../../core/usage.ts";

export function stepTally(emit: Emit) {
  const sum = { steps: 0, usage: {} as Usage };
  return {
    sum,
    emit: ((event) => {
      if (event.type === "step_start") sum.steps = event.step;
      if (event.type === "step_end") sum.usage = addUsage(sum.usage, event.usage);
      return emit(event);
    }) as Emit,
  };
}
