/** The failure of a wrong command line, and how what was typed is shown in it. */
import { RunFailure } from "../core/failure.ts";

/** One sentence, with where to look. */
export function usage(sentence: string): RunFailure {
  return new RunFailure("usage", `${sentence}; see nimlet --help`.replace("?; see", "? See"));
}

/** `text` in quotes where it could be mistaken for the sentence around it, short, on one line. */
export function show(text: string): string {
  const cut = text.length > 60 ? `${text.slice(0, 57)}...` : text;
  return /^[\w./:=@,+-]+$/.test(cut) ? cut : JSON.stringify(cut.toWellFormed());
}
