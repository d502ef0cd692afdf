/** Checks values against foreign JSON Schemas, with sentences for what does not fit. */
import { decodePointer, pathOf, valueAt } from "./json_pointer.ts";
import { patternMatcher } from "./pattern_matcher.ts";
import { dereference, format, type OutputUnit, type Schema, validate } from "@cfworker/json-schema";

export type SchemaDraft = "7" | "2019-09" | "2020-12";

/** The problems of a value, each `<key path>: <what is wrong>`; empty where it fits. */
export type SchemaCheck = (value: unknown) => string[];

/** What a schema cannot be used for, in one sentence. */
export class SchemaError extends Error {
  override readonly name = "SchemaError";
}

/**
 * Prepares a check against `schema`, which must be well formed. Throws `SchemaError` where a
 * reference leads nowhere. `root` names the whole value in problems.
 */
export function compileSchema(
  schema: Record<string, unknown>,
  draft: SchemaDraft,
  root = "arguments",
): SchemaCheck {
  // The library hangs its own keys on the schema objects.
  const own = structuredClone(schema) as Schema;
  const lookup = resolveReferences(own);
  for (const part of Object.values(lookup)) if (typeof part === "object") easePattern(part);
  return (value) => {
    try {
      const { errors } = validate(value, own, draft, lookup, false);
      return describe(errors, { value, root, schema: own, lookup }).slice(0, maxProblems);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      return [`${root}: nested too deeply to be checked`];
    }
  };
}

const maxProblems = 10;

type Lookup = Record<string, Schema | boolean>;

function resolveReferences(schema: Schema): Lookup {
  let lookup: Lookup;
  try {
    lookup = dereference(schema);
  } catch (error) {
    throw new SchemaError(error instanceof Error ? error.message : String(error), { cause: error });
  }
  for (const part of Object.values(lookup)) {
    if (typeof part !== "object" || part.$ref === undefined) continue;
    if (lookup[targetOf(part)] === undefined) {
      throw new SchemaError(`$ref: ${JSON.stringify(part.$ref)} leads nowhere`);
    }
    if (leadsBack(part, lookup)) {
      throw new SchemaError(`$ref: ${JSON.stringify(part.$ref)} leads back to itself`);
    }
  }
  return lookup;
}

/** True where references lead in a circle without a step into the value. */
function leadsBack(part: Schema, lookup: Lookup): boolean {
  const seen = new Set<Schema>();
  let current: Schema | boolean | undefined = part;
  while (typeof current === "object" && current.$ref !== undefined) {
    if (seen.has(current)) return true;
    seen.add(current);
    current = lookup[targetOf(current)];
  }
  return false;
}

const patternFormat = "text that matches ";

/**
 * The library tests patterns in a way in which some take for ever on a short text. As a format of
 * our own a pattern is tested so that the engine can leave the path it is lost on.
 */
function easePattern(part: Schema): void {
  const { pattern } = part;
  if (typeof pattern !== "string") return;
  const name = `${patternFormat}${pattern}`;
  format[name] ??= patternMatcher(pattern);
  part.allOf = [...part.allOf ?? [], { format: name }];
  delete part.pattern;
}

function targetOf(part: Schema): string {
  return (part as { __absolute_ref__?: string }).__absolute_ref__ ?? part.$ref ?? "";
}

interface Subject {
  readonly value: unknown;
  /** What the whole value is called. */
  readonly root: string;
  readonly schema: Schema;
  readonly lookup: Lookup;
}

/** Errors of the library come as a flat list in which every level repeats that a deeper one failed. */
function describe(errors: readonly OutputUnit[], subject: Subject): string[] {
  const problems: string[] = [];
  for (let index = 0; index < errors.length; index++) {
    const error = errors[index]!;
    if (wrappers.has(error.keyword)) continue;
    if (choices.has(error.keyword)) {
      const inside = `${error.keywordLocation}/`;
      const branches: OutputUnit[] = [];
      while (errors[index + 1]?.keywordLocation.startsWith(inside)) branches.push(errors[++index]!);
      problems.push(describeChoice(error, branches, subject));
      continue;
    }
    problems.push(describeOne(error, subject));
  }
  return [...new Set(problems)];
}

