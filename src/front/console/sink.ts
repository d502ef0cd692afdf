/** Owns the console form: the answer streams to stdout, what happens meanwhile goes to stderr. */
import type { AgentEvent, Sink } from "../../core/event.ts";
import type { Terminal } from "../../core/host.ts";
import { visible, visibleStream } from "../../lib/visible.ts";
import type { Style } from "./style.ts";
import { callLine, diffLines, resultLine } from "./tool_lines.ts";

const maxLiveLines = 10;

export interface ConsoleSinkOptions {
  readonly terminal: Terminal;
  /** For everything but the answer, which is text as it is. */
  readonly sideStyle: Style;
}

/** A sink for a person: text as it comes, a line a tool call, diffs, output dimmed and shortened. */
export function consoleSink({ terminal, sideStyle: style }: ConsoleSinkOptions): Sink {
  /** Whether the last thing written to stdout left a line open. */
  let openLine = false;
  let readable = visibleStream();
  let liveLines = 0, liveOpen = false;

  async function side(line: string): Promise<void> {
    await endLine();
    await terminal.writeErr(`${line}\n`);
  }

  async function endLine(): Promise<void> {
    if (!openLine) return;
    openLine = false;
    await terminal.writeOut("\n");
  }

  async function answer(delta: string): Promise<void> {
    const text = readable(delta);
    if (text === "") return;
    await terminal.writeOut(text);
    openLine = !text.endsWith("\n");
  }

  async function live(delta: string): Promise<void> {
    if (liveLines > maxLiveLines) return;
    const lines = visible(delta).replace(/\n$/, "").split("\n");
    for (const line of lines) {
      if (++liveLines > maxLiveLines) {
        await side(style.dim("  …"));
        return;
      }
      await side(style.dim(`  ${line.slice(0, terminal.columns - 3)}`));
    }
  }

  return async (event: AgentEvent) => {
    switch (event.type) {
      case "message_delta":
        return await answer(event.delta);
      case "step_start":
        readable = visibleStream();
        return await endLine();
      case "tool_call":
        liveLines = 0;
        liveOpen = true;
        return await side(callLine(event.tool_name, event.input, terminal.columns, style));
      case "tool_output_delta":
        return liveOpen ? await live(event.delta) : undefined;
      case "tool_result":
        await side(resultLine(event, style));
        for (const line of event.is_error ? [] : diffLines(event.output, style)) await side(line);
        return;
      case "diagnostic":
        return await side(
          `${event.level === "info" ? style.dim("note:") : style.yellow("warning:")} ${
            visible(event.message)
          }`,
        );
      case "error":
        return await side(`${style.red("error:")} ${visible(event.message)}`);
      case "run_end":
        return await endLine();
      case "session_start":
      case "run_start":
      case "message":
      case "thinking_delta":
      case "step_end":
      case "session_end":
      case "queue":
      case "response":
      case "approval_required":
        return;
    }
  };
}
