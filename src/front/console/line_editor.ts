/** The input line: editing, history, completion, lines that go on, text typed ahead. */
import { createInterface } from "node:readline";
import type { Terminal } from "../../core/host.ts";
import { yieldToEvents } from "../../lib/yield_to_events.ts";
import { pastePlaceholders } from "./paste_placeholders.ts";
import { type Complete, completedLine, type Completions } from "./complete.ts";
import { completionList } from "./completion_list.ts";
import type { History } from "./history.ts";
import { historySearch } from "./history_search.ts";
import type { Typed } from "./keyboard.ts";
import type { LineEditor, LineEnd } from "./line_editor_port.ts";
import { inputStream, outputStream } from "./readline_streams.ts";
import { type Edited, type Recall, startRecall } from "./recall.ts";
import { keysOf, typedQueue } from "./typed_queue.ts";

/** A line that grows beyond this is shown with marks for long texts. */
const maxLineChars = 20_000;
/** Longest stretch of work on keys before other events get their turn. */
const sliceMs = 12;

export function createLineEditor(
  { terminal, history, complete, changeMode, dumb }: {
    terminal: Pick<Terminal, "writeOut" | "columns">;
    history: History;
    complete: Complete;
    /** Goes to the other mode; gives the prompt from then on. */
    changeMode: () => string;
    /** A terminal that knows no movement of the cursor: readline then edits nothing. */
    dumb: boolean;
  },
): LineEditor {
  const held = pastePlaceholders();
  const input = inputStream();
  const readline = createInterface({
    input: input as unknown as NodeJS.ReadableStream,
    output: outputStream(terminal) as unknown as NodeJS.WritableStream,
    terminal: true,
    historySize: 0,
    escapeCodeTimeout: 50,
    completer: (line: string, done: (error: null, found: [string[], string]) => void) => {
      // what is found is put in here; readline itself is told of nothing
      complete(line).then((found) => offer(line, found), () => {}).then(() =>
        done(null, [[], line])
      );
    },
  });
  /** Not all in the declared type: line and cursor as documented, and the row the cursor is on. */
  const state = readline as unknown as { line: string; cursor: number; prevRows: number };
  const queue = typedQueue(), closed = new AbortController();
  let pumping = false, lastKey = "", usualPrompt = "";
  let recall: Recall | undefined;
  let settle: ((end: LineEnd) => void) | undefined;

  function finish(end: LineEnd): void {
    const done = settle;
    settle = undefined;
    done?.(end);
  }

  readline.on("line", (line: string) => {
    const text = held.expand(line);
    history.add(text);
    finish({ kind: "line", text });
  });

  function show({ line, cursor }: Edited): void {
    state.line = line;
    state.cursor = cursor;
    readline.prompt(true);
  }

  function insert(text: string): void {
    const { line, cursor } = state;
    show({
      line: line.slice(0, cursor) + text + line.slice(cursor),
      cursor: cursor + text.length,
    });
  }

  /** Completes as far as it is clear, and shows what there is where it is not. */
  function offer(line: string, found: Completions): void {
    const { cursor } = state;
    if (found.found.length === 0 || state.line.slice(0, cursor) !== line) return;
    const start = completedLine(line, found);
    if (start !== undefined) {
      return show({ line: start + state.line.slice(cursor), cursor: start.length });
    }
    beside(() => terminal.writeOut(completionList(found.found, terminal.columns))).catch(() => {});
  }

  /** What is shown stands below the line, and the line once more below that. */
  async function beside(show: () => Promise<void>): Promise<void> {
    if (settle === undefined) return await show();
    toEndOfLine(state.cursor);
    terminal.writeOut(state.line === "" && !dumb ? "\r\x1b[J" : "\n").catch(() => {});
    state.prevRows = 0;
    await show();
    if (settle !== undefined) readline.prompt(true);
  }

  const entries = () => history.entries().map((entry) => held.shorten(entry));
  const search = historySearch({
    entries,
    edited: () => ({ line: state.line, cursor: state.cursor }),
    show(edited, shown = usualPrompt) {
      readline.setPrompt(shown);
      show(edited);
    },
  });

  function move(way: "up" | "down"): void {
    recall ??= startRecall(entries());
    const found = recall[way](state);
    if (found) show(found);
  }

  function press(key: string): void {
    if (!dumb && search.press(key)) return;
    switch (key) {
      case "\r":
      case "\n":
        if (state.cursor === state.line.length && /(?<!\\)(?:\\\\)*\\$/.test(state.line)) {
          state.line = state.line.slice(0, -1);
          state.cursor = state.line.length;
          return insert("\n");
        }
        toEndOfLine(); // where readline ends the line is where the cursor is
        return input.type("\r");
      case "\x1b\r":
      case "\x1b\n":
      case "\x1b[13;2u": // Shift-Enter, of terminals that tell it
      case "\x1b[27;2;13~":
        return insert("\n");
      case "\x1b[A":
      case "\x1bOA":
      case "\x10":
        return move("up");
      case "\x1b[B":
      case "\x1bOB":
      case "\x0e":
        return move("down");
      case "\x03": {
        const empty = state.line === "";
        toEndOfLine(0);
        state.line = "";
        state.prevRows = 0;
        return finish({ kind: "interrupt", empty });
      }
      case "\x04":
        return state.line === "" ? finish({ kind: "end" }) : input.type(key);
      case "\x1b[Z": // Shift-Tab
        readline.setPrompt(usualPrompt = changeMode());
        return void readline.prompt(true);
      case "\x7f":
      case "\b":
        return dumb ? takeBack() : input.type(key);
      default:
        if (dumb) return input.type(key.replace(/[^ -\uffff]/g, ""));
        return type(key);
    }
  }

  function type(text: string): void {
    const typed = keysOf(text, lastKey);
    if (typed !== "") input.type(typed);
    const rest = text.slice(typed.length);
    if (rest === "") return;
    insert(state.line.length + rest.length > maxLineChars ? held.shorten(rest) : rest);
  }

  /** The screen's cursor; the line's own is at `cursor` then. */
  function toEndOfLine(cursor = state.line.length): void {
    if (state.cursor < state.line.length) input.type("\x05");
    state.cursor = cursor;
  }

  function takeBack(): void {
    if (state.line !== "") terminal.writeOut("\b \b").catch(() => {});
    state.line = [...state.line].slice(0, -1).join("");
    state.cursor = state.line.length;
  }

  function use(typed: Typed): void {
    switch (typed.kind) {
      case "end":
        return finish(typed);
      case "redraw":
        return void readline.prompt(true);
      case "paste":
        search.leave();
        return insert(held.shorten(typed.text));
      case "keys":
        press(typed.text);
        lastKey = typed.text;
    }
  }

  /** Uses what waits while a line is asked for; what takes long is gone on with a moment later. */
  function pump(): void {
    const untilMs = performance.now() + sliceMs;
    while (settle !== undefined) {
      const typed = queue.next();
      if (typed === undefined) return;
      use(typed);
      if (performance.now() < untilMs) continue;
      pumping = true;
      return void yieldToEvents(closed.signal).then(() => {
        pumping = false;
        pump();
      }, () => {});
    }
  }

  return {
    read(prompt) {
      return new Promise((resolve) => {
        settle = resolve;
        recall = undefined;
        state.line = "";
        state.cursor = 0;
        readline.setPrompt(usualPrompt = prompt);
        readline.prompt();
        if (!pumping) pump();
      });
    },
    reading: () => settle !== undefined,
    feed(typed) {
      if (typed.kind === "redraw" && settle === undefined) return;
      queue.add(typed);
      if (!pumping) pump();
    },
    ahead: () => queue.openLine(),
    beside,
    isIdle: () => settle === undefined && queue.isEmpty(),
    unsend: () => queue.joinLines(),
    wake() {
      if (settle === undefined) return;
      search.leave();
      const line = held.expand(state.line);
      show({ line: "", cursor: 0 });
      finish({ kind: "woken", line });
    },
    end: () => finish({ kind: "end" }),
    close() {
      settle = undefined;
      closed.abort();
      readline.close();
    },
  };
}
