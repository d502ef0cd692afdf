/** Holds the text of each step until it is whole: what a file has taken cannot be taken back. */
import type { AgentEvent, EventIds, Sink } from "../../core/event.ts";

/** Hands everything on to `sink`, the text of a step once no repeat of the step can replace it. */
export function wholeAnswers(sink: Sink): Sink {
  let held: Extract<AgentEvent, { type: "message_delta" }>[] = [];

  async function handOn(ids: EventIds): Promise<void> {
    const [first] = held;
    if (first === undefined) return;
    const delta = held.map((event) => event.delta).join("");
    held = [];
    await sink({ ...first, delta }, ids);
  }

  return async (event, ids) => {
    switch (event.type) {
      case "message_delta":
        held.push(event);
        return;
      case "step_start":
        held = [];
        break;
      case "tool_call":
      case "step_end":
      case "error":
      case "run_end":
        await handOn(ids);
        break;
    }
    await sink(event, ids);
  };
}
