/** The tests of packed files. */
import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import { unpacked } from "../../src/lib/packed.ts";

Deno.test("a packed file comes out as it went in, and another stays as it is", () => {
  const bytes = new Uint8Array(100_000).map((_, index) => index % 251);
  assert.deepEqual(unpacked(new Uint8Array(gzipSync(bytes))), bytes);
  assert.equal(unpacked(bytes), bytes);
  assert.deepEqual(unpacked(new Uint8Array()), new Uint8Array());
});
