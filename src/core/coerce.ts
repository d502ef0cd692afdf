/**
 * Reads arguments from models that send the right value in the wrong JSON type.
 * Only where the schema leaves one reading; strings that a schema wants are never changed.
 */
import { setKey } from "../lib/set_key.ts";
import { isJsonObject, type Json, type JsonObject, parseJson } from "./json.ts";

/** `value` with scalars and containers turned into the one type that `schema` allows. */
export function coerce(value: Json, given: Json | undefined): Json {
  if (!isJsonObject(given)) return value;
  const schema = onlyReading(given);
  const types = typesOf(schema);
  types.delete("null");
  const read = types.size === 1 ? readAs([...types][0]!, value) : value;
  if (isJsonObject(read)) return coerceObject(read, schema);
  if (Array.isArray(read)) return coerceArray(read, schema);
  return read;
}

/** The one branch of a choice that is not null, as of an optional value that may be null. */
function onlyReading(schema: JsonObject): JsonObject {
  const choice = schema.anyOf ?? schema.oneOf;
  if (schema.type !== undefined || !Array.isArray(choice)) return schema;
  const branches = choice.filter((branch) => !isJsonObject(branch) || branch.type !== "null");
  const [only] = branches;
  return branches.length === 1 && isJsonObject(only) ? only : schema;
}

function typesOf(schema: JsonObject): Set<string> {
  if (typeof schema.type === "string") return new Set([schema.type]);
  if (Array.isArray(schema.type)) {
    return new Set(schema.type.filter((type) => typeof type === "string"));
  }
  if (isJsonObject(schema.properties)) return new Set(["object"]);
  return new Set();
}

function readAs(type: string, value: Json): Json {
  if (typeof value !== "string") return value;
  switch (type) {
    case "integer":
      return /^\s*[+-]?\d{1,15}(\.0+)?\s*$/.test(value) ? Number(value) : value;
    case "number":
      return /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i.test(value) ? exact(value) : value;
    case "boolean":
      if (/^\s*true\s*$/i.test(value)) return true;
      if (/^\s*false\s*$/i.test(value)) return false;
      return value;
    case "array":
    case "object": {
      const parsed = parseJson(value);
      const fits = type === "array" ? Array.isArray(parsed) : isJsonObject(parsed);
      return fits ? parsed! : value;
    }
    default:
      return value;
  }
}

/** A number that stands for the same value as its text; else the text. */
function exact(text: string): Json {
  const number = Number(text);
  const isWhole = /^\s*[+-]?\d+\s*$/.test(text);
  return Number.isFinite(number) && (!isWhole || Number.isSafeInteger(number)) ? number : text;
}

function coerceObject(value: JsonObject, schema: JsonObject): JsonObject {
  const properties = isJsonObject(schema.properties) ? schema.properties : {};
  const required = Array.isArray(schema.required) ? schema.required : [];
  const result: JsonObject = {};
  for (const [key, item] of Object.entries(value)) {
    const property = Object.hasOwn(properties, key) ? properties[key] : schema.additionalProperties;
    // null for an optional key that does not take null means: not given.
    if (
      item === null && Object.hasOwn(properties, key) && !required.includes(key) &&
      !takesNull(properties[key]!)
    ) {
      continue;
    }
    setKey(result, key, coerce(item, property));
  }
  return result;
}

function takesNull(schema: Json): boolean {
  if (!isJsonObject(schema)) return true;
  if (schema.type === undefined) return true;
  return typesOf(schema).has("null");
}

function coerceArray(value: Json[], schema: JsonObject): Json[] {
  const { items } = schema;
  if (items === undefined) return value;
  return value.map((item, index) => coerce(item, Array.isArray(items) ? items[index] : items));
}
