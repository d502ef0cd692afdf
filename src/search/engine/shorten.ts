/** Shortens long lines around their match. */

/** Longest line shown, in UTF-16 units, marks not counted. */
const maxShown = 400;
/** Shown before the match where the line is cut. */
const before = 120;

export const cutMark = "[...]";

/** `line`, or the part of it around the match with a mark on each side that was cut. */
export function shortenLine(line: string, matchStart: number, matchEnd: number): string {
  if (line.length <= maxShown) return line;
  const end = Math.min(Math.max(matchEnd, matchStart), line.length);
  // A match that fits is shown whole, with what is in front of it as far as there is room.
  const room = Math.min(before, Math.max(0, maxShown - (end - matchStart)));
  let from = Math.max(0, Math.min(matchStart - room, line.length - maxShown));
  let to = Math.min(line.length, from + maxShown);
  if (isLowSurrogate(line, from)) from++;
  if (isLowSurrogate(line, to)) to--;
  return `${from > 0 ? cutMark : ""}${line.slice(from, to)}${to < line.length ? cutMark : ""}`;
}

function isLowSurrogate(text: string, index: number): boolean {
  const unit = text.charCodeAt(index);
  return unit >= 0xdc00 && unit < 0xe000;
}
