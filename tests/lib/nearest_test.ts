import assert from "node:assert/strict";
import { nearest } from "../../src/lib/nearest.ts";

Deno.test("the nearest name is one that a slip away, and none where all are far", () => {
  assert.equal(nearest("gerp", ["read", "grep", "glob"]), "grep");
  assert.equal(nearest("Timeout_second", ["timeout_seconds", "name"]), "timeout_seconds");
  assert.equal(nearest("x", ["read", "grep"]), undefined);
});

Deno.test("a name that is longer than any is compared with none", () => {
  const long = "a".repeat(300);
  assert.equal(nearest(`${long}b`, [long]), undefined);
});
