import assert from "node:assert/strict";
import type { JsonObject } from "../../src/core/json.ts";
import { adaptSchema } from "../../src/schemas/adapt_schema.ts";

Deno.test("a plain schema is sent as it is, in its own order", () => {
  const schema = {
    type: "object",
    properties: {
      text: { type: "string", description: "The text.", minLength: 1, pattern: "^a" },
      count: { type: "integer", minimum: 1, maximum: 5, default: 2 },
      list: { type: "array", items: { enum: ["a", "b"] }, maxItems: 3 },
      when: { type: "string", format: "date-time" },
      either: { anyOf: [{ type: "string" }, { type: "null" }] },
    },
    required: ["text"],
    additionalProperties: false,
  };
  assert.equal(JSON.stringify(adaptSchema(schema)), JSON.stringify(schema));
});

const cases: [string, JsonObject, JsonObject][] = [
  ["an empty schema", {}, { type: "object", properties: {} }],
  ["a type among several", { type: ["object", "null"] }, { type: "object", properties: {} }],
  [
    "what only names and comments",
    { $schema: "x", $id: "y", $comment: "z", properties: { a: { $comment: "q" } } },
    { properties: { a: {} }, type: "object" },
  ],
  [
    "references, with what stands beside them",
    {
      properties: { a: { $ref: "#/$defs/n", description: "mine" }, b: { $ref: "#name" } },
      $defs: {
        n: { type: "integer", description: "theirs" },
        m: { $anchor: "name", minLength: 1 },
      },
    },
    {
      properties: { a: { type: "integer", description: "mine" }, b: { minLength: 1 } },
      type: "object",
    },
  ],
  [
    "a reference at the root",
    { $ref: "#/definitions/all", definitions: { all: { properties: { a: {} } } } },
    { properties: { a: {} }, type: "object" },
  ],
  [
    "a schema that holds itself, once",
    { properties: { next: { $ref: "#" }, value: { type: "string" } } },
    {
      properties: {
        next: { properties: { next: {}, value: { type: "string" } } },
        value: { type: "string" },
      },
      type: "object",
    },
  ],
  [
    "a choice at the root",
    {
      oneOf: [
        { properties: { a: { type: "string" } }, required: ["a"] },
        { properties: { b: { type: "integer" } }, required: ["b"] },
      ],
      additionalProperties: false,
    },
    { type: "object", properties: { a: { type: "string" }, b: { type: "integer" } } },
  ],
  [
    "parts at the root that all hold",
    {
      allOf: [{ properties: { a: {} }, required: ["a"] }],
      properties: { b: {} },
      required: ["b"],
    },
    { properties: { a: {}, b: {} }, required: ["b", "a"], type: "object" },
  ],
  [
    "exotic formats and bounds, said in words",
    {
      properties: {
        mail: { type: "string", format: "email", description: "Where to." },
        above: { type: "integer", exclusiveMinimum: 0 },
        below: { type: "number", exclusiveMaximum: 1.5 },
      },
    },
    {
      properties: {
        mail: { type: "string", description: "Where to. (format email)" },
        above: { type: "integer", minimum: 1 },
        below: { type: "number", description: "(less than 1.5)" },
      },
      type: "object",
    },
  ],
  [
    "lists without items, and tuples",
    { properties: { a: { type: "array" }, b: { type: "array", prefixItems: [{}] } } },
    {
      properties: { a: { type: "array", items: {} }, b: { type: "array", items: {} } },
      type: "object",
    },
  ],
  [
    "boolean schemas, conditions and patterns of keys",
    {
      properties: { a: true, b: false },
      if: {},
      then: {},
      patternProperties: { "^x": {} },
      dependentRequired: { a: ["c"] },
    },
    { properties: { a: {} }, type: "object" },
  ],
  [
    "keys that are called like keywords",
    { properties: { $ref: { type: "string" }, format: { type: "string" }, not: {} } },
    {
      properties: { $ref: { type: "string" }, format: { type: "string" }, not: {} },
      type: "object",
    },
  ],
];

for (const [what, schema, adapted] of cases) {
  Deno.test(`what providers cannot take is written more simply: ${what}`, () => {
    const before = structuredClone(schema);
    assert.deepEqual(adaptSchema(schema), adapted);
    assert.deepEqual(schema, before);
  });
}

Deno.test("references that multiply are cut at a bounded size", () => {
  const $defs: JsonObject = { d0: { type: "string" } };
  for (let level = 1; level <= 30; level++) {
    const $ref = `#/$defs/d${level - 1}`;
    $defs[`d${level}`] = { properties: { a: { $ref }, b: { $ref } } };
  }
  const adapted = adaptSchema({ properties: { a: { $ref: "#/$defs/d30" } }, $defs });
  assert(JSON.stringify(adapted).length < 1_000_000);
});

Deno.test("what references repeat is bounded in size, depth and time", () => {
  const large = { enum: Array.from({ length: 20_000 }, (_, at) => `value ${at}`) };
  const named: JsonObject = { ["k".repeat(100_000)]: { $ref: "#large" } };
  const many = (schema: JsonObject): JsonObject =>
    Object.fromEntries(Array.from({ length: 3000 }, (_, at) => [`p${at}`, { ...schema }]));
  const chain: JsonObject = {};
  for (let at = 0; at < 10_000; at++) {
    chain[`d${at}`] = { $ref: `#/$defs/d${at + 1}`, [`own ${at}`]: at };
  }
  const nested: JsonObject = {};
  for (let at = 0; at < 3900; at++) {
    nested[`d${at}`] = { properties: { a: { $ref: `#/$defs/d${at + 1}` } } };
  }
  const cases: JsonObject[] = [
    { properties: many({ $ref: "#large" }), $defs: { large: { $anchor: "large", ...large } } },
    { properties: many({ $ref: "#/$defs/named" }), $defs: { named: { properties: named } } },
    { properties: many({ $ref: "#none" }), enum: Array.from({ length: 50_000 }, () => ({})) },
    { properties: many({ $ref: "#/$defs/d0" }), $defs: chain },
    { properties: { a: { $ref: "#/$defs/d0" } }, $defs: nested },
  ];
  for (const schema of cases) {
    assert.ok(JSON.stringify(adaptSchema(schema)).length < 8_000_000);
  }
});
