/** Owns how the terminal hands over what is typed. */

/** lines: the terminal edits · keys: each key, Ctrl-C too · keys and signals: each key but those that signal */
export type TypingMode = "lines" | "keys" | "keys and signals";

/** False where stdin is no terminal that can be set. */
export function setTypingMode(mode: TypingMode): boolean {
  try {
    if (mode === "keys and signals" && Deno.build.os !== "windows") {
      Deno.stdin.setRaw(true, { cbreak: true });
    } else Deno.stdin.setRaw(mode !== "lines");
    return true;
  } catch {
    // a terminal that hung up, or stdin that is none
    return false;
  }
}
