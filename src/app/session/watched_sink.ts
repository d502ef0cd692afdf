/** Starts the watchdog when a run begins to work on what others send. */
import type { Sink } from "../../core/event.ts";
import type { Watchdog } from "../../core/host.ts";

/** The first request is on its way by then, and the time that the start takes is spent waiting. */
const afterRequestMs = 30;

/** `sink`, with the program watched from the first answer on, and in any case from the first call on. */
export function watchedSink(sink: Sink, watchdog: Watchdog): Sink {
  let asked = false;
  return async (event, ids) => {
    if (event.type === "step_start" && !asked) {
      asked = true;
      watchdog.start(afterRequestMs);
    } else if (event.type === "tool_call") watchdog.start();
    await sink(event, ids);
  };
}