const wrappers = new Set([
  "$ref",
  "$recursiveRef",
  "additionalItems",
  "additionalProperties",
  "allOf",
  "dependentSchemas",
  "if",
  "items",
  "patternProperties",
  "prefixItems",
  "properties",
  "propertyNames",
  "unevaluatedItems",
  "unevaluatedProperties",
]);

const choices = new Set(["anyOf", "oneOf", "contains"]);

function describeChoice(
  error: OutputUnit,
  branches: readonly OutputUnit[],
  subject: Subject,
): string {
  const path = pathOf(error.instanceLocation, subject.root);
  if (error.keyword === "contains") return `${path}: expected an item that fits "contains"`;
  if (/\([1-9]\d* matches\)/.test(error.error)) {
    return `${path}: fits several forms of "oneOf", expected exactly one`;
  }
  const details = describe(branches, subject).slice(0, maxProblems / 2);
  const reasons = details.length > 0 ? ` (${details.join("; ")})` : "";
  return `${path}: fits no form of "${error.keyword}"${reasons}`;
}

function describeOne(error: OutputUnit, subject: Subject): string {
  const path = pathOf(error.instanceLocation, subject.root);
  const wanted = keywordAt(error.keywordLocation, subject);
  switch (error.keyword) {
    case "type": {
      const found = typeOf(valueAt(subject.value, error.instanceLocation));
      return `${path}: expected ${expectedTypes(error.error)}, found ${found}`;
    }
    case "required": {
      const key = /required property "([^]*)"\.$/.exec(error.error)?.[1] ?? "";
      return `${path === subject.root ? key : `${path}.${key}`}: required, but missing`;
    }
    case "false": {
      const at = error.instanceLocation.lastIndexOf("/");
      if (at < 0) return `${path}: nothing is allowed here`;
      const key = decodePointer(error.instanceLocation.slice(at + 1));
      const parent = pathOf(error.instanceLocation.slice(0, at), subject.root);
      return `${parent}: unknown key ${JSON.stringify(key)}`;
    }
    case "enum":
      if (!Array.isArray(wanted)) break;
      return `${path}: expected one of ${
        shorten(wanted.map((one) => JSON.stringify(one)).join(", "))
      }`;
    case "const":
      return `${path}: expected ${shorten(JSON.stringify(wanted) ?? "another value")}`;
    case "format":
      return String(wanted).startsWith(patternFormat)
        ? `${path}: expected ${shorten(String(wanted))}`
        : `${path}: expected text of the format ${String(wanted)}`;
    case "minLength":
      return `${path}: expected ${
        wanted === 1 ? "a non-empty string" : `at least ${wanted} characters`
      }`;
    case "maxLength":
      return `${path}: expected at most ${wanted} characters`;
    case "minItems":
      return `${path}: expected at least ${wanted} ${wanted === 1 ? "item" : "items"}`;
    case "maxItems":
      return `${path}: expected at most ${wanted} ${wanted === 1 ? "item" : "items"}`;
    case "minimum":
      return `${path}: expected at least ${wanted}`;
    case "maximum":
      return `${path}: expected at most ${wanted}`;
    case "exclusiveMinimum":
      return `${path}: expected more than ${wanted}`;
    case "not":
      return `${path}: expected a value that does not fit "not"`;
    case "exclusiveMaximum":
      return `${path}: expected less than ${wanted}`;
  }
  return `${path}: ${sentence(error.error)}`;
}

/** The value of the keyword that failed, found through references. */
function keywordAt(location: string, { schema, lookup }: Subject): unknown {
  let current: unknown = schema;
  for (const key of location.split("/").slice(1).map(decodePointer)) {
    if (typeof current !== "object" || current === null) return undefined;
    current = key === "$ref"
      ? lookup[targetOf(current as Schema)]
      : (current as Record<string, unknown>)[key];
  }
  return current;
}

function expectedTypes(text: string): string {
  const list = /Expected "([^]*)"\.$/.exec(text)?.[1] ?? "another type";
  return list.split('", "').join(" or ");
}

function typeOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

function sentence(text: string): string {
  const trimmed = text.replace(/\.$/, "");
  return shorten(trimmed.charAt(0).toLowerCase() + trimmed.slice(1));
}

function shorten(text: string): string {
  return text.length > 300 ? `${text.slice(0, 300)}...` : text;
}
