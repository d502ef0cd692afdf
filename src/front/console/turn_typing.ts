/** What is typed while a prompt is worked on: it enters the run, or waits for its end. */
import type { Conversation, QueuedInput, QueueKind, RunOutcome } from "../../core/conversation.ts";
import { messageOf } from "../../core/failure.ts";
import { visible } from "../../lib/visible.ts";
import { createDraft, type DraftEnd } from "./draft.ts";
import type { History } from "./history.ts";
import type { Typed } from "./keyboard.ts";
import type { LineEditor } from "./line_editor_port.ts";
import type { Screen } from "./screen.ts";
import type { StatusLine } from "./status_line.ts";
import type { Style } from "./style.ts";

export interface TurnTyping {
  /** Takes what is typed; false where it is none of the turn's. */
  take(typed: Typed): boolean;
  /**
   * For the end of a prompt's work: what did not enter goes into the next line, or is sent with it. Gives
   * what no person wrote.
   */
  settle(outcome: Pick<RunOutcome, "status">): Promise<readonly QueuedInput[]>;
}

export interface TurnTypingOptions {
  /** Undefined while the program starts. */
  readonly conversation: () => Conversation | undefined;
  /** A line for the console itself, which waits for the end of the turn. */
  readonly isForConsole: (line: string) => Promise<boolean>;
  readonly editor: LineEditor;
  readonly history: History;
  readonly screen: Screen;
  readonly style: Style;
  readonly status: StatusLine;
}

const kinds: Record<DraftEnd, QueueKind> = { enter: "steer", alt_enter: "follow_up" };

export function createTurnTyping(options: TurnTypingOptions): TurnTyping {
  const { conversation, editor, history, screen, style, status } = options;
  const draft = createDraft();
  /** Lines for the console, in the order in which they were typed. */
  let later: string[] = [];
  let entering: Promise<void> = Promise.resolve();

  async function enter(text: string, end: DraftEnd): Promise<void> {
    try {
      if (await options.isForConsole(text)) {
        later.push(text);
        return await screen.line(style.dim(`  after this turn: ${shownInput(text)}`));
      }
      await conversation()?.enqueue({ kind: kinds[end], content: text });
    } catch (error) {
      later.push(text);
      await screen.line(`${style.red("error:")} ${visible(messageOf(error))}`);
    }
  }

  return {
    take(typed) {
      // what waits for the next line already goes before
      const { busy } = conversation()?.state() ?? { busy: false };
      // a text that was begun in the turn is the turn's to its end, or until that is settled
      const mine = busy || draft.text !== "";
      if (!mine || !editor.isIdle() || typed.kind === "end" || typed.kind === "redraw") {
        return false;
      }
      draft.take(typed, (text, end) => {
        if (text.trim() === "") return;
        history.add(text);
        // a terminal that is gone is noticed by whoever writes what matters
        entering = entering.then(() => enter(text, end)).catch(() => {});
      });
      status.typed(draft.text);
      return true;
    },
    async settle({ status: end }) {
      const left: string[] = [], others: QueuedInput[] = [];
      let seen: typeof entering | undefined;
      while (seen !== entering) {
        seen = entering;
        await seen;
        for (;;) {
          const input = await conversation()?.dequeue();
          if (input === undefined) break;
          if (input.origin === undefined) left.push(input.content);
          else others.push(input);
        }
      }
      const sent = [...left, ...later], open = draft.clear();
      later = [];
      status.typed("");
      if (end === "done") {
        for (const text of sent) {
          editor.feed({ kind: "paste", text });
          editor.feed({ kind: "keys", text: "\r" });
        }
        if (open !== "") editor.feed({ kind: "paste", text: open });
        return others;
      }
      // the turn did not end as it should: a person looks at it before anything is sent
      const all = [...sent, open].filter((text) => text !== "").join("\n");
      if (all !== "") editor.feed({ kind: "paste", text: all });
      return others;
    },
  };
}

const maxShownChars = 500, maxShownLines = 8;

/** Typed input as it is repeated: what is long is cut, and said to be. */
export function shownInput(text: string): string {
  const lines = text.split("\n");
  const head = lines.slice(0, maxShownLines).join("\n");
  const shown = head.length > maxShownChars ? `${head.slice(0, maxShownChars)}…` : head;
  const more = lines.length - maxShownLines;
  return visible(shown) + (more > 0 ? `\n… ${more} more ${more === 1 ? "line" : "lines"}` : "");
}
