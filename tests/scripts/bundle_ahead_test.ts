/** The tests of what the bundle compiles ahead. */
import assert from "node:assert/strict";
import { withHotFirst } from "../../scripts/bundle_ahead.ts";

function ran(text: string, code: string, count = 1) {
  const startOffset = text.indexOf(code);
  assert.ok(startOffset >= 0);
  return { ranges: [{ startOffset, endOffset: startOffset + code.length, count }] };
}

Deno.test("declared functions that ran stand first, in parentheses; others stay where they are", () => {
  const text = "let x=a();function a(){return b()}async function* b(){function a(){}}" +
    "function c(){}const d=function e(){};export{x};";
  const hot = withHotFirst(text, [
    { ranges: [{ startOffset: 0, endOffset: text.length, count: 1 }] },
    ran(text, "function a(){return b()}"),
    ran(text, "async function* b(){function a(){}}"),
    ran(text, "function a(){}"),
    ran(text, "function c(){}", 0),
    ran(text, "function e(){}"),
  ]);
  assert.equal(
    hot,
    "var a=(function a(){return b()});var b=(async function* b(){function a(){}});" +
      "let x=a();function c(){}const d=function e(){};export{x};",
  );
});

Deno.test("a file without functions that ran stays as it is", () => {
  assert.equal(withHotFirst("let a=1;\n", []), "let a=1;\n");
});
