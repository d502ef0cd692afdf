/** Owns how a path is written in a line of output, so that it can be told apart from the rest. */

/**
 * Control, bidirectional and replacement characters, quotes, outer white space, and what looks like
 * the line number behind a path. Made when asked for, which keeps the start short.
 */
const needsQuotes = () => /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}"\uFFFD]|^\s|\s$|:\d+(?::|$)/u;

/** The path as it is, or as a JSON string where a line of output would be ambiguous with it. */
export function shownPath(path: string): string {
  return needsQuotes().test(path) ? JSON.stringify(path) : path;
}
