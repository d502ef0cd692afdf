/** What was typed and not used yet: keys one by one, in order and bounded. */
import { withoutEnd } from "../../lib/trim.ts";
import type { Typed } from "./keyboard.ts";

export interface TypedQueue {
  /** What comes while very much waits is dropped, but for the end. */
  add(typed: Typed): void;
  /** The next key, or run of text, paste, and so on; undefined where nothing waits. */
  next(): Typed | undefined;
  isEmpty(): boolean;
  /** The line that is being typed, as far as keys go; "" right after Enter. */
  openLine(): string;
  /** Makes every Enter one that begins another line of the same text, those at ends go. */
  joinLines(): void;
}

const maxWaitingChars = 16 * 1024 * 1024;
/** What a key costs beside its characters. */
const charsPerItem = 64;

/** The keys that the editor handles itself, one by one, runs of text, and what is between them. */
const own = String.raw`\x1b(?:[\r\n]|[[O][AB])|[\x03\x04\b\x0e\x10\x7f\r\n]`;
const other = String.raw`\x1b(?:\[[0-?]*[ -/]*[@-~]?|O[^]?)?|[\0-\x1f]`;
const pieces = new RegExp(String.raw`${own}|${other}|[^\0-\x1f\x7f]+`, "g");

export function typedQueue(): TypedQueue {
  let items: Typed[] = [], at = 0, waitingChars = 0;
  /** The keys of the item that is being used. */
  let keys: string[] = [], keyAt = 0;

  /** Puts all that waits into `items` again. */
  function gather(): void {
    const rest = keys.slice(keyAt).join("");
    items = items.slice(at);
    if (rest !== "") items.unshift({ kind: "keys", text: rest });
    keys = [];
    at = keyAt = 0;
  }

  return {
    add(typed) {
      if (waitingChars > maxWaitingChars && typed.kind !== "end") return;
      waitingChars += sizeOf(typed);
      const last = items.at(-1);
      // text that comes faster than it is used is used in larger pieces
      if (typed.kind === "keys" && last?.kind === "keys" && at < items.length) {
        items[items.length - 1] = { kind: "keys", text: last.text + typed.text };
      } else items.push(typed);
    },
    next() {
      if (keyAt < keys.length) return { kind: "keys", text: keys[keyAt++]! };
      const item = items[at++];
      if (item === undefined) {
        items = [];
        at = waitingChars = 0;
        return undefined;
      }
      waitingChars -= sizeOf(item);
      if (item.kind !== "keys") return item;
      keys = item.text.match(pieces) ?? [];
      keyAt = 0;
      return this.next();
    },
    isEmpty: () => keyAt >= keys.length && at >= items.length,
    openLine() {
      gather();
      let line = "";
      for (const item of items.toReversed()) {
        if (item.kind !== "keys") continue;
        const end = Math.max(item.text.lastIndexOf("\r"), item.text.lastIndexOf("\n"));
        line = item.text.slice(end + 1) + line;
        if (end >= 0) break;
      }
      return line;
    },
    joinLines() {
      gather();
      items = items.map((item) => {
        if (item.kind !== "keys") return item;
        const text = withoutEnd(item.text, "\r\n").replace(/[\r\n]/g, "\x1b\r");
        return { kind: "keys", text };
      });
    },
  };
}

function sizeOf(typed: Typed): number {
  return charsPerItem + ("text" in typed ? typed.text.length : 0);
}

/** Longer texts are put in as a whole: readline looks through the line for each character. */
const keyChars = 32;
// deno-lint-ignore no-control-regex -- what a terminal sends for a key
const openEscape = /^\x1b(?:\[[0-?]*[ -/]*|O)?$/;

/** The start of `text` to be taken key by key: what follows an open escape sequence may belong to it. */
export function keysOf(text: string, before: string): string {
  if (text.length < keyChars) return text;
  return openEscape.test(before) ? text.slice(0, 8) : "";
}
