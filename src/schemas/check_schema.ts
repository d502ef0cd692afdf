/** Checks whether a foreign JSON Schema is itself well formed. */
import { isJsonObject, type Json, type JsonObject } from "../core/json.ts";
import type { SchemaDraft } from "../lib/json_schema.ts";

/** The draft that `schema` declares; 2020-12 where it declares none, undefined for an unknown one. */
export function draftOf(schema: JsonObject): SchemaDraft | undefined {
  const declared = schema.$schema;
  if (declared === undefined) return "2020-12";
  if (typeof declared !== "string") return undefined;
  const name = /json-schema\.org\/(?:draft\/)?(draft-07|2019-09|2020-12)\/schema#?$/.exec(declared);
  switch (name?.[1]) {
    case "draft-07":
      return "7";
    case "2019-09":
    case "2020-12":
      return name[1];
    default:
      return undefined;
  }
}

/**
 * What is wrong with `schema` as a JSON Schema, each `<key path>: <what is wrong>` below `path`.
 * Keywords that no draft knows are notes and stay unchecked.
 */
export function schemaProblems(schema: Json, path: string): string[] {
  return checkSchema(schema, 0).map((problem) => `${path}${problem}`);
}

const maxDepth = 64;
const maxProblems = 5;

/** Problems as `.key path: what is wrong`; one shared empty list where all is well. */
type Problems = readonly string[];
const none: Problems = [];

function checkSchema(schema: Json, depth: number): Problems {
  if (typeof schema === "boolean") return none;
  if (!isJsonObject(schema)) return [": expected a schema (an object or a boolean)"];
  if (depth > maxDepth) return [`: nested deeper than ${maxDepth} schemas`];
  let problems = none;
  for (const keyword of Object.keys(schema)) {
    const kind = Object.hasOwn(keywords, keyword) ? keywords[keyword] : undefined;
    if (kind === undefined) continue;
    problems = join(problems, `.${keyword}`, checks[kind](schema[keyword]!, depth + 1));
  }
  return problems;
}

/** Only as many as are named are kept: a schema can be wrong in very many places. */
function join(before: Problems, path: string, found: Problems): Problems {
  const room = maxProblems - before.length;
  if (found.length === 0 || room <= 0) return before;
  return [...before, ...found.slice(0, room).map((one) => `${path}${one}`)];
}

type Check = (value: Json, depth: number) => Problems;

function inList(check: Check): Check {
  return (value, depth) => {
    if (!Array.isArray(value) || value.length === 0) return [": expected a non-empty array"];
    return value.reduce<Problems>(
      (all, item, index) => join(all, `[${index}]`, check(item, depth)),
      none,
    );
  };
}

function inMap(check: Check, checkKey?: Check): Check {
  return (value, depth) => {
    if (!isJsonObject(value)) return [`: expected an object`];
    let problems = none;
    for (const key of Object.keys(value)) {
      if (checkKey !== undefined) problems = join(problems, `.${key}`, checkKey(key, depth));
      problems = join(problems, `.${key}`, check(value[key]!, depth));
    }
    return problems;
  };
}

function when(test: (value: Json) => boolean, wanted: string): Check {
  const problem = [`: expected ${wanted}`];
  return (value) => test(value) ? none : problem;
}

const types: readonly Json[] = [
  "array",
  "boolean",
  "integer",
  "null",
  "number",
  "object",
  "string",
];

function isTypeName(value: Json): boolean {
  return types.includes(value);
}

function isCount(value: Json): boolean {
  return typeof value === "number" && Number.isInteger(value) && value >= 0;
}

function checkPattern(value: Json): Problems {
  if (typeof value !== "string") return [": expected a regular expression"];
  try {
    new RegExp(value, "u");
    return none;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return [`: ${error.message}`];
  }
}

const checkNames = when(
  (value) => Array.isArray(value) && value.every((item) => typeof item === "string"),
  "an array of strings",
);

const checks = {
  schema: checkSchema,
  schemaOrList: (value, depth) =>
    Array.isArray(value) && value.length > 0
      ? inList(checkSchema)(value, depth)
      : checkSchema(value, depth),
  schemaList: inList(checkSchema),
  schemaMap: inMap(checkSchema),
  patternMap: inMap(checkSchema, checkPattern),
  dependencies: inMap((value, depth) =>
    Array.isArray(value) ? checkNames(value, depth) : checkSchema(value, depth)
  ),
  namesMap: inMap(checkNames),
  type: when(
    (value) =>
      Array.isArray(value) ? value.length > 0 && value.every(isTypeName) : isTypeName(value),
    `one or several of ${types.join(", ")}`,
  ),
  names: checkNames,
  values: when((value) => Array.isArray(value) && value.length > 0, "a non-empty array"),
  string: when((value) => typeof value === "string", "a string"),
  boolean: when((value) => typeof value === "boolean", "a boolean"),
  number: when((value) => typeof value === "number", "a number"),
  positive: when((value) => typeof value === "number" && value > 0, "a number above 0"),
  count: when(isCount, "an integer of at least 0"),
  pattern: checkPattern,
} satisfies Record<string, Check>;

type Kind = keyof typeof checks;

const keywords: Record<string, Kind> = {
  $anchor: "string",
  $comment: "string",
  $defs: "schemaMap",
  $id: "string",
  $ref: "string",
  additionalItems: "schema",
  additionalProperties: "schema",
  allOf: "schemaList",
  anyOf: "schemaList",
  contains: "schema",
  definitions: "schemaMap",
  dependencies: "dependencies",
  dependentRequired: "namesMap",
  dependentSchemas: "schemaMap",
  description: "string",
  else: "schema",
  enum: "values",
  exclusiveMaximum: "number",
  exclusiveMinimum: "number",
  format: "string",
  if: "schema",
  items: "schemaOrList",
  maxContains: "count",
  maxItems: "count",
  maxLength: "count",
  maxProperties: "count",
  maximum: "number",
  minContains: "count",
  minItems: "count",
  minLength: "count",
  minProperties: "count",
  minimum: "number",
  multipleOf: "positive",
  not: "schema",
  oneOf: "schemaList",
  pattern: "pattern",
  patternProperties: "patternMap",
  prefixItems: "schemaList",
  properties: "schemaMap",
  propertyNames: "schema",
  required: "names",
  then: "schema",
  title: "string",
  type: "type",
  unevaluatedItems: "schema",
  unevaluatedProperties: "schema",
  uniqueItems: "boolean",
};
