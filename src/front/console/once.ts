/** The console form of a single prompt: the answer on stdout, all else on stderr. */
import type { Sink } from "../../core/event.ts";
import type { Host } from "../../core/host.ts";
import type { Person } from "../../core/person.ts";
import { openKeyboard } from "./keyboard.ts";
import { lacksUnicode } from "./marks.ts";
import { createPerson } from "./person.ts";
import { createScreen } from "./screen.ts";
import { consoleSink } from "./sink.ts";
import { createStatusLine, noStatusLine } from "./status_line.ts";
import { statusSink } from "./status_sink.ts";
import { createStyle, wantsColour } from "./style.ts";
import { wholeAnswers } from "./whole_answers.ts";

export interface OnceConsole {
  readonly sink: Sink;
  /** Absent where nobody could see a question at a terminal, or answer it there. */
  readonly person: Person | undefined;
}

/** `contextWindow` is that of the model that is asked, 0 as long as it is unknown. */
export function onceConsole(
  { terminal, env, clock }: Host,
  contextWindow: () => number,
): OnceConsole {
  const style = createStyle(wantsColour(terminal.stderrIsTerminal, env.get));
  const movesCursor = terminal.stdoutIsTerminal && terminal.stderrIsTerminal &&
    env.get("TERM") !== "dumb";
  const screen = createScreen({
    columns: () => terminal.columns,
    rows: () => terminal.rows,
    writeAnswer: terminal.writeOut,
    writeAside: terminal.writeErr,
    plain: lacksUnicode(env.get),
    movesCursor,
  });
  const status = movesCursor ? createStatusLine(screen, style, clock) : noStatusLine;
  // a question must be where somebody sees it
  const asking = terminal.stderrIsTerminal ? screen : createScreen({
    columns: () => terminal.columns,
    writeAnswer: terminal.writeOut,
    writeAside: terminal.writeOut,
  });
  const seen = terminal.stderrIsTerminal || terminal.stdoutIsTerminal;
  const person = createPerson({
    screen: asking,
    style,
    withKeyboard: (use) =>
      status.whileAsking(async () => {
        // Ctrl-C stays a signal, which ends the run as it does all the time
        const keyboard = openKeyboard(terminal, "keys and signals");
        try {
          // what was typed before the question is no answer to it
          const dropped = keyboard.take(() => {});
          await clock.delay(drainMs);
          dropped();
          return await use(keyboard);
        } finally {
          keyboard.close();
        }
      }),
    callArrives: status.writes,
    interrupt() {},
  });
  const sink = statusSink(
    consoleSink(screen, style, {
      flows: wantsColour(terminal.stdoutIsTerminal, env.get),
      ...terminal.stderrIsTerminal ? { contextWindow } : {},
    }),
    status,
  );
  return {
    sink: terminal.stdoutIsTerminal ? sink : wholeAnswers(sink),
    person: terminal.stdinKind === "terminal" && seen ? person : undefined,
  };
}

/** Long enough to read what the terminal holds. */
const drainMs = 30;
