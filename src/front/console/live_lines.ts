/** The output of a running tool as a person sees it: dimmed, a few whole lines. */
import { shortenToWidth } from "../../lib/text_width.ts";
import { visible } from "../../lib/visible.ts";
import { withoutEnd } from "../../lib/trim.ts";
import type { Screen } from "./screen.ts";
import type { Style } from "./style.ts";

export interface LiveLines {
  push(delta: string): Promise<void>;
  /** Shows what is left of an unfinished line, and how much was not shown. */
  end(): Promise<void>;
}

const maxLineChars = 4000;

/**
 * Shows at most `maxLines` lines, each cut to the width of the screen. Of what a carriage return overwrites
 * the last counts, as in the result: a progress bar is one line.
 */
export function liveLines(
  screen: Screen,
  style: Style,
  maxLines: number,
  indent = "  ",
): LiveLines {
  let open = "", seen = 0;

  async function show(line: string): Promise<void> {
    if (++seen > maxLines) return;
    const text = visible(lastFrame(line)).replaceAll("\t", "    ");
    const room = Math.max(8, screen.columns - indent.length - 1);
    await screen.line(style.dim(indent + shortenToWidth(text, room)));
  }

  return {
    async push(delta) {
      const lines = (open + delta).split("\n");
      open = lastFrame(lines.pop()!);
      for (const line of lines) await show(line);
      // a line without an end is cut anyway
      if (open.length > maxLineChars) open = open.slice(0, maxLineChars);
    },
    async end() {
      if (open !== "") await show(open);
      open = "";
      const hidden = seen - maxLines;
      if (hidden <= 0) return;
      await screen.line(style.dim(`${indent}… ${hidden} more ${hidden === 1 ? "line" : "lines"}`));
    },
  };
}

/** What a terminal would leave of a line; a CR at its end may belong to it. */
function lastFrame(line: string): string {
  const text = withoutEnd(line, "\r");
  return line.slice(text.lastIndexOf("\r") + 1);
}
