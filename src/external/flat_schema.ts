/**
 * Checks one object against a flat schema: the few keywords that our own files need, at
 * a small part of the cost of the general checker, as it runs for every manifest at every start.
 */
import { isJsonObject, type Json, type JsonObject } from "../core/json.ts";

/** What is wrong with `value`, each `<key>: <what is wrong>`. */
export function flatProblems(value: JsonObject, schema: JsonObject): string[] {
  const problems: string[] = [];
  for (const key of schema.required as string[]) {
    if (!Object.hasOwn(value, key)) problems.push(`${key}: required, but missing`);
  }
  for (const [key, rule] of Object.entries(schema.properties as JsonObject)) {
    if (Object.hasOwn(value, key)) problems.push(...valueProblems(value[key]!, rule, key));
  }
  return problems;
}

function valueProblems(value: Json, rule: Json, path: string): string[] {
  if (!isJsonObject(rule)) return [];
  if (typeof rule.type === "string" && !isOfType(value, rule.type)) {
    return [`${path}: expected ${rule.type}, found ${typeOf(value)}`];
  }
  if (Array.isArray(rule.enum) && !rule.enum.includes(value)) {
    return [`${path}: expected one of ${rule.enum.map((one) => JSON.stringify(one)).join(", ")}`];
  }
  if (typeof value === "string") {
    if (typeof rule.minLength === "number" && value.length < rule.minLength) {
      return [`${path}: expected a non-empty string`];
    }
    if (typeof rule.pattern === "string" && !new RegExp(rule.pattern, "u").test(value)) {
      return [`${path}: expected text that matches ${rule.pattern}, found ${brief(value)}`];
    }
  }
  if (Array.isArray(value)) {
    if (typeof rule.minItems === "number" && value.length < rule.minItems) {
      return [`${path}: expected a non-empty array`];
    }
    return value.flatMap((item, index) =>
      valueProblems(item, rule.items ?? null, `${path}[${index}]`)
    );
  }
  return [];
}

function isOfType(value: Json, type: string): boolean {
  return type === "integer" ? Number.isInteger(value) : typeOf(value) === type;
}

function typeOf(value: Json): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

function brief(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}...` : text);
}
