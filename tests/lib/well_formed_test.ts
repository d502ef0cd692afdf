import assert from "node:assert/strict";
import { byteLength } from "../../src/lib/well_formed.ts";

Deno.test("bytes are counted as they are written, whatever the length", () => {
  const encoder = new TextEncoder();
  for (const unit of ["a", "é", "€", "😀", "\ud800", "\udc00", "a\ud83d", "\0"]) {
    for (const count of [0, 1, 2, 12, 24, 25, 100, 5000]) {
      const text = unit.repeat(count);
      assert.equal(byteLength(text), encoder.encode(text).length, JSON.stringify(text.slice(0, 8)));
    }
  }
});
