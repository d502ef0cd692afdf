import assert from "node:assert/strict";
import { compileSchema, SchemaError } from "../../src/lib/json_schema.ts";

const schema = {
  type: "object",
  properties: {
    text: { type: "string", minLength: 1 },
    count: { type: ["integer", "null"] },
    list: { type: "array", items: { type: "object", properties: { "a b": { type: "boolean" } } } },
    kind: { enum: ["x", "y"] },
    either: { anyOf: [{ type: "string" }, { type: "integer" }] },
    node: { $ref: "#/$defs/node" },
  },
  required: ["text"],
  additionalProperties: false,
  $defs: { node: { type: "object", properties: { next: { $ref: "#/$defs/node" } } } },
};

Deno.test("a value that fits has no problems, through references to itself too", () => {
  const check = compileSchema(schema, "2020-12");
  assert.deepEqual(check({ text: "a", count: null, node: { next: { next: {} } } }), []);
});

Deno.test("each problem names its key path and what was expected", () => {
  const check = compileSchema(schema, "2020-12");
  const cases: [unknown, string[]][] = [
    [{}, ["text: required, but missing"]],
    [{ text: 5 }, ["text: expected string, found number"]],
    [{ text: "a", count: "1" }, ["count: expected integer or null, found string"]],
    [{ text: "a", list: [{}, { "a b": 1 }] }, ["list[1].a b: expected boolean, found number"]],
    [{ text: "a", kind: "z" }, ['kind: expected one of "x", "y"']],
    [{ text: "a", extra: 1 }, ['arguments: unknown key "extra"']],
    [{ text: "a", node: { next: 3 } }, ["node.next: expected object, found number"]],
    [[], ["arguments: expected object, found array"]],
    [{ text: "a", either: true }, [
      'either: fits no form of "anyOf" (either: expected string, found boolean; ' +
      "either: expected integer, found boolean)",
    ]],
    [{ text: 1, count: 1.5 }, [
      "text: expected string, found number",
      "count: expected integer or null, found number",
    ]],
  ];
  for (const [value, problems] of cases) assert.deepEqual(check(value), problems);
  assert.deepEqual(check({ text: "" }), ["text: expected a non-empty string"]);
});

Deno.test("a reference that leads nowhere is told when the schema is prepared", () => {
  assert.throws(
    () => compileSchema({ properties: { a: { $ref: "#/$defs/none" } } }, "2020-12"),
    SchemaError,
  );
});

Deno.test("values without end of depth are problems", () => {
  const check = compileSchema({ properties: { a: { $ref: "#" } } }, "2020-12");
  let value: Record<string, unknown> = {};
  for (let depth = 0; depth < 20_000; depth++) value = { a: value };
  assert.deepEqual(check(value), [
    "arguments: nested too deeply to be checked, or wrong in too many places",
  ]);
});

Deno.test("draft-07 ignores what stands beside a reference, 2020-12 does not", () => {
  const beside = { $ref: "#/definitions/any", type: "array", definitions: { any: {} } };
  assert.deepEqual(compileSchema(beside, "7")({}), []);
  assert.notDeepEqual(compileSchema(beside, "2020-12")({}), []);
});

Deno.test("the schema handed in is left as it was", () => {
  const before = structuredClone(schema);
  compileSchema(schema, "2020-12")({ text: "a" });
  assert.deepEqual(schema, before);
  assert.equal(Object.getOwnPropertyNames(schema.properties.text).join(), "type,minLength");
});

Deno.test("references in a circle are told, those through a key are not", () => {
  const circle = {
    $ref: "#/$defs/a",
    $defs: { a: { $ref: "#/$defs/b" }, b: { $ref: "#/$defs/a" } },
  };
  for (const schema of [circle, { $ref: "#" }]) {
    assert.throws(() => compileSchema(schema, "2020-12"), /leads back to itself/);
  }
  const check = compileSchema({ type: "object", properties: { a: { $ref: "#" } } }, "2020-12");
  assert.deepEqual(check({ a: { a: {} } }), []);
  assert.deepEqual(check({ a: { a: 1 } }), ["a.a: expected object, found number"]);
});

Deno.test("patterns hold for every character, beside other keywords", () => {
  const check = compileSchema({
    properties: { a: { pattern: "^.$", maxLength: 3 }, b: { pattern: "^\\p{Lu}$" }, pattern: {} },
  }, "2020-12");
  assert.deepEqual(check({ a: "\u{1f600}", b: "É", pattern: 1 }), []);
  assert.deepEqual(check({ a: "ab" }), ["a: expected text that matches ^.$"]);
  assert.deepEqual(check({ b: "é" }), ["b: expected text that matches ^\\p{Lu}$"]);
});

Deno.test("a schema that is nested without end cannot be used, and keys with half a character are named", () => {
  let schema: Record<string, unknown> = {};
  for (let depth = 0; depth < 50_000; depth++) schema = { x: schema };
  assert.throws(() => compileSchema(schema, "2020-12"), SchemaError);
  const check = compileSchema({ additionalProperties: { type: "string" } }, "2020-12");
  assert.deepEqual(check({ "\ud800": 1 }), ["arguments: holds a key with half a character"]);
});

Deno.test("of a value that is wrong in a hundred thousand places ten are named", () => {
  const check = compileSchema({ items: { type: "string" } }, "2020-12");
  const problems = check(Array.from({ length: 100_000 }, () => 1));
  assert.equal(problems.length, 10);
  assert.equal(problems[9], "9: expected string, found number");
});
