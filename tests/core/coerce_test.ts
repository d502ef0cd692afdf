/** The tests of reading arguments that come in the wrong JSON type. */
import assert from "node:assert/strict";
import { coerce } from "../../src/core/coerce.ts";
import { toJsonSchema } from "../support/zod_shape.ts";
import type { Json, JsonObject } from "../../src/core/json.ts";
import { z } from "../../src/core/schema.ts";

const properties = (shape: Record<string, z.ZodType>) => toJsonSchema(z.strictObject(shape));
const value = (schema: JsonObject, input: Json) => (coerce({ v: input }, schema) as JsonObject).v;

Deno.test("numbers and booleans as strings become what the schema wants", () => {
  const integer = properties({ v: z.int() });
  assert.equal(value(integer, "500"), 500);
  assert.equal(value(integer, " -7 "), -7);
  assert.equal(value(integer, "5.0"), 5);
  for (const kept of ["5.5", "", "0x10", "1e3", "five", "12345678901234567890", "1 2"]) {
    assert.equal(value(integer, kept), kept);
  }
  const number = properties({ v: z.number() });
  assert.equal(value(number, "2.5"), 2.5);
  assert.equal(value(number, "1e3"), 1000);
  for (const kept of ["1e999", "NaN", "Infinity", ".", "12345678901234567890"]) {
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
  for (const wrong of [123, true, null, ["a"], { a: 1 }]) {
    assert.deepEqual(value(schema, wrong), wrong);
  }
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
