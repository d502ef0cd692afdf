/** The tests of what a schema says of null. */
import assert from "node:assert/strict";
import { takesNull } from "../../src/core/schema_reading.ts";
import type { Json } from "../../src/core/json.ts";

const root = {
  $defs: {
    text: { type: "string" },
    open: { type: ["string", "null"] },
    circle: { $ref: "#/$defs/circle" },
  },
};

Deno.test("null is taken by schemas that allow it or say nothing, in every form", () => {
  const takes: Json[] = [
    true,
    {},
    { description: "x" },
    { type: "null" },
    { type: ["string", "null"] },
    { enum: ["a", null] },
    { const: null },
    { anyOf: [{ type: "string" }, { type: "null" }] },
    { oneOf: [{ type: "string" }, { type: "null" }] },
    { allOf: [{ type: ["string", "null"] }, {}] },
    { not: { type: "string" } },
    { $ref: "#/$defs/open" },
    { $ref: "#/$defs/circle" },
    { $ref: "other.json" },
  ];
  for (const schema of takes) assert.equal(takesNull(schema, root), true, JSON.stringify(schema));
  const refuses: Json[] = [
    false,
    { type: "string" },
    { type: ["string", "integer"] },
    { enum: ["a", "b"] },
    { const: "a" },
    { anyOf: [{ type: "string" }, { type: "integer" }] },
    { oneOf: [{ type: "string" }, { enum: [1] }] },
    { oneOf: [{ type: "null" }, { enum: [null] }] },
    { allOf: [{ type: "string" }] },
    { allOf: [{}, { const: 1 }] },
    { not: { type: "null" } },
    { $ref: "#/$defs/text" },
    { $ref: "#/$defs/open", enum: ["a"] },
  ];
  for (const schema of refuses) {
    assert.equal(takesNull(schema, root), false, JSON.stringify(schema));
  }
});
