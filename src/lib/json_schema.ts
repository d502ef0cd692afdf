/** Checks values against foreign JSON Schemas, with sentences for what does not fit. */
import { patternMatcher } from "./pattern_matcher.ts";
import { describe, patternFormat, targetOf } from "./schema_problems.ts";
import { dereference, format, type Schema, validate } from "@cfworker/json-schema";

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
  const { own, lookup } = prepare(schema);
  return (value) => {
    try {
      const { errors } = validate(value, own, draft, lookup, false);
      return describe(errors, { value, root, schema: own, lookup });
    } catch (error) {
      // the library writes paths as addresses, which cannot hold half a character
      if (error instanceof URIError) return [`${root}: holds a key with half a character`];
      if (!(error instanceof RangeError)) throw error;
      return [`${root}: nested too deeply to be checked, or wrong in too many places`];
    }
  };
}

function prepare(schema: Record<string, unknown>): { own: Schema; lookup: Lookup } {
  try {
    // the library hangs its own keys on the schema objects
    const own = structuredClone(schema) as Schema;
    const lookup = resolveReferences(own);
    for (const part of Object.values(lookup)) if (typeof part === "object") easePattern(part);
    return { own, lookup };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new SchemaError("nested too deeply", { cause: error });
  }
}

type Lookup = Record<string, Schema | boolean>;

function resolveReferences(schema: Schema): Lookup {
  let lookup: Lookup;
  try {
    lookup = dereference(schema);
  } catch (error) {
    throw new SchemaError(error instanceof Error ? error.message : String(error), { cause: error });
  }
  const ending = new Set<Schema>();
  for (const part of Object.values(lookup)) {
    if (typeof part !== "object" || part.$ref === undefined) continue;
    if (lookup[targetOf(part)] === undefined) {
      throw new SchemaError(`$ref: ${JSON.stringify(part.$ref)} leads nowhere`);
    }
    if (leadsBack(part, lookup, ending)) {
      throw new SchemaError(`$ref: ${JSON.stringify(part.$ref)} leads back to itself`);
    }
  }
  return lookup;
}

/**
 * True where references lead in a circle without a step into the value. `ending` holds the parts
 * that are known to lead to an end, for all parts of a schema.
 */
function leadsBack(part: Schema, lookup: Lookup, ending: Set<Schema>): boolean {
  const seen = new Set<Schema>();
  let current: Schema | boolean | undefined = part;
  while (typeof current === "object" && current.$ref !== undefined && !ending.has(current)) {
    if (seen.has(current)) return true;
    seen.add(current);
    current = lookup[targetOf(current)];
  }
  for (const one of seen) ending.add(one);
  return false;
}

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
