/** Rescues whole records from a line that holds more, or less, than one. */
import { isJsonObject, type Json, readJson } from "../core/json.ts";

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
    // Behind half a record, an object of the half one may look like a record, too;
    // the one that was glued on ends with the line.
    const doubtful = from > at && found !== undefined && found.end < line.length;
    if (found === undefined || doubtful) {
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

/** So many places at either end of the line are tried: the work stays bounded. */
const maxTries = 16;

/** Records are written with their kind first, and inside of text the quotes are escaped. */
function startsIn(line: string): number[] {
  const starts: number[] = [];
  for (let at = line.indexOf(mark); at >= 0; at = line.indexOf(mark, at + 1)) {
    if (starts.length === 2 * maxTries) starts.splice(maxTries, 1);
    starts.push(at);
  }
  return starts;
}

const mark = '{"kind":"';

/** The record that starts at `from` and ends where the line or a later record's start does. */
function longestRecord(line: string, from: number, starts: readonly number[], index: number) {
  for (let next = starts.length; next > index; next--) {
    const end = starts[next] ?? line.length;
    const text = stripNuls(line.slice(from, end));
    if (!text.endsWith("}")) continue;
    try {
      const value = readJson(text);
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
