/** What -v adds to a run of a script: a line on stderr for each step, call and result. */
import type { Sink } from "../core/event.ts";
import type { Host } from "../core/host.ts";
import { visible } from "../lib/visible.ts";
import { createStyle, wantsColour } from "./console/style.ts";
import { callLine, resultText } from "./console/tool_lines.ts";

/** Where stderr is no terminal; a log has no columns, but a line should stay readable. */
const logColumns = 200;

/** `sink`, with lines on stderr before what it does with an event. */
export function progressSink(sink: Sink, { terminal, env }: Pick<Host, "terminal" | "env">): Sink {
  const style = createStyle(wantsColour(terminal.stderrIsTerminal, env.get));
  const columns = () => terminal.stderrIsTerminal ? terminal.columns : logColumns;
  /** The lines of the calls that run, by id. */
  const calls = new Map<string, string>();

  function lineOf(event: Parameters<Sink>[0], sessionId = ""): string | undefined {
    switch (event.type) {
      case "session_start":
        return `session ${sessionId}${event.resumed ? ", resumed" : ""}`;
      case "step_start":
        return `step ${event.step}, ${visible(event.model)}`;
      case "tool_call": {
        const line = callLine(event.tool_name, event.input, columns(), style);
        calls.set(event.tool_id, line);
        return line;
      }
      case "tool_result": {
        const call = calls.get(event.tool_id) ?? visible(event.tool_name);
        calls.delete(event.tool_id);
        return `${call} ${resultText(event, style)}`;
      }
      default:
        return undefined;
    }
  }

  return async (event, ids) => {
    const line = lineOf(event, ids.session_id);
    if (line !== undefined) await terminal.writeErr(`nimlet: ${line}\n`);
    await sink(event, ids);
  };
}
