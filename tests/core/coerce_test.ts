/** The tests of reading arguments that come in the wrong JSON type. */
import assert from "node:assert/strict";
import { coerce } from "../../src/core/coerce.ts";
import { toJsonSchema } from "../support/zod_shape.ts";
import { type Json, type JsonObject, parseJson } from "../../src/core/json.ts";
import { z } from "../../src/core/schema.ts";

const properties = (shape: Record<string, z.ZodType>) => toJsonSchema(z.strictObject(shape));
const value = (schema: JsonObject, input: Json) => (coerce({ v: input }, schema) as JsonObject).v;

Deno.test("numbers and booleans as strings become what the schema wants", () => {
  const integer = properties({ v: z.int() });
  assert.equal(value(integer, "500"), 500);
  assert.equal(value(integer, " -7 "), -7);
  assert.equal(value(integer, "5.0"), 5);
  for (const kept of ["5.5", "", "0x10", "1e3", "five", "1 2"]) {
    assert.equal(value(integer, kept), kept);
  }
  const number = properties({ v: z.number() });
  assert.equal(value(number, "2.5"), 2.5);
  assert.equal(value(number, "1e3"), 1000);
  for (const kept of ["1e999", "NaN", "Infinity", "."]) {
    assert.equal(value(number, kept), kept);
  }
  const boolean = properties({ v: z.boolean() });
  assert.equal(value(boolean, "true"), true);
  assert.equal(value(boolean, "False"), false);
  for (const kept of ["yes", "1", "", 1, 0]) assert.equal(value(boolean, kept), kept);
});

Deno.test("arrays and objects as JSON strings are read, their items too", () => {
  const schema = properties({
    v: z.array(z.strictObject({ old: z.string(), count: z.int() })),
  });
  assert.deepEqual(value(schema, '[{"old":"a","count":"2"}]'), [{ old: "a", count: 2 }]);
  for (const kept of ["[", '{"old":"a"}', "null", "a,b"]) assert.equal(value(schema, kept), kept);
  const object = properties({ v: z.strictObject({ n: z.int() }) });
  assert.deepEqual(value(object, '{"n":"1"}'), { n: 1 });
  assert.deepEqual(coerce('{"v":{"n":1}}', object), { v: { n: 1 } });
});

Deno.test("strings are never changed where a string is wanted", () => {
  const schema = properties({ v: z.string() });
  for (const kept of ["020", '{"a":1}', "true", "null", " 5 ", "[1]", ""]) {
    assert.equal(value(schema, kept), kept);
  }
  for (const wrong of [123, true, null, ["a"]]) {
    assert.deepEqual(value(schema, wrong), wrong);
  }
});

Deno.test("an object where any text is wanted is its JSON text", () => {
  const schema = properties({ v: z.string() });
  assert.equal(value(schema, { a: [1] }), '{\n  "a": [\n    1\n  ]\n}');
  assert.equal(value(schema, [{}]), "[\n  {}\n]");
  assert.equal(value(schema, []), "[]");
  for (const bound of [{ minLength: 1 }, { enum: ["a"] }, { pattern: "x" }, { format: "uri" }]) {
    const bounded = { type: "object", properties: { v: { type: "string", ...bound } } };
    assert.deepEqual(value(bounded, { a: 1 }), { a: 1 });
  }
});

Deno.test("integers that a number would round come through to the digit", () => {
  const exact = parseJson('{"v":1184729384756283947}')!;
  const json = (schema: JsonObject, input: Json) => JSON.stringify(coerce(input, schema));
  assert.equal(json(properties({ v: z.int() }), exact), '{"v":1184729384756283947}');
  assert.equal(json(properties({ v: z.string() }), exact), '{"v":"1184729384756283947"}');
  assert.equal(json({}, exact), '{"v":1184729384756283947}');
  for (const schema of [properties({ v: z.int() }), properties({ v: z.number() })]) {
    assert.equal(json(schema, { v: "12345678901234567890" }), '{"v":12345678901234567890}');
    assert.equal(json(schema, { v: " +09007199254740993 " }), '{"v":9007199254740993}');
  }
  assert.equal(
    json(properties({ v: z.strictObject({ n: z.int() }) }), { v: '{"n":-9007199254740993}' }),
    '{"v":{"n":-9007199254740993}}',
  );
});

