import assert from "node:assert/strict";
import { schemaWork } from "../../src/lib/schema_work.ts";

const much = 30_000;

Deno.test("what tools usually ask for is little work", () => {
  const usual = {
    type: "object",
    properties: {
      path: { type: "string", pattern: "^[^/].*" },
      id: { type: "string", format: "uuid", pattern: "^[0-9a-f-]{36}$" },
      names: { type: "array", items: { type: "string", enum: ["a", "b"] }, uniqueItems: true },
      place: { $ref: "#/$defs/place" },
      other: { $ref: "#/$defs/place" },
    },
    patternProperties: { "^x-[a-z]+$": { type: "string" } },
    required: ["path"],
    $defs: { place: { type: "object", properties: { line: { type: "integer", minimum: 1 } } } },
  };
  const { toRead, toCheck } = schemaWork(usual);
  const work = toRead + toCheck({ path: "src/a.ts", names: ["a", "b"], place: { line: 3 } });
  assert.ok(work < much / 3, String(work));
  const long = schemaWork({ properties: { text: { type: "string" } } });
  assert.ok(long.toCheck({ text: "a".repeat(500_000) }) < much);
});

Deno.test("what can take long is much work", () => {
  const text = { a: `${"a".repeat(40)}!` };
  const patterned = (pattern: string) =>
    schemaWork({ properties: { a: { pattern } } }).toCheck(text);
  for (
    const pattern of [
      "^(a+)+$",
      "^(a|a)*$",
      "(?:a?){40}",
      "(.*)\\1",
      "^(?=(a+)+$)a",
      "a*a*a*a*a*",
      "x".repeat(2000),
    ]
  ) assert.ok(!(patterned(pattern) < much), pattern);
  let doubled: Record<string, unknown> = { type: "string" };
  const $defs: Record<string, unknown> = { a0: doubled };
  for (let at = 1; at < 40; at++) {
    doubled = { allOf: [{ $ref: `#/$defs/a${at - 1}` }, { $ref: `#/$defs/a${at - 1}` }] };
    $defs[`a${at}`] = doubled;
  }
  const many = { list: Array.from({ length: 2000 }, (_, at) => at) };
  const cases: [string, Record<string, unknown>, unknown][] = [
    ["references that double", { $ref: "#/$defs/a39", $defs }, {}],
    ["a reference to itself", { properties: { a: { $ref: "#" } } }, text],
    ["a reference by name", { $ref: "other.json" }, text],
    ["unique items", { properties: { list: { uniqueItems: true } } }, many],
    ["a foreign format", { properties: { a: { format: "url" } } }, text],
    ["keys as patterns", { patternProperties: { "(b|b)+c": {} } }, text],
    ["a large schema for many values", { enum: Array.from({ length: 1000 }, String) }, many],
  ];
  for (const [name, schema, value] of cases) {
    assert.ok(!(schemaWork(schema).toCheck(value) < much), name);
  }
});

Deno.test("reading is much work with addresses below the root, or long ways to many parts", () => {
  assert.equal(schemaWork({ properties: { a: { $id: "b", type: "string" } } }).toRead, Infinity);
  const parts = Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`${at}`, {}]));
  assert.ok(
    schemaWork({ properties: { ["k".repeat(10_000)]: { properties: parts } } }).toRead > much,
  );
  assert.ok(schemaWork({ $id: "https://example.com/a", properties: parts }).toRead < much);
});
