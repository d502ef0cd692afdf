import assert from "node:assert/strict";
import { oneLine } from "../../src/lib/one_line.ts";

Deno.test("white space becomes single spaces, and nothing ends or disguises the line", () => {
  assert.equal(oneLine("  a \t\n b\u2028c  "), "a b c");
  assert.equal(oneLine("a\x1b[31mb\x07\u202ec"), "ab\u2407\\u202ec");
  assert.equal(oneLine("plain text"), "plain text");
});

Deno.test("a longer line is cut at its end, between characters", () => {
  assert.equal(oneLine("abcdef", 6), "abcdef");
  assert.equal(oneLine("abcdefg", 6), "abcde…");
  assert.ok(oneLine("abcd😀efg", 6).isWellFormed());
  assert.equal(oneLine(`${" ".repeat(3)}a${"b".repeat(1_000_000)}`, 4), "abb…");
});
