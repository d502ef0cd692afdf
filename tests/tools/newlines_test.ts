/** The tests of counting newlines. */
import assert from "node:assert/strict";
import { countNewlines } from "../../src/tools/newlines.ts";

Deno.test("newlines are counted at every offset and length", () => {
  const bytes = new Uint8Array(64);
  for (let index = 0; index < bytes.length; index++) {
    bytes[index] = [10, 11, 0, 138, 10, 10, 9, 255, 1][index * 7 % 9]!;
  }
  for (let from = 0; from < 20; from++) {
    for (let to = from; to <= bytes.length; to++) {
      const part = bytes.subarray(from, to);
      assert.equal(countNewlines(part), part.filter((byte) => byte === 10).length);
    }
  }
});
