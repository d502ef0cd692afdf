/** Raw mode of the terminal: how keys arrive, and that it is given back as it was. */
import { onContinue } from "./signals.ts";

/** lines: the terminal edits · keys: each key, Ctrl-C too · keys and signals: each key but those that signal */
export type TypingMode = "lines" | "keys" | "keys and signals";

/** What a paste is framed with; off again, a paste looks like typing. */
const pasteFrames = { on: "\x1b[?2004h", off: "\x1b[?2004l" };

export interface TypingModeKeeper {
  /** Sets the mode, which in any case ends with the program, however that ends. */
  set(mode: TypingMode): void;
  /** Stops the program until it is told to go on, with the terminal as it was meanwhile. */
  stop(): void;
}

/**
 * Over stdin, and for paste frames whichever of stdout and stderr is a terminal. `onResume` is called
 * when the program goes on after a stop, once the terminal has its mode again.
 */
export function typingMode(onResume: () => void): TypingModeKeeper {
  let mode: TypingMode = "lines";
  let stopListening = () => {};
  const onExit = () => apply("lines");
  const resume = () => {
    apply(mode);
    onResume();
  };
  return {
    set(next) {
      if (next === mode) return;
      if (mode === "lines") {
        globalThis.addEventListener("unload", onExit);
        stopListening = onContinue(resume);
      }
      if (next === "lines") {
        globalThis.removeEventListener("unload", onExit);
        stopListening();
      }
      mode = next;
      apply(next);
    },
    stop() {
      if (Deno.build.os === "windows") return;
      apply("lines");
      Deno.kill(Deno.pid, "SIGTSTP");
    },
  };
}

function apply(mode: TypingMode): void {
  try {
    if (mode === "keys and signals" && Deno.build.os !== "windows") {
      Deno.stdin.setRaw(true, { cbreak: true });
    } else Deno.stdin.setRaw(mode !== "lines");
    if (Deno.env.get("TERM") === "dumb") return;
    const screen = [Deno.stdout, Deno.stderr].find((stream) => stream.isTerminal());
    screen?.writeSync(
      new TextEncoder().encode(mode === "lines" ? pasteFrames.off : pasteFrames.on),
    );
  } catch {
    // a terminal that hung up, or stdin that is none: there is nothing to set
  }
}
