/**
 * The form in which a tool's schema is sent to providers. They take less than JSON Schema
 * allows; what is left out here is still checked in full before a call.
 */
import { isJsonObject, type Json, type JsonObject } from "../core/json.ts";
import { setKey } from "../lib/set_key.ts";
import { filledIn, hasRoomFor, maxLevels, type Position, type Work, workOn } from "./references.ts";

/** `schema` with an object at its root, references filled in, and nothing that providers refuse. */
export function adaptSchema(schema: JsonObject): JsonObject {
  if (isPlain(schema)) return schema;
  const work = workOn(schema);
  const root = adaptRoot(filledIn(schema, { ...work, open: [], level: 0 }), work);
  return {
    ...root,
    type: "object",
    properties: isJsonObject(root.properties) ? root.properties : {},
  };
}

/** True for the usual schema, which everybody takes as it is: a flat object of simple values. */
function isPlain(schema: JsonObject): boolean {
  const { type, properties, ...rest } = schema;
  return type === "object" && isJsonObject(properties) &&
    Object.keys(rest).every((keyword) => plainAtRoot.has(keyword)) &&
    typeof (rest.additionalProperties ?? true) === "boolean" &&
    Object.values(properties).every((value) =>
      isJsonObject(value) && typeof (value.type ?? "") === "string" && value.type !== "array" &&
      Object.keys(value).every((keyword) => plainInValue.has(keyword))
    );
}

const plainAtRoot = new Set(["additionalProperties", "description", "required", "title"]);
const plainInValue = new Set([
  ...["default", "description", "enum", "maximum", "maxLength", "minimum", "minLength", "pattern"],
  ...["title", "type"],
]);

/** Providers refuse combinations at the root: what they describe is gathered as optional keys. */
function adaptRoot(schema: JsonObject, work: Work): JsonObject {
  const { anyOf, oneOf, allOf, enum: _enum, const: _const, ...rest } = adapt(schema, {
    ...work,
    open: [],
    level: 0,
  });
  const branches = [anyOf, oneOf, allOf].flatMap((list) => Array.isArray(list) ? list : [])
    .filter(isJsonObject);
  if (branches.length === 0) return rest;
  const properties: JsonObject = {};
  for (const part of [...branches, rest]) {
    if (!isJsonObject(part.properties)) continue;
    for (const [key, value] of Object.entries(part.properties)) setKey(properties, key, value);
  }
  const certain = [rest, ...Array.isArray(allOf) ? allOf.filter(isJsonObject) : []];
  const required = certain.flatMap((part) => Array.isArray(part.required) ? part.required : []);
  const { additionalProperties: _, ...open } = rest;
  return { ...open, properties, ...required.length > 0 && { required: [...new Set(required)] } };
}

function adapt(schema: Json, position: Position): JsonObject {
  const { room, level } = position;
  if (!isJsonObject(schema) || level > maxLevels || room.schemas-- <= 0) return {};
  const filled = filledIn(schema, position);
  const open = typeof schema.$ref === "string" ? [...position.open, schema.$ref] : position.open;
  const inner: Position = { ...position, open, level: level + 1 };
  const result: JsonObject = {};
  const hints: string[] = [];
  for (const [keyword, value] of Object.entries(filled)) {
    if (Object.hasOwn(keywords, keyword)) {
      const adapted = keywords[keyword]!(value, inner);
      if (adapted !== undefined) result[keyword] = adapted;
    } else if (Object.hasOwn(hinted, keyword) && hasRoomFor(value, room)) {
      hints.push(...hintOf(keyword, value, filled, result));
    } else if (!dropped.has(keyword) && hasRoomFor(value, room)) result[keyword] = value;
  }
  if (types(filled).includes("array") && result.items === undefined) result.items = {};
  if (hints.length > 0) {
    const before = typeof result.description === "string" ? `${result.description} ` : "";
    result.description = `${before}(${hints.join("; ")})`;
  }
  return result;
}

type KeywordAdapter = (value: Json, position: Position) => Json | undefined;

const keywords: Record<string, KeywordAdapter> = {
  properties: (value, position) => {
    const result: JsonObject = {};
    for (const [key, item] of Object.entries(isJsonObject(value) ? value : {})) {
      if (item !== false && hasRoomFor(key, position.room)) {
        setKey(result, key, adapt(item, position));
      }
    }
    return result;
  },
  items: (value, position) => Array.isArray(value) ? {} : adapt(value, position),
  additionalProperties: (value, position) =>
    typeof value === "boolean" ? value : adapt(value, position),
  anyOf: list,
  oneOf: list,
  allOf: list,
};

function list(value: Json, position: Position): Json[] {
  return (Array.isArray(value) ? value : []).map((item) => adapt(item, position));
}

/** Understood by nobody's function calling, or refused by somebody's. */
const dropped = new Set([
  "$anchor",
  "$comment",
  "$defs",
  "$dynamicAnchor",
  "$dynamicRef",
  "$id",
  "$ref",
  "$schema",
  "$vocabulary",
  "additionalItems",
  "contains",
  "contentEncoding",
  "contentMediaType",
  "contentSchema",
  "definitions",
  "dependencies",
  "dependentRequired",
  "dependentSchemas",
  "else",
  "if",
  "maxContains",
  "minContains",
  "not",
  "patternProperties",
  "prefixItems",
  "propertyNames",
  "then",
  "unevaluatedItems",
  "unevaluatedProperties",
]);

/** Said in words where the keyword itself cannot be sent. */
const hinted: Record<string, string> = {
  exclusiveMaximum: "less than",
  exclusiveMinimum: "more than",
  format: "format",
  multipleOf: "a multiple of",
};

function hintOf(keyword: string, value: Json, schema: JsonObject, result: JsonObject): string[] {
  if (keyword === "format" && value === "date-time") {
    result.format = value;
    return [];
  }
  const whole = typeof value === "number" && Number.isInteger(value) &&
    types(schema).join() === "integer";
  if (whole && keyword === "exclusiveMinimum" && schema.minimum === undefined) {
    result.minimum = value + 1;
    return [];
  }
  if (whole && keyword === "exclusiveMaximum" && schema.maximum === undefined) {
    result.maximum = value - 1;
    return [];
  }
  return [`${hinted[keyword]} ${String(value)}`];
}

function types(schema: JsonObject): Json[] {
  return schema.type === undefined ? [] : [schema.type].flat();
}
