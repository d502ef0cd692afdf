/** What is said of a call that was read another way than the model wrote it. */
import { capMiddle } from "../lib/well_formed.ts";

const maxNotes = 6;
const maxNoteBytes = 300;

/** `text` with a last line that holds the notes; the same where there are none. */
export function withNotes(text: string, notes: readonly string[]): string {
  if (notes.length === 0) return text;
  const gap = text === "" || text.endsWith("\n") ? "" : "\n";
  return `${text}${gap}[${noteLine(notes)}]`;
}

/** The notes in one line. */
export function noteLine(notes: readonly string[]): string {
  const shown = notes.slice(0, maxNotes).map((note) => capMiddle(note, maxNoteBytes));
  const more = notes.length - shown.length;
  return `call read leniently: ${shown.join("; ")}${more > 0 ? `; and ${more} more` : ""}`;
}
