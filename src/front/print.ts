/** Owns print mode: stdout carries the final answer alone, stderr what a person should know. */
import type { RunOutcome } from "../core/conversation.ts";
import type { Sink } from "../core/event.ts";
import type { Terminal } from "../core/host.ts";
import { textPieces } from "../lib/text_pieces.ts";
import { visible } from "../lib/visible.ts";

/** A sink that tells diagnostics on stderr and nothing else. */
export function printSink(terminal: Terminal): Sink {
  return async (event) => {
    if (event.type === "diagnostic") await terminal.writeErr(`nimlet: ${visible(event.message)}\n`);
  };
}

/** The final answer with one newline at its end; nothing where the run did not end well. */
export async function printAnswer(terminal: Terminal, outcome: RunOutcome): Promise<void> {
  if (outcome.status === "done") {
    const { text } = outcome;
    let end = text.length;
    while (text[end - 1] === "\n") end--;
    await terminal.writeOut([...textPieces(text.slice(0, end)), "\n"]);
  }
  if (outcome.failure) await terminal.writeErr(`nimlet: ${visible(outcome.failure.message)}\n`);
}
