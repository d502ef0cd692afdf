/** Digests of what a server says: to know it again. */
import { hash } from "node:crypto";
import { isJsonObject, type Json } from "./json.ts";

/** SHA-256 in hex digits; a value that is no text is digested as its JSON with keys in order. */
export function digestOf(value: Json): string {
  return hash("sha256", typeof value === "string" ? value : JSON.stringify(inOrder(value)));
}

/** The same definition written in another order of keys is the same. */
function inOrder(value: Json): Json {
  if (Array.isArray(value)) return value.map(inOrder);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).sort(([a], [b]) => a < b ? -1 : 1).map((
      [key, one],
    ) => [key, inOrder(one)]),
  );
}
