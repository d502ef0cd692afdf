/** What is typed at the terminal: keys and pastes, for one reader at a time. */
import type { Terminal } from "../../core/host.ts";
import { type TypingMode, typingMode } from "../../host/raw_mode.ts";

export type Typed =
  /** One or more keys as the terminal sends them, none of them a whole paste. */
  | { readonly kind: "keys"; readonly text: string }
  /** Text that was pasted in one piece, line ends as `\n`. */
  | { readonly kind: "paste"; readonly text: string }
  /** Something else was on the screen meanwhile. */
  | { readonly kind: "redraw" }
  /** The terminal is gone. */
  | { readonly kind: "end" };

/** `false`: it is none of this taker's, and goes to the one before. */
export type Taker = (typed: Typed) => void | false;

export interface Keyboard {
  /** Hands everything to `taker` until the returned function is called; the newest taker goes first. */
  take(taker: Taker): () => void;
  /** Gives the terminal back as it was. May be called twice. */
  close(): void;
}

/** Reads the terminal until `close`. What is typed while nobody takes it is dropped. */
export function openKeyboard(
  terminal: Pick<Terminal, "readIn">,
  mode: Exclude<TypingMode, "lines">,
  /** Called before the program stops at Ctrl-Z. */
  beforeStop: () => Promise<void> = () => Promise.resolve(),
): Keyboard {
  const takers: Taker[] = [];
  const stop = new AbortController();
  const split = typedSplitter();
  const give = (typed: Typed) => {
    for (const taker of takers.toReversed()) if (taker(typed) !== false) return;
  };

  /** Ctrl-Z is nobody's key. */
  function giveKeys(keys: string): void {
    keys.split("\x1a").forEach((text, index) => {
      if (index > 0) void beforeStop().then(() => typing.stop());
      if (text !== "") give({ kind: "keys", text });
    });
  }

  async function read(): Promise<void> {
    const decoder = new TextDecoder();
    try {
      for await (const piece of terminal.readIn(stop.signal)) {
        for (const typed of split(decoder.decode(piece, { stream: true }))) {
          if (typed.kind === "keys") giveKeys(typed.text);
          else give(typed);
        }
      }
    } catch (error) {
      if (stop.signal.aborted) return;
      give({ kind: "end" });
      throw error;
    }
    give({ kind: "end" });
  }

  const typing = typingMode(() => give({ kind: "redraw" }));
  typing.set(mode);
  read().catch(() => {
    // the reader knows that it is over
  });
  return {
    take(taker) {
      takers.push(taker);
      return () => {
        const at = takers.lastIndexOf(taker);
        if (at >= 0) takers.splice(at, 1);
      };
    },
    close() {
      stop.abort();
      typing.set("lines");
    },
  };
}

const pasteStart = "\x1b[200~", pasteEnd = "\x1b[201~";
const maxPasteChars = 16 * 1024 * 1024;

/**
 * Tells pastes from keys in text that comes in pieces; a marker may be cut anywhere. What could be a
 * mere Escape is given at once, and taken for the start of a marker all the same if one follows.
 */
export function typedSplitter(): (piece: string) => Typed[] {
  let held = "", pasted: string[] | undefined, pastedChars = 0;
  /** How many characters at the start of `held` were given as keys already. */
  let given = 0;

  function endOfPaste(): Typed {
    const text = pasted!.join("").replace(/\r\n?/g, "\n");
    pasted = undefined;
    pastedChars = 0;
    return { kind: "paste", text };
  }

  /** Takes the text up to a marker or what may become one; gives what follows it. */
  function take(text: string, found: Typed[]): string {
    const marker = pasted === undefined ? pasteStart : pasteEnd;
    const at = text.indexOf(marker);
    const cut = at >= 0 ? 0 : cutMarker(text, marker);
    const early = pasted === undefined && cut < sureLength ? cut : 0;
    const before = at >= 0 ? text.slice(0, at) : text.slice(0, text.length - cut + early);
    if (pasted !== undefined) {
      pastedChars += before.length;
      if (pastedChars <= maxPasteChars) pasted.push(before);
    } else if (before.length > given) found.push({ kind: "keys", text: before.slice(given) });
    given = at >= 0 ? 0 : Math.max(early, cut === text.length ? Math.min(given, cut) : 0);
    if (at < 0) {
      held = text.slice(text.length - cut);
      return "";
    }
    if (pasted === undefined) pasted = [];
    else found.push(endOfPaste());
    return text.slice(at + marker.length);
  }

  return (piece) => {
    const found: Typed[] = [];
    let text = held + piece;
    held = "";
    while (text !== "") text = take(text, found);
    return found;
  };
}

/** From here on the start of a marker is no key. */
const sureLength = 3;

/** How many characters at the end of `text` begin `marker`. */
function cutMarker(text: string, marker: string): number {
  for (let length = marker.length - 1; length > 0; length--) {
    if (text.endsWith(marker.slice(0, length))) return length;
  }
  return 0;
}
