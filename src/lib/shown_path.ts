/** How a path is shown, so that it can be told apart from the text around it. */
import { wellFormed } from "./well_formed.ts";

/**
 * Control, bidirectional and replacement characters, quotes, outer white space, and what looks like
 * the line number after a path. Made when asked for, which keeps the start short.
 */
const needsQuotes = () => /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}"\uFFFD]|^\s|\s$|:\d+(?::|$)/u;

/** What JSON leaves as it is. Made when asked for, too. */
const hidden = () => /[\x7f-\x9f\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;

/** The path as it is, or as a JSON string where it could be taken for something else. */
export function shownWhole(path: string): string {
  // Nearly always, and far quicker to see than the classes above.
  if (/^[\w./-]+$/.test(path)) return path;
  const text = wellFormed(path);
  return needsQuotes().test(text) ? quotedPath(text) : text;
}

/** Longest path in a sentence, in UTF-16 units. */
const maxShown = 500;

/** A path for a sentence: shown as above, without the middle where it is long. */
export function shownPath(path: string): string {
  if (path.length <= maxShown) return shownWhole(path);
  const half = maxShown / 2;
  return shownWhole(`${path.slice(0, half)}...${path.slice(-half)}`);
}

/** The path as a JSON string, whatever it holds. */
export function quotedPath(path: string): string {
  return JSON.stringify(path).replace(hidden(), escaped);
}

function escaped(char: string): string {
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
