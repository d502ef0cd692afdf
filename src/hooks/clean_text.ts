/** Text of hooks on its way to the model or a person: without what cannot be seen, and bounded. */
import { capMiddle } from "../lib/well_formed.ts";

/** What a hook may say to the model at once. */
const maxChars = 10_000;

/** `text` without control characters but tab and line feed, and without tag characters. */
export function cleaned(text: string): string {
  return text.replace(/\r\n?/g, "\n")
    // deno-lint-ignore no-control-regex -- these characters are what is taken out
    .replace(/[\0-\x08\x0b-\x1f\x7f-\x9f]|[\u{e0000}-\u{e007f}]/gu, "").toWellFormed();
}

/** What the model gets of a hook: named, cleaned, cut with a note. */
export function forModel(name: string, text: string): string {
  const clean = cleaned(text).trim();
  if (clean === "") return "";
  const cut = clean.length > maxChars
    ? `${clean.slice(0, maxChars).toWellFormed()}\n[... ${
      clean.length - maxChars
    } characters left out ...]`
    : clean;
  return `[${name}: ${cut}]`;
}

/** A reason within a sentence. */
export function reasonOf(text: string): string {
  const clean = cleaned(text).trim();
  return clean === "" ? "it gave no reason" : clean.slice(0, maxChars).toWellFormed();
}

/** What a person is told. */
export function forPerson(text: string): string {
  return capMiddle(cleaned(text).trim(), 2048);
}
