/** Foreign text in one line. */
import { visible } from "./visible.ts";

/**
 * `text` in one line that nothing in it can end or disguise: white space becomes single spaces, what
 * a terminal would obey or the eye would miss is shown. Longer than `maxChars` it ends in `…`.
 */
export function oneLine(text: string, maxChars = Infinity): string {
  // Cut before it is worked on, too: what is shown may be a small part of a very long text.
  const line = visible(text.slice(0, maxChars * 4).replace(/\s+/g, " ").trim());
  return line.length <= maxChars ? line : `${line.slice(0, maxChars - 1).toWellFormed()}…`;
}
