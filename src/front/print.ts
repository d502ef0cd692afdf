/** Print mode: stdout carries the final answer alone, stderr what a person should know. */
import type { RunOutcome } from "../core/conversation.ts";
import type { Sink } from "../core/event.ts";
import type { Terminal } from "../core/host.ts";
import { longChars, textPieces } from "../lib/text_pieces.ts";
import { visible } from "../lib/visible.ts";

/** A sink that writes diagnostics to stderr and nothing else. */
export function printSink(terminal: Terminal): Sink {
  return async (event) => {
    if (event.type === "diagnostic") await terminal.writeErr(`nimlet: ${visible(event.message)}\n`);
  };
}

/**
 * The final answer with one newline at its end, also one that a limit cut off; nothing where the run
 * did not end well otherwise. A person's
 * terminal is not driven by it; a file or pipe gets it as it is.
 */
export async function printAnswer(terminal: Terminal, outcome: RunOutcome): Promise<void> {
  if (outcome.status === "done" || outcome.cut && outcome.text !== "") {
    const text = terminal.stdoutIsTerminal ? visible(outcome.text) : outcome.text;
    let end = text.length;
    while (text[end - 1] === "\n") end--;
    const answer = text.slice(0, end);
    await terminal.writeOut(end < longChars ? `${answer}\n` : [...textPieces(answer), "\n"]);
  }
  if (outcome.failure) await terminal.writeErr(`nimlet: ${visible(outcome.failure.message)}\n`);
}
