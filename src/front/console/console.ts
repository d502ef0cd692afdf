/** The console as a whole: keyboard, screen, person, and the loop over a conversation. */
import type { Sink } from "../../core/event.ts";
import type { Host } from "../../core/host.ts";
import { Interruption } from "../../core/interruption.ts";
import type { Person } from "../../core/person.ts";
import { visible } from "../../lib/visible.ts";
import { commandTable } from "./commands.ts";
import { createComplete } from "./complete.ts";
import { textOfKeys } from "./draft.ts";
import { heldEscape } from "./held_escape.ts";
import { type HistoryFile, openHistory } from "./history.ts";
import { openKeyboard, type Typed } from "./keyboard.ts";
import { createLineEditor } from "./line_editor.ts";
import { consoleLoop } from "./loop.ts";
import { lacksUnicode } from "./marks.ts";
import { createPerson } from "./person.ts";
import { promptText } from "./prompt_text.ts";
import { createScreen } from "./screen.ts";
import type { ConsoleServices } from "./services.ts";
import { consoleSink } from "./sink.ts";
import { createStatusLine, noStatusLine } from "./status_line.ts";
import { statusSink } from "./status_sink.ts";
import { readTyped } from "./typed_line.ts";
import { createStyle, wantsColour } from "./style.ts";
import { createTurnTyping } from "./turn_typing.ts";
import { createTurns } from "./turns.ts";

export interface Console {
  readonly sink: Sink;
  readonly person: Person;
  /** Ends the program's start, too: `interrupt` of a question before the loop. */
  readonly signal: AbortSignal;
  /** Works until the person quits; gives the exit status. */
  loop(services: ConsoleServices, start: { version: string; firstPrompt: string }): Promise<number>;
  /** Gives the terminal back. */
  close(): Promise<void>;
}

/** Takes the terminal over. Everything is written to stdout, which is a terminal here. */
export function openConsole(
  { terminal, env, clock }: Host,
  historyFile: HistoryFile | undefined,
  end: AbortSignal,
): Console {
  const write = terminal.writeOut;
  const colours = wantsColour(terminal.stdoutIsTerminal, env.get);
  const style = createStyle(colours);
  const movesCursor = env.get("TERM") !== "dumb";
  const screen = createScreen({
    columns: () => terminal.columns,
    rows: () => terminal.rows,
    writeAnswer: write,
    writeAside: write,
    plain: lacksUnicode(env.get),
    movesCursor,
  });
  const status = movesCursor ? createStatusLine(screen, style, clock) : noStatusLine;
  const keyboard = openKeyboard(terminal, "keys", status.hide);
  const turns = createTurns(end);
  const start = new AbortController();
  let typedAheadMs = -Infinity;
  /** What Ctrl-C does instead of interrupting the turn. */
  let goOn: (() => void) | undefined;
  /** Undefined while the program starts. */
  let current: ConsoleServices | undefined;
  const history = openHistory(historyFile);
  const editor = createLineEditor({
    terminal,
    history,
    complete: createComplete(commandTable, () => current),
    changeMode,
    dumb: env.get("TERM") === "dumb",
  });
  /** A line is asked for only where there are services. */
  function changeMode(): string {
    const services = current!;
    const { mode } = services.conversation.state();
    // what cannot be recorded is reported by whoever records
    services.conversation.setMode(mode === "plan" ? "act" : "plan").catch(() => {});
    return promptText(services, style);
  }

  function interrupt(): void {
    editor.unsend();
    if (current !== undefined) turns.interrupt();
    else start.abort(new Interruption("SIGINT"));
  }

  const typing = createTurnTyping({
    conversation: () => current?.conversation,
    isForConsole: (line) => isForConsole(line, current),
    editor,
    history,
    screen,
    style,
    status,
  });

  function keepAhead(typed: Typed): void {
    typedAheadMs = clock.monotonic();
    if (typing.take(typed)) return;
    if (typed.kind !== "keys" || !/[\r\n]$/.test(typed.text)) {
      editor.feed(typed);
      return status.typed(textOfKeys(editor.ahead()));
    }
    // the person should see that a line has arrived, though it has to wait
    const line = visible(`${editor.ahead()}${typed.text.trimEnd()}`.slice(0, maxNextChars));
    editor.feed(typed);
    status.typed("");
    if (line !== "") screen.line(style.dim(`  next: ${line}`)).catch(() => {});
  }

  /** Ctrl-C comes alone: after an Enter in the same piece it is for what that line started. */
  function takeOne(typed: Typed): void {
    if (current !== undefined && !turns.running && editor.reading()) return editor.feed(typed);
    if (typed.kind !== "keys" || typed.text !== "\x03") return keepAhead(typed);
    const instead = goOn;
    goOn = undefined;
    if (instead !== undefined) instead();
    else interrupt();
  }

  const escape = heldEscape(() => {
    if (turns.running) interrupt();
  });
  const release = keyboard.take((typed) => {
    if (typed.kind !== "keys") return takeOne(typed);
    if (typed.text === "\x1b" && turns.running) return escape.hold();
    const keys = escape.release() + typed.text;
    // deno-lint-ignore no-control-regex -- the key itself
    for (const text of keys.split(/(\x03)/)) {
      if (text !== "") takeOne({ kind: "keys", text });
    }
  });

  const person = createPerson({
    screen,
    style,
    interrupt,
    withKeyboard: (use) => status.whileAsking(() => use(keyboard)),
    callArrives: status.writes,
    whileWaiting(given) {
      goOn = given;
      return () => {
        if (goOn === given) goOn = undefined;
      };
    },
    typing: {
      lastMs: () => typedAheadMs,
      nowMs: () => clock.monotonic(),
      keep: keepAhead,
    },
  });

  const shown = consoleSink(screen, style, {
    flows: colours,
    contextWindow: () => current?.conversation.state().contextWindow ?? 0,
  });

  const shownBeside: Sink = async (event, ids) => {
    // what comes while a line is asked for begins a turn, which shows it
    if (event.type === "queue" && editor.reading()) return;
    if (event.type !== "diagnostic") return await shown(event, ids);
    await editor.beside(async () => await shown(event, ids));
  };

  return {
    sink: statusSink(shownBeside, status),
    person,
    signal: AbortSignal.any([end, start.signal]),
    async loop(services, { version, firstPrompt }) {
      current = services;
      const { provider, model } = services.conversation.state();
      await screen.line(
        style.dim(`nimlet ${version}, ${visible(`${provider} ${model}`)}; /help lists commands`),
      );
      await services.conversation.open();
      return await consoleLoop({
        services,
        editor,
        screen,
        style,
        version,
        turns,
        status,
        settle: typing.settle,
        confirm: person.confirm,
        signal: end,
        firstPrompt,
      });
    },
    async close() {
      release();
      escape.release();
      await status.close();
      editor.close();
      keyboard.close();
    },
  };
}

/** A command or a mistake for one, in a line that is typed while a turn runs. */
async function isForConsole(line: string, services: ConsoleServices | undefined): Promise<boolean> {
  const typed = readTyped(line, commandTable);
  if (typed.kind !== "slash") return typed.kind !== "prompt";
  if (typed.name === "") return true;
  return await services?.slashPrompts().meaning(line) === "unknown";
}

/** Shown of a line that waits. */
const maxNextChars = 500;
