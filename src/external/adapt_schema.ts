/**
 * The form in which a tool's schema is sent to providers. They take less than JSON Schema
 * allows; what is left out here is still checked in full before a call.
 */
import { isJsonObject, type Json, type JsonObject } from "../core/json.ts";
import { decodePointer } from "../lib/json_pointer.ts";
import { setKey } from "../lib/set_key.ts";

/** `schema` with an object at its root, references filled in, and nothing that providers refuse. */
export function adaptSchema(schema: JsonObject): JsonObject {
  if (isPlain(schema)) return schema;
  const room = { schemas: maxSchemas };
  const root = adaptRoot(filledIn(schema, { root: schema, open: [], room }), {
    root: schema,
    room,
  });
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

/** A schema that grows beyond this by filling in references is cut: any value is allowed there. */
const maxSchemas = 4000;

interface Work {
  readonly root: JsonObject;
  readonly room: { schemas: number };
}

interface Position extends Work {
  /** References that are being filled in: meeting one again ends the descent. */
  readonly open: readonly string[];
}

/** Providers refuse combinations at the root: what they describe is gathered as optional keys. */
function adaptRoot(schema: JsonObject, work: Work): JsonObject {
  const { anyOf, oneOf, allOf, enum: _enum, const: _const, ...rest } = adapt(schema, {
    ...work,
    open: [],
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
  if (!isJsonObject(schema) || position.room.schemas-- <= 0) return {};
  const filled = filledIn(schema, position);
  const open = typeof schema.$ref === "string" ? [...position.open, schema.$ref] : position.open;
  const inner: Position = { ...position, open };
  const result: JsonObject = {};
  const hints: string[] = [];
  for (const [keyword, value] of Object.entries(filled)) {
    if (Object.hasOwn(keywords, keyword)) {
      const adapted = keywords[keyword]!(value, inner);
      if (adapted !== undefined) result[keyword] = adapted;
    } else if (Object.hasOwn(hinted, keyword)) {
      hints.push(...hintOf(keyword, value, filled, result));
    } else if (!dropped.has(keyword)) result[keyword] = value;
  }
  if (types(filled).includes("array") && result.items === undefined) result.items = {};
  if (hints.length > 0) {
    const before = typeof filled.description === "string" ? `${filled.description} ` : "";
    result.description = `${before}(${hints.join("; ")})`;
  }
  return result;
}

type KeywordAdapter = (value: Json, position: Position) => Json | undefined;

const keywords: Record<string, KeywordAdapter> = {
  properties: (value, position) => {
    const result: JsonObject = {};
    for (const [key, item] of Object.entries(isJsonObject(value) ? value : {})) {
      if (item !== false) setKey(result, key, adapt(item, position));
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

/** `schema` with the target of its reference under its own keywords. */
function filledIn(schema: JsonObject, { root, open, room }: Position): JsonObject {
  let current = schema;
  const seen = [...open];
  while (typeof current.$ref === "string") {
    const { $ref, ...own } = current;
    const target = seen.includes($ref) || room.schemas <= 0 ? undefined : resolve($ref, root);
    seen.push($ref);
    current = isJsonObject(target) ? { ...target, ...own } : own;
  }
  return current;
}

/** The part of `root` that a reference within it points to. */
function resolve(reference: string, root: JsonObject): Json | undefined {
  if (reference === "#" || reference === root.$id) return root;
  const fragment = reference.slice(reference.indexOf("#") + 1);
  if (!reference.includes("#")) return findBy(root, "$id", reference);
  if (!fragment.startsWith("/")) return findBy(root, "$anchor", fragment);
  let current: Json | undefined = root;
  for (const part of fragment.slice(1).split("/")) {
    const key = decodePointer(part);
    if (Array.isArray(current)) current = current[Number(key)];
    else current = isJsonObject(current) && Object.hasOwn(current, key) ? current[key] : undefined;
  }
  return current;
}

function findBy(schema: Json, keyword: string, wanted: string): Json | undefined {
  if (typeof schema !== "object" || schema === null) return undefined;
  if (isJsonObject(schema) && schema[keyword] === wanted) return schema;
  for (const value of Object.values(schema)) {
    const found = findBy(value, keyword, wanted);
    if (found !== undefined) return found;
  }
  return undefined;
}

function types(schema: JsonObject): Json[] {
  return schema.type === undefined ? [] : [schema.type].flat();
}
