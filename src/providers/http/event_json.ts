/** The JSON objects of one event's data, with the repairs that real gateways make necessary. */
import { isJsonObject, type JsonObject, parseJson } from "../../core/json.ts";

/**
 * One object as a rule; several where a server forgot the blank line between two events. Undefined
 * where the data is no JSON object at all.
 */
export function parseEventData(data: string): JsonObject[] | undefined {
  const whole = parseObject(data);
  if (whole !== undefined) return [whole];
  const lines = data.split("\n");
  if (lines.length > 1) {
    // Cut inside a string, a newline between the pieces is too much; or each line is an event.
    const joined = parseObject(lines.join(""));
    if (joined !== undefined) return [joined];
    const each = lines.filter((line) => line.trim() !== "" && line !== "[DONE]").map(parseObject);
    const objects = each.filter((value) => value !== undefined);
    return objects.length > 0 && objects.length === each.length ? objects : undefined;
  }
  // A keep-alive comment stuck to the end of the data.
  const end = data.lastIndexOf("}:");
  const before = end > 0 ? parseObject(data.slice(0, end + 1)) : undefined;
  return before === undefined ? undefined : [before];
}

function parseObject(text: string): JsonObject | undefined {
  const value = parseJson(text);
  return isJsonObject(value) ? value : undefined;
}
