/** The tests of bytes that should be UTF-8. */
import assert from "node:assert/strict";
import { decodeUtf8 } from "../../src/lib/decode_utf8.ts";

Deno.test("text is told from bytes that are none, and a mark is kept only where it is wanted", () => {
  const marked = new Uint8Array([0xef, 0xbb, 0xbf, 0xc3, 0xa9]);
  assert.deepEqual(decodeUtf8(marked), { text: "é", replaced: false });
  assert.deepEqual(decodeUtf8(marked, { keepMark: true }), { text: "\ufeffé", replaced: false });
  const broken = new Uint8Array([0x61, 0xc3]);
  assert.deepEqual(decodeUtf8(broken), { text: "a\ufffd", replaced: true });
  assert.deepEqual(decodeUtf8(new Uint8Array([0x62])), { text: "b", replaced: false });
});
