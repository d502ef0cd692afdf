/** The console form of a run: text as it comes, a line a tool call, diffs, what went wrong. */
import type { AgentEvent, Sink } from "../../core/event.ts";
import type { Usage } from "../../core/usage.ts";
import type { Json } from "../../core/json.ts";
import { textWidth } from "../../lib/text_width.ts";
import { wrapped } from "../../lib/wrapped.ts";
import { visible, visibleStream } from "../../lib/visible.ts";
import { type LiveLines, liveLines } from "./live_lines.ts";
import type { Screen } from "./screen.ts";
import { createStyle, type Style, withoutColours } from "./style.ts";
import { type TextFlow, textFlow } from "./text_flow.ts";
import { shownInput } from "./turn_typing.ts";
import { turnSummary } from "./turn_summary.ts";
import { callLine, callSubject, diffLines, resultText } from "./tool_lines.ts";

const maxLiveLines = 10;

export interface SinkOptions {
  /** Words are broken into lines at blanks, and Markdown is coloured. */
  readonly flows?: boolean;
  /** Of the model that is asked, 0 where it is unknown; absent: a turn has no closing line. */
  readonly contextWindow?: () => number;
}

/** A sink for a person. `style` is for everything but an answer that does not flow: that is text as it is. */
export function consoleSink(
  screen: Screen,
  style: Style,
  { flows = false, contextWindow }: SinkOptions = {},
): Sink {
  const answer = flowing(screen, "answer", style, flows);
  const thoughts = flowing(screen, "aside", createStyle(false), flows);
  let lastRequest: Usage = {}, works = false;
  let hasSpoken = false;
  let readable = visibleStream(), thinking = visibleStream();
  const running = new Map<string, { name: string; input: Json; live: LiveLines }>();

  async function result(event: Extract<AgentEvent, { type: "tool_result" }>): Promise<void> {
    const call = running.get(event.tool_id);
    running.delete(event.tool_id);
    await call?.live.end();
    const text = resultText(event, style);
    if (!await screen.goOn(`  ${text}`, event.tool_id)) {
      // something came in between: the line has to say what it is the result of
      const name = visible(call?.name ?? event.tool_name);
      const room = screen.columns - textWidth(withoutColours(text)) - textWidth(name) - 6;
      const subject = call === undefined ? "" : callSubject(call.input, Math.max(12, room));
      await screen.line(`  ${text} ${style.dim(subject === "" ? name : `${name} ${subject}`)}`);
    }
    for (const line of event.is_error ? [] : diffLines(event.output, style)) {
      await screen.line(line);
    }
  }

  async function queued(
    { action, mode, content }: Extract<AgentEvent, { type: "queue" }>,
  ): Promise<void> {
    if (content === undefined) return;
    const shown = shownInput(content);
    if (action === "enqueue") {
      const when = mode === "follow_up" ? "at the end" : "next";
      await screen.line(style.dim(`  ${when}: ${shown}`));
    } else if (works) await screen.line(`${style.bold(">")} ${shown}`);
  }

  const think = (text: string) => screen.stream(text === "" ? "" : style.dim(text), "aside");

  return async (event: AgentEvent) => {
    const endsBoth = textEnds.includes(event.type);
    if (endsBoth || event.type === "thinking_delta") await screen.stream(answer.end(), "answer");
    if (endsBoth || event.type === "message_delta") await think(thoughts.end());
    switch (event.type) {
      case "message": {
        // what no model said was not streamed
        if (event.role !== "assistant" || event.final !== true || hasSpoken) return;
        await screen.stream(answer.push(visible(event.content)), "answer");
        await screen.stream(answer.end(), "answer");
        return await screen.endLine();
      }
      case "message_delta":
        hasSpoken = true;
        return await screen.stream(answer.push(readable(event.delta)), "answer");
      case "thinking_delta":
        return await think(thoughts.push(thinking(event.delta)));
      case "step_start":
        readable = visibleStream();
        thinking = visibleStream();
        return await screen.endLine();
      case "tool_call": {
        const live = liveLines(screen, style, maxLiveLines);
        running.set(event.tool_id, { name: event.tool_name, input: event.input, live });
        const line = callLine(event.tool_name, event.input, screen.columns, style);
        return await screen.begin(line, event.tool_id);
      }
      case "tool_output_delta":
        return await running.get(event.tool_id)?.live.push(event.delta);
      case "tool_result":
        return await result(event);
      case "diagnostic":
        return await screen.line(
          `${event.level === "info" ? style.dim("note:") : style.yellow("warning:")} ${
            visible(event.message)
          }`,
        );
      case "error":
        if (event.code === "interrupted") return await screen.line(style.yellow("interrupted"));
        return await screen.line(`${style.red("error:")} ${visible(event.message)}`);
      case "step_end":
        lastRequest = event.usage;
        return;
      case "queue":
        return await queued(event);
      case "run_start":
        works = true;
        hasSpoken = false;
        return;
      case "run_end": {
        works = false;
        running.clear();
        await screen.endLine();
        if (contextWindow === undefined) return;
        const summary = turnSummary(event, lastRequest, contextWindow());
        for (const line of wrapped(summary, screen.columns - 1)) await screen.line(style.dim(line));
        return;
      }
      default:
        // records for programs
        return;
    }
  };
}

/** What ends a text that streams; a notice, or what is typed meanwhile, does not. */
const textEnds: readonly AgentEvent["type"][] = [
  "step_start",
  "tool_call",
  "step_end",
  "error",
  "run_end",
];

/** Text as it is, or broken into lines and coloured. */
function flowing(screen: Screen, what: "answer" | "aside", style: Style, flows: boolean): TextFlow {
  if (!flows) return { push: (piece) => piece, end: () => "" };
  return textFlow({ style, columns: () => screen.columns, width: () => screen.openWidth(what) });
}
