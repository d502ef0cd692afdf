/** The parsing of one event's data, with the repairs that real gateways make necessary. */
import { isJsonObject, type JsonObject } from "../../core/json.ts";

/**
 * The JSON objects of an event's data lines: one as a rule; several where a server forgot the blank
 * line between two events. Undefined where the data is no JSON object at all.
 */
export function parseEventData(lines: readonly string[]): JsonObject[] | undefined {
  const only = lines.length === 1 ? lines[0]! : lines.join("\n");
  const whole = parseObject(only);
  if (whole !== undefined) return [whole];
  if (lines.length > 1) {
    // Cut inside a string, a newline between the pieces is too much; or each line is an event.
    const joined = parseObject(lines.join(""));
    if (joined !== undefined) return [joined];
    const each = lines.filter((line) => line.trim() !== "" && line !== "[DONE]").map(parseObject);
    const objects = each.filter((value) => value !== undefined);
    return objects.length > 0 && objects.length === each.length ? objects : undefined;
  }
  // A keep-alive comment stuck to the end of the data.
  const end = only.lastIndexOf("}:");
  const before = end > 0 ? parseObject(only.slice(0, end + 1)) : undefined;
  return before === undefined ? undefined : [before];
}

function parseObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
