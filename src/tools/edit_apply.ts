/** Exact replacement in memory: each old text must occur exactly once when its turn comes. */
import { ToolFailure } from "../core/failure.ts";
import { counted } from "./file_result.ts";
import { nearMatch } from "./edit_near.ts";
import { newlinesIn } from "./text_form.ts";

export interface Replacement {
  readonly old_text: string;
  readonly new_text: string;
}

/** Replacements times characters of the text; each one looks through all of it, which takes seconds. */
const maxWork = 3e9;

/**
 * Applies `replacements` in order. In text whose every line ends in CRLF (`crlf`), line ends in the
 * replacements mean CRLF too. Throws `ToolFailure("edit_failed")` for the first that does not fit.
 */
export function applyReplacements(
  text: string,
  replacements: readonly Replacement[],
  crlf: boolean,
): string {
  const inForm = (part: string) => crlf ? part.replace(/\r?\n/g, "\r\n") : part;
  if (replacements.length * text.length > maxWork) {
    throw failed(
      `${replacements.length} replacements are too many at once in a file of ${text.length} ` +
        "characters; make them in several calls",
    );
  }
  for (const [index, { old_text, new_text }] of replacements.entries()) {
    const which = replacements.length === 1 ? "" : `replacement ${index + 1}: `;
    assertUsable(which, old_text, new_text);
    const old = inForm(old_text);
    const at = text.indexOf(old);
    if (at < 0) throw failed(`${which}old_text was not found; ${nearMatch(text, old)}`);
    if (text.indexOf(old, at + 1) >= 0) throw failed(`${which}${describeMany(text, old)}`);
    text = text.slice(0, at) + inForm(new_text) + text.slice(at + old.length);
  }
  return text;
}

function assertUsable(which: string, oldText: string, newText: string): void {
  if (oldText === "") {
    throw failed(`${which}old_text is empty, so it names no place; use write to fill a file`);
  }
  for (const [key, text] of [["old_text", oldText], ["new_text", newText]] as const) {
    if (!text.isWellFormed()) throw failed(`${which}${key} is not valid Unicode: half a character`);
  }
}

const maxCounted = 1000;
const maxNamedLines = 10;

/** How often and where; occurrences that overlap count, since either could be meant. */
function describeMany(text: string, old: string): string {
  let count = 0, line = 1, from = 0;
  const lines: number[] = [];
  for (let at = text.indexOf(old); at >= 0 && count <= maxCounted; at = text.indexOf(old, at + 1)) {
    count++;
    line += newlinesIn(text, from, at);
    from = at;
    if (lines.length <= maxNamedLines && lines.at(-1) !== line) lines.push(line);
  }
  const many = count > maxCounted ? `more than ${maxCounted} times` : counted(count, "time");
  const named = lines.slice(0, maxNamedLines).join(", ") +
    (lines.length > maxNamedLines ? ", ..." : "");
  return `old_text occurs ${many} (line${lines.length === 1 ? "" : "s"} ${named}), ` +
    "it must occur exactly once; add surrounding lines to make it unique";
}

function failed(sentence: string): ToolFailure {
  return new ToolFailure("edit_failed", sentence);
}
