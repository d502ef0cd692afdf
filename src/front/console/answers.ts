/** Owns the reading of answers: one key, or one short line. */
import type { Keyboard, Taker } from "./keyboard.ts";

/**
 * The next key: `"\r"` for Enter, else a small letter. Pastes and other keys are passed over. Ctrl-C
 * calls `interrupt`; Ctrl-D and a terminal that is gone count as `"n"`. Rejects with the signal's
 * reason.
 */
export function readKeys(
  keyboard: Keyboard,
  signal: AbortSignal,
  interrupt: () => void,
): Promise<string> {
  return taken(keyboard, signal, (done) => (typed) => {
    if (typed.kind === "end") return done("n");
    if (typed.kind === "paste") return;
    const { text } = typed;
    if (text.includes("\x03")) return interrupt();
    if (text === "\x04") return done("n");
    // several keys at once are a word that was being typed, unless Enter follows a key
    const key = /^([a-z])\r?$/i.exec(text)?.[1] ?? (/^(\r\n?|\n)$/.test(text) ? "\r" : undefined);
    if (key !== undefined) done(key.toLowerCase());
  });
}

/** What is typed up to Enter. Ctrl-C calls `interrupt`; Ctrl-D and the end give what is there. */
export function readLine(
  keyboard: Keyboard,
  signal: AbortSignal,
  { interrupt, echo }: { interrupt: () => void; echo: (text: string) => Promise<void> },
): Promise<string> {
  let line = "";
  return taken(keyboard, signal, (done) => (typed) => {
    if (typed.kind === "end") return done("");
    if (typed.kind === "paste") return;
    for (const key of typed.text) {
      if (key === "\x03") return interrupt();
      if (key === "\r" || key === "\n" || key === "\x04") return done(line);
      if (key === "\x7f" || key === "\b") {
        if (line !== "") void echo("\b \b");
        line = line.slice(0, -1);
      } else if (/^[ -~]$/.test(key) && line.length < 20) {
        line += key;
        void echo(key);
      }
    }
  });
}

async function taken(
  keyboard: Keyboard,
  signal: AbortSignal,
  taker: (done: (answer: string) => void) => Taker,
): Promise<string> {
  signal.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const release = keyboard.take(taker(resolve));
  const onAbort = () => reject(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await promise;
  } finally {
    release();
    signal.removeEventListener("abort", onAbort);
  }
}
