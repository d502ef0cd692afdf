/**
 * How a built-in tool describes its arguments: one table gives the type, the JSON Schema and the
 * check. It does without the schema library, which would cost every start more than all else together.
 */
import { isJsonObject, type Json, type JsonObject } from "./json.ts";
import { withPlainNumbers } from "../lib/exact_numbers.ts";
import type { InputShape } from "./tool.ts";

/** One argument; `Value` is the type that a checked one has. */
export interface Field<Value> {
  readonly schema: JsonObject;
  readonly isOptional: boolean;
  /** Adds what is wrong with `value`, each problem with the path of its key. */
  check(value: Json, path: string, problems: string[]): void;
  /** Only there for the compiler. */
  readonly value?: Value;
}

type Fields = Readonly<Record<string, Field<unknown>>>;
type OptionalKeys<F extends Fields> = {
  [K in keyof F]: F[K] extends OptionalField<unknown> ? K : never;
}[keyof F];
interface OptionalField<Value> extends Field<Value> {
  readonly isOptional: true;
}
type ValueOf<F> = F extends Field<infer Value> ? Value : never;
export type ArgumentsOf<F extends Fields> =
  & { readonly [K in Exclude<keyof F, OptionalKeys<F>>]: ValueOf<F[K]> }
  & { readonly [K in OptionalKeys<F>]?: ValueOf<F[K]> | undefined };

/**
 * The shape of arguments with these `fields`; unknown keys are refused by name. `also` gives a further
 * problem of arguments that are right one by one.
 */
export function argumentShape<F extends Fields>(
  fields: F,
  also?: (input: ArgumentsOf<F>) => string | undefined,
): InputShape<ArgumentsOf<F>> {
  const whole = objectOf(fields);
  return {
    jsonSchema: whole.schema,
    parse(given) {
      // no built-in tool takes an integer that a number cannot hold: it is beyond every bound
      const raw = withPlainNumbers(given);
      const problems: string[] = [];
      whole.check(raw, "", problems);
      const input = raw as unknown as ArgumentsOf<F>;
      const further = problems.length === 0 ? also?.(input) : undefined;
      if (further !== undefined) problems.push(`arguments: ${further}`);
      return Promise.resolve(problems.length === 0 ? { input } : { problems });
    },
  };
}

/** A description is left out where the argument's name says it all: it is paid for in every request. */
export function text(description?: string): Field<string> {
  return field(
    { type: "string", ...described(description) },
    (value) => typeof value === "string" ? undefined : "expected string",
  );
}

/** A text that is not empty. */
export function someText(description?: string): Field<string> {
  return field({ type: "string", minLength: 1, ...described(description) }, (value) => {
    if (typeof value !== "string") return "expected string";
    return value === "" ? "expected a non-empty string" : undefined;
  });
}

/** A whole number within bounds, which are inclusive. */
export function integer(
  description: string,
  { min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER }: { min?: number; max?: number } =
    {},
): Field<number> {
  const bounds = {
    ...(min > Number.MIN_SAFE_INTEGER ? { minimum: min } : {}),
    ...(max < Number.MAX_SAFE_INTEGER ? { maximum: max } : {}),
  };
  return field({ type: "integer", ...bounds, description }, (value) => {
    if (typeof value !== "number" || !Number.isInteger(value)) return "expected integer";
    if (value < min) return `expected at least ${min}`;
    return value > max ? `expected at most ${max}` : undefined;
  });
}

export function number(description: string): Field<number> {
  return field(
    { type: "number", description },
    (value) => typeof value === "number" ? undefined : "expected number",
  );
}

export function flag(description?: string): Field<boolean> {
  return field(
    { type: "boolean", ...described(description) },
    (value) => typeof value === "boolean" ? undefined : "expected boolean",
  );
}

/** One of some words. */
export function choice<const Words extends readonly string[]>(
  description: string,
  words: Words,
): Field<Words[number]> {
  const named = words.map((word) => JSON.stringify(word)).join(", ");
  return field(
    { type: "string", enum: [...words], description },
    (value) =>
      typeof value === "string" && words.includes(value) ? undefined : `expected one of ${named}`,
  );
}

export function list<Value>(
  description: string | undefined,
  item: Field<Value>,
  { minItems = 0 }: { minItems?: number } = {},
): Field<readonly Value[]> {
  const bounds = minItems > 0 ? { minItems } : {};
  return {
    schema: { ...bounds, type: "array", items: item.schema, ...described(description) },
    isOptional: false,
    check(value, path, problems) {
      if (!Array.isArray(value)) return void problems.push(`${path}: expected array`);
      value.forEach((entry, index) => item.check(entry, `${path}[${index}]`, problems));
      if (value.length < minItems) problems.push(`${path}: expected at least ${minItems}`);
    },
  };
}

export function objectOf<F extends Fields>(fields: F): Field<ArgumentsOf<F>> {
  const names = Object.keys(fields);
  const required = names.filter((name) => !fields[name]!.isOptional);
  const properties = Object.fromEntries(names.map((name) => [name, fields[name]!.schema]));
  return {
    schema: {
      type: "object",
      properties,
      ...(required.length > 0 ? { required } : {}),
      additionalProperties: false,
    },
    isOptional: false,
    check(value, path, problems) {
      if (!isJsonObject(value)) {
        return void problems.push(`${path || "arguments"}: expected object`);
      }
      for (const name of names) {
        const { isOptional, check } = fields[name]!;
        if (Object.hasOwn(value, name)) check(value[name]!, join(path, name), problems);
        else if (!isOptional) check(undefined as unknown as Json, join(path, name), problems);
      }
      const unknown = Object.keys(value).filter((key) => !Object.hasOwn(fields, key));
      if (unknown.length > 0) {
        const keys = unknown.map((key) => JSON.stringify(key)).join(", ");
        problems.push(`${path || "arguments"}: unknown key ${keys}`);
      }
    },
  };
}

/** An argument that may be missing. */
export function optional<Value>(given: Field<Value>): OptionalField<Value | undefined> {
  return { schema: given.schema, check: given.check, isOptional: true };
}

function described(description: string | undefined): JsonObject {
  return description === undefined ? {} : { description };
}

function field<Value>(
  schema: JsonObject,
  problemOf: (value: Json) => string | undefined,
): Field<Value> {
  return {
    schema,
    isOptional: false,
    check(value, path, problems) {
      const problem = problemOf(value);
      if (problem !== undefined) problems.push(`${path}: ${problem}`);
    },
  };
}

function join(path: string, name: string): string {
  return path === "" ? name : `${path}.${name}`;
}
