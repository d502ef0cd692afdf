import assert from "node:assert/strict";
import { onOneLine, withoutEnd } from "../../src/lib/trim.ts";

Deno.test("an end is taken off whatever it is made of, and nothing else", () => {
  assert.equal(withoutEnd("a\n\nb\r\n\n", "\r\n"), "a\n\nb");
  assert.equal(withoutEnd("///", "/"), "");
  assert.equal(withoutEnd("a", ""), "a");
});

Deno.test("lines become one, with a single separator for each run of breaks", () => {
  assert.equal(onOneLine("  a \n\n\t b  c\r\nd\n"), "a b  c d");
  assert.equal(onOneLine("a\n \nb", " | "), "a | b");
  assert.equal(onOneLine(" \n "), "");
});
