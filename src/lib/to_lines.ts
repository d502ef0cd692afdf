/** Lines as one text. */

/** Each of `lines` with a line feed at its end. */
export function toLines(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join("");
}
