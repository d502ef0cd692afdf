/** Merges settings: objects key by key, everything else replaced by the later source. */
import { isJsonObject, type Json, type JsonObject } from "../core/json.ts";
import { setKey } from "../lib/set_key.ts";

export type SettingSource =
  | { readonly scope: "default" }
  | { readonly scope: "user"; readonly file: string }
  | { readonly scope: "project"; readonly file: string }
  | { readonly scope: "environment"; readonly variable: string }
  | { readonly scope: "flag" };

/** Where each value is from, by its dotted path down to the last key. */
export type SettingSources = Map<string, SettingSource>;

/** Puts `value` at `path` of `tree` and says in `sources` where it is from. */
export function mergeAt(
  tree: JsonObject,
  path: readonly string[],
  value: Json,
  source: SettingSource,
  sources: SettingSources,
): void {
  let object = tree;
  for (const key of path.slice(0, -1)) object = objectAt(object, key);
  merge(object, path, value, source, sources);
}

/** The value at `path`; undefined where there is none. */
export function valueAt(tree: JsonObject, path: readonly string[]): Json | undefined {
  let value: Json | undefined = tree;
  for (const key of path) {
    if (!isJsonObject(value) || !Object.hasOwn(value, key)) return undefined;
    value = value[key];
  }
  return value;
}

function merge(
  object: JsonObject,
  path: readonly string[],
  value: Json,
  source: SettingSource,
  sources: SettingSources,
): void {
  const key = path.at(-1)!;
  if (!isJsonObject(value)) {
    forget(sources, path);
    sources.set(path.join("."), source);
    return setKey(object, key, value);
  }
  sources.delete(path.join("."));
  const inner = objectAt(object, key);
  for (const [innerKey, innerValue] of Object.entries(value)) {
    merge(inner, [...path, innerKey], innerValue, source, sources);
  }
}

function objectAt(object: JsonObject, key: string): JsonObject {
  const present = Object.hasOwn(object, key) ? object[key] : undefined;
  if (isJsonObject(present)) return present;
  const made: JsonObject = {};
  setKey(object, key, made);
  return made;
}

/** What lay below a value that is replaced is no longer from anywhere. */
function forget(sources: SettingSources, path: readonly string[]): void {
  const prefix = `${path.join(".")}.`;
  for (const key of [...sources.keys()]) if (key.startsWith(prefix)) sources.delete(key);
}
