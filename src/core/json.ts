/** Plain JSON values: their types, and the parsing of a text that may be one. */
import { isExactNumber, parseExactly } from "../lib/exact_numbers.ts";

/** A number that JavaScript would round is an `ExactNumber`, which every text of the value keeps. */
export type Json = null | boolean | number | string | Json[] | JsonObject;
export type JsonObject = { [key: string]: Json };

/** True for a value that is a plain JSON object (not null, not an array, no exact number). */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) &&
    !isExactNumber(value);
}

/** The value that JSON text stands for, no integer of it rounded. Throws `SyntaxError`. */
export function readJson(text: string): Json {
  return parseExactly(text) as Json;
}

/** The same; undefined for any other text. */
export function parseJson(text: string): Json | undefined {
  try {
    return readJson(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return undefined;
  }
}

/** True for the same value, in whatever order the keys of objects stand. */
export function isSameJson(one: Json | undefined, other: Json | undefined): boolean {
  if (Array.isArray(one)) {
    return Array.isArray(other) && one.length === other.length &&
      one.every((item, index) => isSameJson(item, other[index]));
  }
  if (isJsonObject(one)) {
    if (!isJsonObject(other)) return false;
    const keys = Object.keys(one);
    return keys.length === Object.keys(other).length &&
      keys.every((key) => Object.hasOwn(other, key) && isSameJson(one[key], other[key]));
  }
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}

/** Levels of arrays and objects that arguments may have; readers of our records have limits too. */
export const maxJsonLevels = 100;

/** True where arrays and objects lie within one another more than `levels` deep. */
export function isDeeper(value: Json, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((item) => isDeeper(item, levels - 1));
}
