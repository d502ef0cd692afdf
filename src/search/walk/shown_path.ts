/** How a path is written in a line of output, so that it can be told apart from the rest. */

/**
 * Control, bidirectional and replacement characters, quotes, outer white space, and what looks like
 * the line number behind a path. Made when asked for, which keeps the start short.
 */
const needsQuotes = () => /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}"\uFFFD]|^\s|\s$|:\d+(?::|$)/u;

/** What JSON leaves as it is. Made when asked for, too. */
const hidden = () => /[\x7f-\x9f\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;

/** The path as it is, or as a JSON string where a line of output would be ambiguous with it. */
export function shownPath(path: string): string {
  return needsQuotes().test(path) ? JSON.stringify(path).replace(hidden(), escaped) : path;
}

/** Longest path in a failure, in UTF-16 units. */
const maxShown = 500;

/** A path as it was given, for a sentence: shown as above, without the middle where it is long. */
export function shownInSentence(path: string): string {
  if (path.length <= maxShown) return shownPath(path);
  const half = maxShown / 2;
  return shownPath(`${path.slice(0, half)}...${path.slice(-half)}`.toWellFormed());
}

function escaped(char: string): string {
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
