import assert from "node:assert/strict";
import type { Json } from "../../src/core/json.ts";
import { manifestSchema, readManifest } from "../../src/external/manifest.ts";
import { compileSchema } from "../../src/lib/json_schema.ts";
import { valid } from "./tool_folders.ts";

async function problemsOf(manifest: Json | string): Promise<readonly string[]> {
  const text = typeof manifest === "string" ? manifest : JSON.stringify(manifest);
  const reading = await readManifest(text);
  return "problems" in reading ? reading.problems : [];
}

async function manifestOf(manifest: Json | string) {
  const text = typeof manifest === "string" ? manifest : JSON.stringify(manifest);
  const reading = await readManifest(text);
  if ("problems" in reading) throw new Error(reading.problems.join("; "));
  return reading.manifest;
}

Deno.test("the defaults are 30 seconds and the unsafe capabilities", async () => {
  const manifest = await manifestOf(valid);
  assert.equal(manifest.timeoutSeconds, 30);
  assert.deepEqual(manifest.capabilities, ["write", "shell", "network"]);
  assert.deepEqual(
    (await manifestOf({ ...valid, capabilities: [] })).capabilities,
    ["write", "shell", "network"],
  );
  assert.deepEqual((await manifestOf({ ...valid, capabilities: ["read"] })).capabilities, ["read"]);
});

Deno.test("the time-out is clamped to at least one second and at most a day", async () => {
  for (const [given, used] of [[0, 1], [-5, 1], [10, 10], [1e12, 86_400]]) {
    assert.equal((await manifestOf({ ...valid, timeout_seconds: given! })).timeoutSeconds, used);
  }
});

Deno.test("every problem names its key and what was expected", async () => {
  const { name: _, ...nameless } = valid;
  const cases: [Json | string, RegExp][] = [
    [nameless, /^name: required, but missing$/],
    [{ ...valid, name: "a b" }, /^name: expected text that matches .*found "a b"$/],
    [{ ...valid, name: "x".repeat(70) }, /^name: expected text that matches/],
    [{ ...valid, name: "" }, /^name: expected text/],
    [{ ...valid, name: "tool\n" }, /^name: expected text/],
    [{ ...valid, description: "" }, /^description: expected a non-empty string$/],
    [{ ...valid, description: "  " }, /^description: expected a non-empty string$/],
    [{ ...valid, description: 5 }, /^description: expected string, found number$/],
    [{ ...valid, command: [] }, /^command: expected a non-empty array$/],
    [{ ...valid, command: "run" }, /^command: expected array, found string$/],
    [{ ...valid, command: ["run", 1] }, /^command\[1\]: expected string, found number$/],
    [{ ...valid, command: [""] }, /^command\[0\]: expected a path$/],
    [{ ...valid, command: ["run", "a\0b"] }, /^command\[1\]: holds a NUL/],
    [{ ...valid, input_schema: true }, /^input_schema: expected object, found boolean$/],
    [{ ...valid, timeout_seconds: "10" }, /^timeout_seconds: expected integer, found string$/],
    [{ ...valid, timeout_seconds: 1.5 }, /^timeout_seconds: expected integer/],
    [{ ...valid, timeout_seconds: null }, /^timeout_seconds: expected integer, found null$/],
    [{ ...valid, capabilities: "read" }, /^capabilities: expected array/],
    [{ ...valid, capabilities: ["read", "fly"] }, /^capabilities\[1\]: expected one of "read"/],
    [[valid], /^expected a JSON object$/],
    ["", /^line 1, column 1: /],
    ['{"name": "x",\n "a" 1}', /^line 2, column 6: expected ":"$/],
  ];
  for (const [manifest, problem] of cases) {
    assert.match((await problemsOf(manifest)).join("; "), problem, JSON.stringify(manifest));
  }
  assert.equal((await problemsOf({ name: 1, command: 2 })).length, 4);
});

Deno.test("a mark, comments and trailing commas are taken", async () => {
  const text = `\ufeff// mine\n${JSON.stringify(valid).slice(0, -1)}, /* soon */ }`;
  assert.equal((await manifestOf(text)).name, "sample");
});

