/** Text of a server without the characters that people do not see and models obey. */
import { isJsonObject, type Json } from "./json.ts";

/** The letters of tags, in which a text can be hidden within another. */
const tags = /[\u{e0000}-\u{e007f}\u{e0100}-\u{e01ef}]/gu;

/** Controls but tab and line feed, zero-width and bidirectional characters, tags. */
const hidden =
  // deno-lint-ignore no-control-regex -- they are what is looked for
  /[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g;

/** `text` without tags: for results, which are data otherwise. */
export function withoutTags(text: string): string {
  return text.replace(tags, "");
}

/** `text` without anything hidden: for definitions. */
export function cleanText(text: string): string {
  return text.toWellFormed().replace(tags, "").replace(hidden, "");
}

/** `value` with every text in it clean, keys left as they are. */
export function cleanTexts<Value extends Json>(value: Value): Value {
  return clean(value) as Value;
}

function clean(value: Json): Json {
  if (typeof value === "string") return cleanText(value);
  if (Array.isArray(value)) return value.map(clean);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, clean(inner)]));
}

/** True where a key of `value` holds what `cleanText` would take away. */
export function hasHiddenKeys(value: Json): boolean {
  if (Array.isArray(value)) return value.some(hasHiddenKeys);
  if (!isJsonObject(value)) return false;
  return Object.entries(value).some(([key, inner]) =>
    cleanText(key) !== key || hasHiddenKeys(inner)
  );
}
