/** The order of calls whose arguments come side by side: that of their beginnings. */
import type { ModelEvent } from "../../core/model.ts";

export type HeldCall = ModelEvent & { type: "tool_call" };

export interface CallOrder {
  /** The arguments of the call `id` begin to come. */
  begin(id: string): void;
  /** The call `id` is whole; returns the calls that no earlier one holds back any more. */
  end(id: string, call: HeldCall): HeldCall[];
  /** The calls that wait for one that never came whole. */
  rest(): HeldCall[];
}

export function callOrder(): CallOrder {
  let waiting: { readonly id: string; call?: HeldCall }[] = [];
  return {
    begin: (id) => void waiting.push({ id }),
    end: (id, call) => {
      const begun = waiting.find((entry) => entry.id === id && entry.call === undefined);
      if (begun === undefined) waiting.push({ id, call });
      else begun.call = call;
      const count = waiting.findIndex((entry) => entry.call === undefined);
      return calls(waiting.splice(0, count < 0 ? waiting.length : count));
    },
    rest: () => {
      const left = calls(waiting);
      waiting = [];
      return left;
    },
  };
}

function calls(entries: readonly { readonly call?: HeldCall }[]): HeldCall[] {
  return entries.flatMap(({ call }) => call === undefined ? [] : [call]);
}
