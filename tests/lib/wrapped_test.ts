import assert from "node:assert/strict";
import { wrapped } from "../../src/lib/wrapped.ts";

Deno.test("a text is broken at blanks, a long word stands alone", () => {
  assert.deepEqual(wrapped("a bc  def\nghij", 4), ["a bc", "def", "ghij"]);
  assert.deepEqual(wrapped("a longer-than-that b", 6), ["a", "longer-than-that", "b"]);
  assert.deepEqual(wrapped("漢字 漢字 漢字", 9), ["漢字 漢字", "漢字"]);
  assert.deepEqual(wrapped("  ", 4), []);
});
