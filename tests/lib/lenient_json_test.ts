/** The tests of JSON as people write it. */
import assert from "node:assert/strict";
import { parseLenient } from "../../src/lib/lenient_json.ts";

Deno.test("strict JSON, comments, trailing commas and a byte order mark are read alike", async () => {
  const texts = ['{"a":[1]}', '\ufeff{"a":[1]}', '// x\n{"a":[1,],}', '\ufeff{"a":[1] /* y */}'];
  for (const text of texts) assert.deepEqual(await parseLenient(text), { value: { a: [1] } }, text);
});

Deno.test("the first problem is told with its place, and a text without a value has none", async () => {
  const read = await parseLenient('{\n  "a": 1\n  "b" 2\n}');
  assert.ok("problem" in read);
  assert.deepEqual(read.problem, { message: 'expected ","', line: 3, column: 3 });
  for (const text of ["", "  \n", "// nothing"]) {
    assert.ok("problem" in await parseLenient(text), JSON.stringify(text));
  }
});

Deno.test("a key named __proto__ stays a key", async () => {
  const read = await parseLenient('{"__proto__": {"x": 1}, /* late */ "y": 2}');
  assert.ok("value" in read);
  assert.deepEqual(Object.keys(read.value as Record<string, unknown>), ["__proto__", "y"]);
  assert.equal(({} as { x?: number }).x, undefined);
});
