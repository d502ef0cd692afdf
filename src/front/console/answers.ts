/** Reads answers at the terminal: one key, or one short line. */
import { unlessAborted } from "../../lib/unless_aborted.ts";
import type { Keyboard, Typed } from "./keyboard.ts";
import { type RestOfWord, restOfWord } from "./rest_of_word.ts";

/** What a person was typing when the question came: no answer to it, and not to be lost. */
export interface TypingAhead {
  /** When a key was last typed ahead, on the clock of `nowMs`. */
  lastMs(): number;
  nowMs(): number;
  keep(typed: Typed): void;
}

/** Who typed this short before a question is still typing; a pause that long ends it. */
const typingMs = 1500, pauseMs = 600;

/** Words that answer with Enter, where none of their letters did at once. */
const words: Readonly<Record<string, string>> = {
  deny: "n",
  no: "n",
  ok: "y",
  once: "y",
  project: "p",
  session: "s",
  view: "v",
  yes: "y",
};

/**
 * Calls `use` with what gives the next key: `"\r"` for Enter, else one of `letters`. A letter that is none
 * of them begins a word, which answers with Enter, or ends in a pause; the rest of a word whose first letter was
 * an answer is swallowed. Keys count from the first `next` on, and where a person was typing from the first
 * pause on; pastes and other keys are no answers. Ctrl-C calls `interrupt`; Escape, Ctrl-D and a terminal
 * that is gone count as `"n"`. Rejects with the signal's reason.
 */
export async function withKeys<T>(
  keyboard: Keyboard,
  signal: AbortSignal,
  { letters, interrupt, typing }: {
    letters: readonly string[];
    interrupt: () => void;
    typing?: TypingAhead | undefined;
  },
  use: (next: () => Promise<string>) => Promise<T>,
): Promise<T> {
  const pressed: string[] = [];
  let wake = () => {}, asked = false, word = "", wordMs = 0;
  let rest: RestOfWord | undefined;
  const nowMs = typing?.nowMs ?? (() => performance.now());

  function answer(key: string): void {
    pressed.push(key);
    wake();
  }

  function finishWord(): void {
    const key = words[word];
    word = "";
    if (key !== undefined && letters.includes(key)) answer(key);
  }

  function takeKeys(text: string): void {
    if (text === "\x04" || text === "\x1b") return answer("n");
    if (text === "\x7f" || text === "\b") return void (word = word.slice(0, -1));
    const [, typed, enter] = /^([^\p{Cc}]*)(\r\n?|\n)?$/u.exec(text) ?? [];
    if (typed === undefined) return;
    const letter = typed.toLowerCase();
    // a letter after a pause is no more of the word; Enter is its end all the same
    if (letter !== "" && nowMs() - wordMs >= pauseMs) word = "";
    wordMs = nowMs();
    if (word === "" && letters.includes(letter)) {
      // Enter may come in one piece with it
      if (enter === undefined) rest = restOfWord(letter, nowMs, (kept) => typing?.keep(kept));
      return answer(letter);
    }
    if (word === "" && letter === "") return enter === undefined ? undefined : answer("\r");
    word = (word + letter).slice(0, maxWordChars);
    if (enter !== undefined) finishWord();
  }

  const isTyping = typingDetector(typing);
  const release = keyboard.take((typed) => {
    if (typed.kind === "keys" && typed.text.includes("\x03")) {
      typing?.keep({ kind: "keys", text: typed.text.split("\x03", 1)[0]! });
      return interrupt();
    }
    if (typed.kind === "paste" || (typed.kind === "keys" && (isTyping() || !asked))) {
      return typing?.keep(typed);
    }
    if (rest?.take(typed)) return;
    if (typed.kind === "end") return answer("n");
    if (typed.kind === "keys") takeKeys(typed.text);
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
    const open = rest;
    if (open?.isOpen) {
      const over = keyboard.take((typed) => {
        if (open.take(typed)) return;
        over();
        return false;
      });
    }
  }
}

const maxWordChars = 40;

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
