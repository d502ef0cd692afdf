/** Words quoted for a POSIX shell. */

/** `text` as one word of a command line. */
export function shellWord(text: string): string {
  return /^[\w./+:@%-]+$/.test(text) ? text : `'${betweenSingleQuotes(text)}'`;
}

/** `text` as it is written between single quotes. */
export function betweenSingleQuotes(text: string): string {
  return text.replaceAll("'", `'\\''`);
}
