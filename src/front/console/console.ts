/** Owns the console as a whole: keyboard, screen, person, and the loop over a desk. */
import type { Desk } from "../../core/desk.ts";
import type { Sink } from "../../core/event.ts";
import type { Host } from "../../core/host.ts";
import { Interruption } from "../../core/interruption.ts";
import type { Person } from "../../core/person.ts";
import { visible } from "../../lib/visible.ts";
import { commandTable } from "./commands.ts";
import { completeCommands } from "./complete.ts";
import { type HistoryFile, openHistory } from "./history.ts";
import { openKeyboard } from "./keyboard.ts";
import { createLineEditor } from "./line_editor.ts";
import { consoleLoop, createTurns } from "./loop.ts";
import { createPerson } from "./person.ts";
import { createScreen } from "./screen.ts";
import { consoleSink } from "./sink.ts";
import { createStyle, wantsColour } from "./style.ts";

export interface Console {
  readonly sink: Sink;
  readonly person: Person;
  /** Ends the program's start, too: `interrupt` of a question before the loop. */
  readonly signal: AbortSignal;
  /** Works until the person quits; gives the exit status. */
  loop(desk: Desk, start: { version: string; firstPrompt: string }): Promise<number>;
  /** Gives the terminal back. */
  close(): void;
}

/** Takes the terminal over. Everything is written to stdout, which is a terminal here. */
export function openConsole(
  { terminal, env }: Host,
  historyFile: HistoryFile | undefined,
  end: AbortSignal,
): Console {
  const write = terminal.writeOut;
  const style = createStyle(wantsColour(terminal.stdoutIsTerminal, env.get));
  const screen = createScreen({
    columns: () => terminal.columns,
    writeAnswer: write,
    writeAside: write,
  });
  const keyboard = openKeyboard(terminal, "keys");
  const turns = createTurns(end);
  const start = new AbortController();
  const interrupt = () =>
    turns.running ? turns.interrupt() : start.abort(new Interruption("SIGINT"));
  return {
    sink: consoleSink(screen, style),
    person: createPerson({ screen, style, interrupt, withKeyboard: (use) => use(keyboard) }),
    signal: AbortSignal.any([end, start.signal]),
    async loop(desk, { version, firstPrompt }) {
      const editor = createLineEditor({
        terminal,
        history: openHistory(historyFile),
        complete: completeCommands(commandTable, () => desk),
      });
      const release = keyboard.take((typed) => {
        if (turns.running && typed.kind === "keys" && typed.text.includes("\x03")) {
          editor.unsend();
          return turns.interrupt();
        }
        editor.feed(typed);
      });
      try {
        const { provider, model } = desk.conversation().state();
        await screen.line(
          style.dim(`nimlet ${version}, ${visible(`${provider} ${model}`)}; /help lists commands`),
        );
        await desk.open();
        return await consoleLoop({
          desk,
          editor,
          screen,
          style,
          version,
          turns,
          signal: end,
          firstPrompt,
        });
      } finally {
        release();
        editor.close();
      }
    },
    close: () => keyboard.close(),
  };
}
