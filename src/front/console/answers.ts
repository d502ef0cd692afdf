/** Reads answers at the terminal: one key, or one short line. */
import { unlessAborted } from "../../lib/unless_aborted.ts";
import type { Keyboard, Typed } from "./keyboard.ts";

/** What a person was typing when the question came: no answer to it, and not to be lost. */
export interface TypingAhead {
  /** When a key was last typed ahead, on the clock of `nowMs`. */
  lastMs(): number;
  nowMs(): number;
  keep(typed: Typed): void;
}

/** Who typed this short before a question is still typing; a pause that long ends it. */
const typingMs = 1500, pauseMs = 600;

/**
 * Calls `use` with what gives the next key: `"\r"` for Enter, else a small letter. Keys count from
 * the first `next` on, and where a person was typing from the first pause on; pastes and other keys
 * are no answers. Ctrl-C calls `interrupt`; Escape, Ctrl-D and a terminal that is gone count as `"n"`.
 * Rejects with the signal's reason.
 */
export async function withKeys<T>(
  keyboard: Keyboard,
  signal: AbortSignal,
  { interrupt, typing }: { interrupt: () => void; typing?: TypingAhead | undefined },
  use: (next: () => Promise<string>) => Promise<T>,
): Promise<T> {
  const pressed: string[] = [];
  let wake = () => {}, asked = false;
  const isTyping = typingDetector(typing);
  const release = keyboard.take((typed) => {
    if (typed.kind === "keys" && typed.text.includes("\x03")) {
      typing?.keep({ kind: "keys", text: typed.text.split("\x03", 1)[0]! });
      return interrupt();
    }
    if (typed.kind === "paste" || (typed.kind === "keys" && (isTyping() || !asked))) {
      return typing?.keep(typed);
    }
    const key = keyOf(typed);
    if (key === undefined) return;
    pressed.push(key);
    wake();
  });
  try {
    signal.throwIfAborted();
    return await use(async () => {
      asked = true;
      while (pressed.length === 0) {
        const { promise, resolve } = Promise.withResolvers<void>();
        wake = resolve;
        await unlessAborted(promise, signal);
      }
      return pressed.shift()!;
    });
  } finally {
    release();
  }
}

/** Tells at each key whether it belongs to a text that was begun before. */
function typingDetector(typing: TypingAhead | undefined): () => boolean {
  if (typing === undefined) return () => false;
  let lastMs = typing.lastMs();
  let active = typing.nowMs() - lastMs < typingMs;
  return () => {
    const nowMs = typing.nowMs();
    active &&= nowMs - lastMs < pauseMs;
    lastMs = nowMs;
    return active;
  };
}

function keyOf(typed: Typed): string | undefined {
  if (typed.kind === "end") return "n";
  if (typed.kind !== "keys") return undefined;
  const { text } = typed;
  if (text === "\x04" || text === "\x1b") return "n";
  if (/^(\r\n?|\n)$/.test(text)) return "\r";
  // several keys at once are a word that was being typed, unless Enter follows a single one
  return /^([a-z])[\r\n]?$/i.exec(text)?.[1]?.toLowerCase();
}

/** What is typed up to Enter. Ctrl-C calls `interrupt`; Ctrl-D gives what is there, Escape and the end "". */
export async function readLine(
  keyboard: Keyboard,
  signal: AbortSignal,
  { interrupt, echo }: { interrupt: () => void; echo: (text: string) => Promise<void> },
): Promise<string> {
  let line = "";
  signal.throwIfAborted();
  const { promise, resolve } = Promise.withResolvers<string>();
  const release = keyboard.take((typed) => {
    if (typed.kind === "end") return resolve("");
    if (typed.kind !== "keys") return;
    if (typed.text === "\x1b") return resolve("");
    for (const key of typed.text) {
      if (key === "\x03") return interrupt();
      if (key === "\r" || key === "\n" || key === "\x04") return resolve(line);
      if (key === "\x7f" || key === "\b") {
        if (line !== "") void echo("\b \b");
        line = line.slice(0, -1);
      } else if (/^[ -~]$/.test(key) && line.length < 20) {
        line += key;
        void echo(key);
      }
    }
  });
  try {
    return await unlessAborted(promise, signal);
  } finally {
    release();
  }
}
