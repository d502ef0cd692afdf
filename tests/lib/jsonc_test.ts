import assert from "node:assert/strict";
import { firstJsonProblem, parseJsonc, setJsoncValue } from "../../src/lib/jsonc.ts";

Deno.test("comments, trailing commas, a mark and CRLF are read, and text that looks like them is kept", () => {
  const text =
    '\ufeff// head\r\n{ /* a */ "a": "https://x//y",\r\n "b": ["a,]", "/* no */",],\r\n}\r\n';
  assert.deepEqual(parseJsonc(text), { value: { a: "https://x//y", b: ["a,]", "/* no */"] } });
});

Deno.test("a problem tells its line and column", () => {
  const result = parseJsonc('{\n  "a": 1\n  "b": 2\n}');
  assert("problems" in result);
  assert.deepEqual(result.problems[0], { message: 'expected ","', line: 3, column: 3 });
});

Deno.test("a text without a value is a problem", () => {
  for (const text of ["", "  \n", "// only a comment"]) assert("problems" in parseJsonc(text));
});

Deno.test("a key named __proto__ stays a key", () => {
  const result = parseJsonc('{"__proto__": {"polluted": true}}');
  assert("value" in result);
  assert.deepEqual(Object.keys(result.value as object), ["__proto__"]);
  assert.equal((result.value as { polluted?: boolean }).polluted, undefined);
});

Deno.test("nesting without end is a problem, not a crash", () => {
  assert("problems" in parseJsonc("[".repeat(200_000)));
});

Deno.test("setting a value keeps comments, indentation and the other keys", () => {
  const text = '{\n    // keep me\n    "a": 1, // and me\n    "b": {"c": true}\n}\n';
  const changed = setJsoncValue(text, ["a"], 2);
  assert.equal(changed, text.replace('"a": 1', '"a": 2'));
  const added = setJsoncValue(text, ["list"], ["x"]);
  assert.match(added, /\/\/ keep me[^]*\/\/ and me/);
  assert.deepEqual(parseJsonc(added), { value: { a: 1, b: { c: true }, list: ["x"] } });
});

Deno.test("setting a value in an empty text makes an object, and undefined removes", () => {
  const made = setJsoncValue("", ["a", "b"], 1);
  assert.deepEqual(JSON.parse(made), { a: { b: 1 } });
  assert.deepEqual(JSON.parse(setJsoncValue(made, ["a"], undefined)), {});
});

Deno.test("the first strict problem tells a second value from broken syntax", () => {
  assert.equal(firstJsonProblem('{"a":1}'), undefined);
  assert.equal(firstJsonProblem('{"a":1}{"b":2}')?.kind, "second_value");
  assert.deepEqual(firstJsonProblem('log\n{"a":1}'), {
    kind: "syntax",
    message: "expected a JSON value",
    line: 1,
    column: 1,
  });
});

Deno.test("text that is no JSON at all has ten problems, however long it is", () => {
  const parsed = parseJsonc("-x\n".repeat(100_000));
  assert.ok("problems" in parsed);
  assert.equal(parsed.problems.length, 10);
  assert.equal(firstJsonProblem("> \n".repeat(100_000))?.line, 1);
});
