/** A sink whose events the status line follows. */
import type { Sink } from "../../core/event.ts";
import type { StatusLine } from "./status_line.ts";

export function statusSink(sink: Sink, status: StatusLine): Sink {
  return async (event, ids) => {
    if (event.type === "run_end") {
      status.event(event);
      await status.hide();
      return await sink(event, ids);
    }
    await sink(event, ids);
    status.event(event);
  };
}
