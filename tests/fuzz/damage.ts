/** The ways in which arguments go wrong: as values, and as text. */
import { isJsonObject, type Json, type JsonObject } from "../../src/core/json.ts";
import type { Random } from "../support/random.ts";
import { scraps } from "./values.ts";

/** `input` with one thing wrong with it. */
export function damagedObject(random: Random, input: Json): Json {
  if (!isJsonObject(input)) return input;
  const keys = Object.keys(input);
  const key = keys.length > 0 ? random.pick(keys) : "path";
  const given = input[key] ?? null;
  switch (random.below(9)) {
    case 0:
    case 1:
      return { ...input, [key]: random.pick(scraps) };
    case 2:
      return { ...input, [key]: damagedValue(random, given) };
    case 3:
      return { ...input, [key]: JSON.stringify(given) };
    case 4:
      return Object.fromEntries(Object.entries(input).filter(([name]) => name !== key));
    case 5:
      return withKey(input, random.pick(oddKeys), random.pick(scraps));
    case 6:
      return { ...input, [key]: nested(random.pick([3, 60, 2000])) };
    case 7:
      return random.pick<Json>([[input], JSON.stringify(input), null, 7, "x", [], { input }]);
    default:
      return withKey(input, key.toUpperCase(), given);
  }
}

/** `text` as a stream that broke, or a server that does not know JSON, would hand it over. */
export function damagedText(random: Random, text: string): string {
  const at = random.below(text.length + 1);
  switch (random.below(8)) {
    case 0:
      return text.slice(0, at);
    case 1:
      return text.slice(0, at) + random.pick(["\0", "\ud800", '"', "}", "\\", ",", "\n"]) +
        text.slice(at);
    case 2:
      return text.slice(0, at) + text.slice(at + 1);
    case 3:
      // a key twice: the later one counts
      return text.replace(/^\{"([^"]*)":/, '{"$1":null,"$1":');
    case 4:
      return text.replace(/^\{/, `{"__proto__":{"path":"a.txt"}${text === "{}" ? "" : ","}`);
    case 5:
      return random.pick([
        "",
        " ",
        "null",
        "NaN",
        "undefined",
        "[",
        "{'path':'a'}",
        "\ufeff{}",
        "1e999",
      ]);
    case 6:
      return random.pick(["```json\n", "\ufeff", " \n", "x"]) + text;
    default:
      return "[".repeat(20_000) + text;
  }
}

const oddKeys = [
  ...[
    "extra",
    "__proto__",
    "constructor",
    "toString",
    "hasOwnProperty",
    "",
    "path ",
    "\ud800",
    "a\nb",
  ],
  "k".repeat(50_000),
];

function damagedValue(random: Random, value: Json): Json {
  if (typeof value !== "string") return [value];
  const at = random.below(value.length + 1);
  const piece = random.pick([
    "\0",
    "\ud800",
    "\x1b[2J",
    "\n",
    "../",
    "\u202e",
    "\ufeff",
    "é",
    "x".repeat(70_000),
  ]);
  return value.slice(0, at) + piece + value.slice(at);
}

/** Keys such as `__proto__` stay keys. */
function withKey(input: JsonObject, key: string, value: Json): JsonObject {
  return Object.fromEntries([...Object.entries(input), [key, value]]);
}

function nested(depth: number): Json {
  let value: Json = "core";
  for (let level = 0; level < depth; level++) value = level % 2 === 0 ? [value] : { in: value };
  return value;
}
