/**
 * Checks of a value's form, at a small part of what the schema library costs to load: each program that
 * has an extension would wait for it. Tests hold them against the published schemas.
 */
import { isJsonObject, type Json } from "../core/json.ts";
import { isExactNumber } from "../lib/exact_numbers.ts";

/** What is wrong with a value at `path`, each `<path>: expected ..., found ...`. */
export type Check = (value: Json, path: string) => readonly string[];

const maxProblems = 5;
const fits: readonly string[] = [];

/** Of a whole value, the first few. */
export function problemsOf(check: Check, value: Json): readonly string[] {
  return check(value, "").slice(0, maxProblems);
}

function expected(what: string, value: Json, path: string): string[] {
  const sentence = `expected ${what}, found ${typeOf(value)}`;
  return [path === "" ? sentence : `${path}: ${sentence}`];
}

function typeOf(value: Json): string {
  if (value === null) return "null";
  if (isExactNumber(value)) return "number";
  return Array.isArray(value) ? "array" : typeof value;
}

function of(what: string, holds: (value: Json) => boolean): Check {
  return (value, path) => holds(value) ? fits : expected(what, value, path);
}

export const text = of("string", (value) => typeof value === "string");
export const boolean = of("boolean", (value) => typeof value === "boolean");
export const anyObject = of("object", isJsonObject);
export const anything: Check = () => fits;

export function textLike(pattern: RegExp, what: string): Check {
  return (value, path) => {
    if (typeof value !== "string") return text(value, path);
    return pattern.test(value) ? fits : [`${path}: expected ${what}`];
  };
}

export function oneOf(...values: readonly Json[]): Check {
  const names = values.map((one) => JSON.stringify(one)).join(", ");
  return (value, path) => values.includes(value) ? fits : [`${path}: expected one of ${names}`];
}

export function integer(least: number, most = Number.MAX_SAFE_INTEGER): Check {
  return (value, path) => {
    if (!Number.isSafeInteger(value)) return expected("integer", value, path);
    const isWithin = Number(value) >= least && Number(value) <= most;
    return isWithin ? fits : [`${path}: expected an integer from ${least} to ${most}`];
  };
}

export function either(first: Check, isFirst: (value: Json) => boolean, second: Check): Check {
  return (value, path) => (isFirst(value) ? first : second)(value, path);
}

export function list(item: Check, { least = 0, most = Infinity } = {}): Check {
  return (value, path) => {
    if (!Array.isArray(value)) return expected("array", value, path);
    if (value.length < least) return [`${path}: expected at least ${least} items`];
    if (value.length > most) return [`${path}: expected at most ${most} items`];
    return value.flatMap((one, index) => item(one, `${path}[${index}]`));
  };
}

interface Fields {
  readonly required?: { readonly [key: string]: Check };
  readonly optional?: { readonly [key: string]: Check };
  /** Other keys are a fault. */
  readonly isStrict?: boolean;
}

export function object({ required = {}, optional = {}, isStrict = false }: Fields): Check {
  return (value, path) => {
    if (!isJsonObject(value)) return expected("object", value, path);
    const at = (key: string) => path === "" ? key : `${path}.${key}`;
    const problems: string[] = [];
    for (const [key, item] of Object.entries(value)) {
      const check = Object.hasOwn(required, key)
        ? required[key]
        : Object.hasOwn(optional, key)
        ? optional[key]
        : undefined;
      if (check !== undefined) problems.push(...check(item, at(key)));
      else if (isStrict) problems.push(`${at(key)}: unknown key`);
    }
    for (const key of Object.keys(required)) {
      if (!Object.hasOwn(value, key)) problems.push(`${at(key)}: required, but missing`);
    }
    return problems;
  };
}
