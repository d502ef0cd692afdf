/** The input line: editing, history, completion, lines that go on, text typed ahead. */
import { Buffer } from "node:buffer";
import { EventEmitter } from "node:events";
import { createInterface } from "node:readline";
import type { Terminal } from "../../core/host.ts";
import { pastePlaceholders } from "./paste_placeholders.ts";
import type { History } from "./history.ts";
import type { Typed } from "./keyboard.ts";
import { type Edited, type Recall, startRecall } from "./recall.ts";

export type LineEnd =
  | { readonly kind: "line"; readonly text: string }
  /** Ctrl-C; `empty` where there was nothing to clear. */
  | { readonly kind: "interrupt"; readonly empty: boolean }
  /** Ctrl-D on an empty line, or a terminal that is gone. */
  | { readonly kind: "end" };

export interface LineEditor {
  /** Shows `prompt` and takes what is typed until it ends; what was typed ahead comes first. */
  read(prompt: string): Promise<LineEnd>;
  /** True while a line is asked for. */
  reading(): boolean;
  /** What the keyboard gives; kept for the next `read` while none is under way. */
  feed(typed: Typed): void;
  /** The line that is being typed ahead, as far as keys go; "" right after Enter. */
  ahead(): string;
  /** What was typed ahead goes into the next line, but does not send it. */
  unsend(): void;
  /** Ends a `read` under way. */
  end(): void;
  close(): void;
}

/** Completions for the whole line up to the cursor. */
export type Complete = (line: string) => Promise<readonly string[]>;

const maxAhead = 10_000;

export function createLineEditor(
  { terminal, history, complete, dumb }: {
    terminal: Pick<Terminal, "writeOut" | "columns">;
    history: History;
    complete: Complete;
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
      complete(line).then((found) => done(null, [[...found], line]), () => done(null, [[], line]));
    },
  });
  /** Not all in the declared type: line and cursor as documented, and the row the cursor is on. */
  const state = readline as unknown as {
    line: string;
    cursor: number;
    prevRows: number;
  };
  let ahead: Typed[] = [];
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

  function move(way: "up" | "down"): void {
    recall ??= startRecall(history.entries().map((entry) => held.shorten(entry)));
    const found = recall[way](state);
    if (found) show(found);
  }

  function press(key: string): void {
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
        toEndOfLine();
        state.line = "";
        state.cursor = 0;
        state.prevRows = 0;
        return finish({ kind: "interrupt", empty });
      }
      case "\x04":
        return state.line === "" ? finish({ kind: "end" }) : input.type(key);
      case "\x7f":
      case "\b":
        return dumb ? takeBack() : input.type(key);
      default:
        return input.type(dumb ? key.replace(/[^ -\uffff]/g, "") : key);
    }
  }

  function toEndOfLine(): void {
    if (state.cursor < state.line.length) input.type("\x05");
  }

  function takeBack(): void {
    if (state.line !== "") terminal.writeOut("\b \b").catch(() => {});
    state.line = [...state.line].slice(0, -1).join("");
    state.cursor = state.line.length;
  }

  /** Takes as much of it as the line needs, and gives the rest. */
  function consume(typed: Typed): Typed | undefined {
    switch (typed.kind) {
      case "end":
        finish(typed);
        return undefined;
      case "redraw":
        readline.prompt(true);
        return undefined;
      case "paste":
        insert(held.shorten(typed.text));
        return undefined;
      case "keys": {
        const keys = typed.text.match(pieces) ?? [];
        while (settle !== undefined && keys.length > 0) press(keys.shift()!);
        return keys.length === 0 ? undefined : { kind: "keys", text: keys.join("") };
      }
    }
  }

  function feed(typed: Typed): void {
    if (settle === undefined) {
      if (typed.kind === "redraw") return;
      if (ahead.length < maxAhead) ahead.push(typed);
      return;
    }
    const rest = consume(typed);
    if (rest) ahead.push(rest);
  }

  return {
    read(prompt) {
      return new Promise((resolve) => {
        settle = resolve;
        recall = undefined;
        state.line = "";
        state.cursor = 0;
        readline.setPrompt(prompt);
        readline.prompt();
        const typed = ahead;
        ahead = [];
        for (const part of typed) feed(part);
      });
    },
    reading: () => settle !== undefined,
    feed,
    ahead: () =>
      ahead.map((typed) => typed.kind === "keys" ? typed.text : "").join("").split(/[\r\n]/).at(
        -1,
      )!,
    unsend() {
      ahead = ahead.map((typed) =>
        typed.kind === "keys"
          ? { kind: "keys", text: typed.text.replace(/[\r\n]+$/, "").replace(/[\r\n]/g, "\x1b\r") }
          : typed
      );
    },
    end: () => finish({ kind: "end" }),
    close() {
      settle = undefined;
      readline.close();
    },
  };
}

/** The keys that are handled here, one by one, and what is between them. */
const own = String.raw`\x1b(?:[\r\n]|[[O][AB])|[\x03\x04\b\x0e\x10\x7f\r\n]`;
const pieces = new RegExp(`${own}|(?:(?!${own})[^])+`, "g");

/** A stream for readline whose keys have had their effect when `type` returns. */
function inputStream() {
  const stream = new EventEmitter();
  return Object.assign(stream, {
    isTTY: true,
    resume: () => stream,
    pause: () => stream,
    setRawMode: () => stream,
    type: (keys: string) => void stream.emit("data", Buffer.from(keys)),
  });
}

function outputStream(terminal: Pick<Terminal, "writeOut" | "columns">) {
  const stream = new EventEmitter();
  return Object.assign(
    Object.defineProperty(stream, "columns", { get: () => terminal.columns }),
    {
      isTTY: true,
      write(text: string | Uint8Array, ...more: unknown[]) {
        const written = typeof text === "string" ? text : new TextDecoder().decode(text);
        const done = more.findLast((value) => typeof value === "function") as
          | (() => void)
          | undefined;
        // a terminal that is gone ends the reading, which is noticed there
        terminal.writeOut(written).catch(() => {}).then(() => done?.());
        return true;
      },
    },
  );
}