Deno.test("what was read another way is noted with its path, and nothing else is", () => {
  const schema = properties({
    n: z.int(),
    list: z.array(z.strictObject({ flag: z.boolean() })),
    text: z.string(),
    maybe: z.string().optional(),
  });
  const notes: string[] = [];
  coerce({ n: "5", list: '[{"flag":"true"}]', text: {}, maybe: null }, schema, notes);
  assert.deepEqual(notes, [
    "n: the text was read as integer",
    "list: the text was read as array",
    "list[0].flag: the text was read as boolean",
    "text: the object was taken as its JSON text",
    "maybe: null counts as left out",
  ]);
  const none: string[] = [];
  coerce({ n: 5, list: [{ flag: true }], text: "x" }, schema, none);
  assert.deepEqual(none, []);
});

Deno.test("references and lone branches are looked through", () => {
  const schema = {
    type: "object",
    properties: { v: { $ref: "#/$defs/n" }, w: { allOf: [{ type: "integer" }] } },
    $defs: { n: { type: "integer" } },
  };
  assert.deepEqual(coerce({ v: "1", w: "2" }, schema), { v: 1, w: 2 });
  assert.deepEqual(coerce({ v: null, w: null }, schema), {});
});

Deno.test("strings stay where the schema leaves several readings or none", () => {
  assert.equal(
    value({ type: "object", properties: { v: { type: ["string", "integer"] } } }, "5"),
    "5",
  );
  assert.equal(value({ type: "object", properties: { v: {} } }, "5"), "5");
  assert.equal(value(properties({ v: z.union([z.int(), z.boolean()]) }), "5"), "5");
});

Deno.test("one reading beside null is read", () => {
  assert.equal(value(properties({ v: z.int().nullable() }), "5"), 5);
  assert.equal(value({ type: "object", properties: { v: { type: ["integer", "null"] } } }, "5"), 5);
  assert.equal(value(properties({ v: z.int().nullable() }), null), null);
});

Deno.test("null for an optional key means that it was not given", () => {
  const schema = properties({ v: z.int().optional(), w: z.string() });
  assert.deepEqual(coerce({ v: null, w: "x" }, schema), { w: "x" });
  assert.deepEqual(coerce({ v: 1, w: null }, schema), { v: 1, w: null });
  assert.deepEqual(coerce({ w: "x", unknown: null }, schema), { w: "x", unknown: null });
});

Deno.test("keys of a map and items of a tuple follow their schemas", () => {
  const map = { type: "object", additionalProperties: { type: "integer" } };
  assert.deepEqual(coerce({ a: "1", b: "x" }, map), { a: 1, b: "x" });
  const tuple = { type: "array", items: [{ type: "integer" }, { type: "string" }] };
  assert.deepEqual(coerce(["1", "2", "3"], tuple), [1, "2", "3"]);
});

Deno.test("keys of objects' own prototypes stay plain keys", () => {
  const input = JSON.parse('{"__proto__":{"v":"1"},"constructor":"x","v":"1"}') as JsonObject;
  const result = coerce(input, properties({ v: z.int() })) as JsonObject;
  assert.deepEqual(Object.keys(result), ["__proto__", "constructor", "v"]);
  assert.equal(Object.getPrototypeOf(result), Object.prototype);
  assert.equal(result.v, 1);
});

Deno.test("arguments of no sense come back as they are", () => {
  const schema = properties({ v: z.int() });
  for (const input of [null, 1, "x", [], true, "[[[[".repeat(10_000)] as Json[]) {
    assert.deepEqual(coerce(input, schema), input);
  }
  assert.deepEqual(coerce({ v: "1" }, undefined), { v: "1" });
});
