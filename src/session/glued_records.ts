/** Owns the rescue of whole records from a line that holds more, or less, than one. */
import { isJsonObject, type Json } from "../core/json.ts";

/**
 * The whole records of a line that does not parse: a half record glued to a whole one, two whole
 * ones, NUL bytes before or after. `lostChars` counts what belongs to none of them.
 */
export function splitGlued(line: string): { values: Json[]; lostChars: number } {
  const starts = startsIn(line);
  const values: Json[] = [];
  let lostChars = 0, at = 0, index = 0;
  while (index < starts.length) {
    const from = starts[index]!;
    const found = longestRecord(line, from, starts, index);
    if (found === undefined) {
      index++;
      continue;
    }
    lostChars += from - at;
    values.push(found.value);
    at = found.end;
    index = found.next;
  }
  lostChars += stripNuls(line.slice(at)).length;
  return { values, lostChars };
}

/** Beyond this many records on one line the rest counts as lost: the work stays bounded. */
const maxStarts = 64;

/** Records are written with their kind first, and inside of text the quotes are escaped. */
function startsIn(line: string): number[] {
  const starts: number[] = [];
  for (
    let at = line.indexOf('{"kind":"');
    at >= 0 && starts.length < maxStarts;
    at = line.indexOf('{"kind":"', at + 1)
  ) starts.push(at);
  return starts;
}

/** The record that starts at `from` and ends where the line or a later record's start does. */
function longestRecord(line: string, from: number, starts: readonly number[], index: number) {
  for (let next = starts.length; next > index; next--) {
    const end = starts[next] ?? line.length;
    const text = stripNuls(line.slice(from, end));
    if (!text.endsWith("}")) continue;
    try {
      const value = JSON.parse(text) as Json;
      if (isJsonObject(value)) return { value, end, next };
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
    }
  }
  return undefined;
}

function stripNuls(text: string): string {
  let end = text.length;
  while (end > 0 && (text[end - 1] === "\0" || text[end - 1] === "\r")) end--;
  return text.slice(0, end);
}
