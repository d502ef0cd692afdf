/** Puts OpenRouter's `reasoning_details` together: they go back whole on the next request. */
import { isJsonObject, type Json, type JsonObject } from "../../../core/json.ts";

export interface ReasoningDetails {
  /** Takes the list of one delta; returns its visible text. */
  take(value: Json | undefined): string;
  readonly list: JsonObject[];
}

export function reasoningDetails(): ReasoningDetails {
  const list: JsonObject[] = [];
  return {
    list,
    take: (value) => {
      if (!Array.isArray(value)) return "";
      let text = "";
      for (const item of value) {
        if (!isJsonObject(item)) continue;
        for (const field of ["text", "summary"]) {
          if (typeof item[field] === "string") text += item[field];
        }
        const last = list.at(-1);
        if (last !== undefined && belongs(last, item)) merge(last, item);
        else list.push({ ...item });
      }
      return text;
    },
  };
}

/** Pieces of one detail share type and index; encrypted data always comes whole. */
function belongs(last: JsonObject, item: JsonObject): boolean {
  return last.type === item.type && last.type !== "reasoning.encrypted" &&
    (last.index ?? null) === (item.index ?? null);
}

function merge(last: JsonObject, item: JsonObject): void {
  for (const [key, value] of Object.entries(item)) {
    if (value === null) continue;
    const before = last[key];
    last[key] = (key === "text" || key === "summary") && typeof before === "string" &&
        typeof value === "string"
      ? before + value
      : value;
  }
}
