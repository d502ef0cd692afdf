/**
 * Reads arguments from models that send the right value in the wrong JSON type.
 * Only where the schema leaves one reading, and each is noted; strings that a schema wants are never
 * changed.
 */
import { exactNumber, isExactNumber } from "../lib/exact_numbers.ts";
import { setKey } from "../lib/set_key.ts";
import { isJsonObject, type Json, type JsonObject, parseJson } from "./json.ts";
import { branchesOf, resolved, takesNull, typesOf } from "./schema_reading.ts";

/**
 * `value` with scalars and containers turned into the one type that `schema` allows. What was turned
 * is added to `notes`, each with the path of its key.
 */
export function coerce(value: Json, schema: Json | undefined, notes: string[] = []): Json {
  return fit(value, schema, "", { root: schema, notes });
}

interface Reading {
  /** Where references lead. */
  readonly root: Json | undefined;
  readonly notes: string[];
}

function fit(value: Json, given: Json | undefined, path: string, reading: Reading): Json {
  if (!isJsonObject(given)) return value;
  const schema = onlyReading(given, reading.root);
  const types = typesOf(schema);
  types.delete("null");
  const type = types.size === 1 ? [...types][0]! : undefined;
  const read = type === undefined ? value : readAs(type, value, schema);
  if (read !== value) reading.notes.push(`${path || "arguments"}: ${wasRead(value, type!)}`);
  if (isJsonObject(read)) return fitObject(read, schema, path, reading);
  if (Array.isArray(read)) return fitArray(read, schema, path, reading);
  return read;
}

function wasRead(value: Json, type: string): string {
  const what = typeof value === "string"
    ? "the text"
    : Array.isArray(value)
    ? "the array"
    : isJsonObject(value)
    ? "the object"
    : "the number";
  return type === "string" ? `${what} was taken as its JSON text` : `${what} was read as ${type}`;
}

/** The one branch of a choice that is not null, as of an optional value that may be null. */
function onlyReading(given: JsonObject, root: Json | undefined): JsonObject {
  const schema = resolved(given, root);
  if (schema.type !== undefined) return schema;
  const branches = branchesOf(schema).map((branch) =>
    isJsonObject(branch) ? resolved(branch, root) : branch
  ).filter((branch) => !isJsonObject(branch) || branch.type !== "null");
  const [only] = branches;
  return branches.length === 1 && isJsonObject(only) ? only : schema;
}

function readAs(type: string, value: Json, schema: JsonObject): Json {
  if (type === "string") return textOf(value, schema) ?? value;
  if (typeof value !== "string") return value;
  switch (type) {
    case "integer":
      return /^\s*[+-]?\d{1,40}(\.0+)?\s*$/.test(value) ? numberOf(value.split(".")[0]!) : value;
    case "number":
      return /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i.test(value) ? numberOf(value) : value;
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

/** Keywords that say more of a string than that it is one: no JSON text is what they ask for. */
const textKeywords = ["enum", "const", "pattern", "format", "minLength", "maxLength"];

/**
 * The text that an object or an exact integer stands for where any text is wanted. A list of texts
 * could also mean their lines.
 */
function textOf(value: Json, schema: JsonObject): string | undefined {
  if (isExactNumber(value)) return value.rawJSON;
  if (typeof value !== "object" || value === null) return undefined;
  if (textKeywords.some((keyword) => keyword in schema)) return undefined;
  const hasLines = Array.isArray(value) && value.length > 0 &&
    value.every((item) => typeof item === "string");
  return hasLines ? undefined : JSON.stringify(value, null, 2);
}

/** A number that stands for the same value as its text; else the text. */
function numberOf(text: string): Json {
  const number = Number(text);
  if (Number.isSafeInteger(number)) return number;
  if (/^\s*[+-]?\d{1,40}\s*$/.test(text)) {
    return exactNumber(BigInt(text.trim().replace(/^\+/, "")).toString()) as unknown as Json;
  }
  return Number.isFinite(number) && !/^\s*[+-]?\d+\s*$/.test(text) ? number : text;
}

function fitObject(
  value: JsonObject,
  schema: JsonObject,
  path: string,
  reading: Reading,
): JsonObject {
  const properties = isJsonObject(schema.properties) ? schema.properties : {};
  const required = Array.isArray(schema.required) ? schema.required : [];
  const result: JsonObject = {};
  for (const [key, item] of Object.entries(value)) {
    const isKnown = Object.hasOwn(properties, key);
    const property = isKnown ? properties[key] : schema.additionalProperties;
    const place = path === "" ? key : `${path}.${key}`;
    // null for an optional key that does not take null means: not given.
    if (
      item === null && isKnown && !required.includes(key) && !takesNull(property!, reading.root)
    ) {
      reading.notes.push(`${place}: null counts as left out`);
      continue;
    }
    setKey(result, key, fit(item, property, place, reading));
  }
  return result;
}

function fitArray(value: Json[], schema: JsonObject, path: string, reading: Reading): Json[] {
  const { items } = schema;
  if (items === undefined) return value;
  return value.map((item, index) =>
    fit(item, Array.isArray(items) ? items[index] : items, `${path}[${index}]`, reading)
  );
}
