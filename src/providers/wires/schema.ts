/** Tool schemas on the way out: what servers refuse is removed or put differently. */
import { isJsonObject, type Json, type JsonObject } from "../../core/json.ts";
import type { Profile } from "../catalog.ts";
import { limits } from "./limits.ts";

/**
 * A schema that the server takes. Arguments are checked against the tool's own schema when they
 * come, so a looser one loses hints only. `simplified` tells that more than notes were left out.
 */
export function sentSchema(
  schema: JsonObject,
  profile: Profile,
  simpler = false,
): { readonly schema: JsonObject; readonly simplified: boolean } {
  const found = { simplified: false };
  const { $schema: _, $id: __, ...rest } = schema;
  let sent: JsonObject = rest;
  // The top must be a plain object for every server; some say so by refusing the whole request.
  for (const key of ["anyOf", "oneOf", "allOf", "not", "enum", "if", "then", "else"]) {
    if (key in sent) {
      const { [key]: _dropped, ...without } = sent;
      sent = without;
      found.simplified = true;
    }
  }
  if (sent.type !== "object") {
    if (sent.type !== undefined) found.simplified = true;
    sent = { ...sent, type: "object" };
  }
  if (!isJsonObject(sent.properties)) sent = { ...sent, properties: {} };
  const keywords = simpler ? simpleKeywords : limits[profile].schemaKeywords;
  if (keywords !== undefined) sent = withKeywords(sent, keywords, found) as JsonObject;
  return { schema: sent, simplified: found.simplified };
}

/** Keywords that carry schemas inside, by how. */
const listOfSchemas = new Set(["anyOf", "oneOf", "allOf", "prefixItems"]);
const mapOfSchemas = new Set(["properties", "$defs", "definitions"]);

/** What every server takes: grammars are made of these alone. */
const simpleKeywords = new Set([
  "$defs",
  "$ref",
  "additionalProperties",
  "anyOf",
  "description",
  "enum",
  "items",
  "properties",
  "required",
  "type",
]);

/** Keywords whose loss changes what a value looks like, not merely its bounds or notes. */
const structural = new Set([
  "allOf",
  "not",
  "if",
  "then",
  "else",
  "patternProperties",
  "dependentSchemas",
  "dependentRequired",
  "dependencies",
  "unevaluatedProperties",
  "$dynamicRef",
]);

function withKeywords(
  value: Json,
  keywords: ReadonlySet<string>,
  found: { simplified: boolean },
): Json {
  if (!isJsonObject(value)) return value;
  const sent: JsonObject = {};
  for (const [key, item] of Object.entries(mended(value))) {
    if (!keywords.has(key)) {
      if (structural.has(key)) found.simplified = true;
      continue;
    }
    if (mapOfSchemas.has(key) && isJsonObject(item)) {
      sent[key] = Object.fromEntries(
        Object.entries(item).map(([name, inner]) => [name, withKeywords(inner, keywords, found)]),
      );
    } else if (listOfSchemas.has(key) && Array.isArray(item)) {
      sent[key] = item.map((inner) => withKeywords(inner, keywords, found));
    } else if (key === "items" || key === "additionalProperties") {
      sent[key] = withKeywords(item, keywords, found);
    } else sent[key] = item;
  }
  return sent;
}

/** Keywords put in older words, which more servers know. */
function mended(schema: JsonObject): JsonObject {
  const { const: fixed, exclusiveMinimum, exclusiveMaximum, definitions, ...rest } = schema;
  const sent: JsonObject = { ...rest };
  if (fixed !== undefined && sent.enum === undefined) sent.enum = [fixed];
  const whole = sent.type === "integer" ? 1 : 0;
  if (typeof exclusiveMinimum === "number") sent.minimum ??= exclusiveMinimum + whole;
  if (typeof exclusiveMaximum === "number") sent.maximum ??= exclusiveMaximum - whole;
  if (definitions !== undefined) sent.$defs ??= definitions;
  if (typeof sent.$ref === "string") sent.$ref = sent.$ref.replace("#/definitions/", "#/$defs/");
  // Enumerations are of strings there.
  if (Array.isArray(sent.enum) && sent.enum.some((item) => typeof item !== "string")) {
    delete sent.enum;
  }
  return sent;
}
