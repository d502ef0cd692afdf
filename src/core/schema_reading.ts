/** What a JSON Schema says of a value at first sight: its types, and whether it takes null. */
import { setKey } from "../lib/set_key.ts";
import { valueAt } from "../lib/json_pointer.ts";
import { isJsonObject, type Json, type JsonObject } from "./json.ts";

/** References and choices are followed so far. */
const maxDepth = 16;

/** `schema` with what its local reference leads to, within `root`. */
export function resolved(schema: JsonObject, root: Json | undefined): JsonObject {
  let current = schema;
  for (let hops = 0; hops < maxDepth && typeof current.$ref === "string"; hops++) {
    const { $ref, ...beside } = current;
    const isPointer = $ref === "#" || ($ref as string).startsWith("#/");
    const target = isPointer ? valueAt(root, $ref as string) : undefined;
    if (!isJsonObject(target)) return current;
    current = { ...target };
    for (const [key, value] of Object.entries(beside)) setKey(current, key, value);
  }
  return current;
}

/** The schemas of a choice, or of one that must hold beside nothing else. */
export function branchesOf(schema: JsonObject): readonly Json[] {
  const choice = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(choice)) return choice;
  return Array.isArray(schema.allOf) && schema.allOf.length === 1 ? schema.allOf : [];
}

export function typesOf(schema: JsonObject): Set<string> {
  if (typeof schema.type === "string") return new Set([schema.type]);
  if (Array.isArray(schema.type)) {
    return new Set(schema.type.filter((type) => typeof type === "string"));
  }
  if (isJsonObject(schema.properties)) return new Set(["object"]);
  return new Set();
}

/** Whether null fits the schema, whatever form that has; a schema that says nothing takes it. */
export function takesNull(given: Json, root: Json | undefined, depth = 0): boolean {
  if (!isJsonObject(given)) return given !== false;
  if (depth > maxDepth) return true;
  const schema = resolved(given, root);
  const takes = (branch: Json) => takesNull(branch, root, depth + 1);
  if (schema.type !== undefined && !typesOf(schema).has("null")) return false;
  if (Array.isArray(schema.enum) && !schema.enum.includes(null)) return false;
  if (schema.const !== undefined && schema.const !== null) return false;
  if (Array.isArray(schema.anyOf) && !schema.anyOf.some(takes)) return false;
  if (Array.isArray(schema.oneOf) && schema.oneOf.filter(takes).length !== 1) return false;
  if (Array.isArray(schema.allOf) && !schema.allOf.every(takes)) return false;
  return schema.not === undefined || !takes(schema.not);
}