Deno.test("a schema that is itself invalid is a problem that names the place", async () => {
  const cases: [Json, RegExp][] = [
    [{ type: "objekt" }, /^input_schema\.type: expected one or several of array, /],
    [{ type: "string" }, /^input_schema\.type: expected "object"/],
    [{ type: "object", required: "text" }, /^input_schema\.required: expected an array of strings/],
    [{ properties: { a: { type: "strin" } } }, /^input_schema\.properties\.a\.type: /],
    [{ properties: { a: 5 } }, /^input_schema\.properties\.a: expected a schema/],
    [{ properties: { a: { pattern: "(" } } }, /^input_schema\.properties\.a\.pattern: Invalid/],
    [{ properties: { a: { minLength: -1 } } }, /^input_schema\.properties\.a\.minLength: /],
    [{ properties: { a: { enum: [] } } }, /^input_schema\.properties\.a\.enum: /],
    [{ anyOf: [{}, 3] }, /^input_schema\.anyOf\[1\]: expected a schema/],
    [{ patternProperties: { "[": {} } }, /^input_schema\.patternProperties\.\[: Invalid/],
    [{ $schema: "http://json-schema.org/draft-04/schema#" }, /^input_schema\.\$schema: /],
  ];
  for (const [schema, problem] of cases) {
    assert.match((await problemsOf({ ...valid, input_schema: schema })).join("; "), problem);
  }
  const deep = `${'{"not":'.repeat(5000)}{}${"}".repeat(5000)}`;
  const text = JSON.stringify(valid).replace('{"type":"object"}', deep);
  assert.match((await problemsOf(text)).join(), /nested deeper than/);
});

Deno.test("drafts 2020-12, 2019-09 and 07 are taken, and properties may be called like keywords", async () => {
  for (
    const draft of [
      "http://json-schema.org/draft-07/schema#",
      "https://json-schema.org/draft/2019-09/schema",
      "https://json-schema.org/draft/2020-12/schema",
    ]
  ) {
    const input_schema = {
      $schema: draft,
      type: "object",
      properties: { type: { type: "string" }, required: { type: "boolean" }, id: {}, $ref: {} },
    };
    assert.deepEqual(await problemsOf({ ...valid, input_schema }), []);
  }
});

Deno.test("an unknown key is told, with the key that was likely meant, and the tool works", async () => {
  const reading = await readManifest(JSON.stringify({ ...valid, timeout_second: 5, $schema: "x" }));
  assert("notices" in reading);
  assert.deepEqual(reading.notices, [
    'unknown key "timeout_second" is ignored; did you mean "timeout_seconds"?',
  ]);
});

Deno.test("the published schema of the manifest agrees with what is read", async () => {
  const check = compileSchema(manifestSchema, "2020-12");
  const samples: Json[] = [
    valid,
    { ...valid, name: "a b" },
    { ...valid, command: [] },
    { ...valid, command: ["a", 1] },
    { ...valid, capabilities: ["x"] },
    { ...valid, timeout_seconds: 1.5 },
    { ...valid, description: "" },
    { ...valid, input_schema: [] },
    {},
  ];
  for (const sample of samples) {
    assert.equal(check(sample).length === 0, (await problemsOf(sample)).length === 0);
  }
});

Deno.test("what is nested without measure is refused, not tried", async () => {
  const text = (inner: string) =>
    `{"name":"a","description":"d","command":["run"],"input_schema":{"default":${inner}}}`;
  const deep = await readManifest(text("[".repeat(100_000) + "]".repeat(100_000)));
  assert.deepEqual(deep, { problems: ["nested deeper than 500 levels"] });
  assert.ok("manifest" in await readManifest(text(JSON.stringify("[".repeat(100_000)))));
});

Deno.test("of very many unknown keys the first ten are told, and long ones by their start", async () => {
  const keys = Array.from({ length: 2000 }, (_, index) => [`${index}${"k".repeat(500)}`, 1]);
  const reading = await readManifest(JSON.stringify({ ...valid, ...Object.fromEntries(keys) }));
  assert("notices" in reading);
  assert.equal(reading.notices.length, 10);
  assert.equal(reading.notices[0], `unknown key "0${"k".repeat(99)}" is ignored`);
});
