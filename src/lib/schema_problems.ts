/** Puts what the library finds wrong with a value into sentences. */
import { decodePointer, pathOf, valueAt } from "./json_pointer.ts";

/** One error as the library reports it. */
export interface SchemaFinding {
  readonly keyword: string;
  readonly keywordLocation: string;
  readonly instanceLocation: string;
  readonly error: string;
}

/** A schema, or a part of one, that is not a boolean. */
export interface SchemaPart {
  readonly $ref?: string | undefined;
}

const maxProblems = 10;

/** What the names of formats begin with that stand for patterns. */
export const patternFormat = "text that matches ";

/** The address that the reference of a part leads to. */
export function targetOf(part: SchemaPart): string {
  return (part as { __absolute_ref__?: string }).__absolute_ref__ ?? part.$ref ?? "";
}

export interface Subject {
  readonly value: unknown;
  /** What the whole value is called. */
  readonly root: string;
  readonly schema: SchemaPart;
  /** The parts of the schema by the addresses that references have for them. */
  readonly lookup: Readonly<Record<string, SchemaPart | boolean>>;
}

/**
 * Errors of the library come as a flat list in which every level repeats that a deeper one failed.
 * Only so many are put into words.
 */
export function describe(errors: readonly SchemaFinding[], subject: Subject): string[] {
  const problems = new Set<string>();
  for (let index = 0; index < errors.length && problems.size < maxProblems; index++) {
    const error = errors[index]!;
    if (wrappers.has(error.keyword)) continue;
    if (!choices.has(error.keyword)) {
      problems.add(describeOne(error, subject));
      continue;
    }
    const inside = `${error.keywordLocation}/`;
    const branches: SchemaFinding[] = [];
    while (errors[index + 1]?.keywordLocation.startsWith(inside)) branches.push(errors[++index]!);
    problems.add(describeChoice(error, branches, subject));
  }
  return [...problems];
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
  error: SchemaFinding,
  branches: readonly SchemaFinding[],
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

function describeOne(error: SchemaFinding, subject: Subject): string {
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
      ? lookup[targetOf(current as SchemaPart)]
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
