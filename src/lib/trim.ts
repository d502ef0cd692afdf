/** Trims foreign text in one pass: patterns for ends are tried anew at every position. */

/** `text` without any of `chars` at its end. */
export function withoutEnd(text: string, chars: string): string {
  let end = text.length;
  while (end > 0 && chars.includes(text[end - 1]!)) end--;
  return text.slice(0, end);
}

/** `text` with `separator` in place of line breaks and the white space around them. */
export function onOneLine(text: string, separator = " "): string {
  if (!text.includes("\n")) return text.trim();
  return text.split("\n").map((line) => line.trim()).filter((line) => line !== "").join(separator);
}
