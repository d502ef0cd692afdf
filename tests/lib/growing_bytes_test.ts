import assert from "node:assert/strict";
import { growingBytes } from "../../src/lib/growing_bytes.ts";

Deno.test("what was appended is there, in order, whatever its characters take", () => {
  const grown = growingBytes();
  let all = "";
  assert.equal(grown.bytes.length, 0);
  for (let count = 0; count < 300; count++) {
    const text = "aä日😀"[Symbol.iterator]().toArray().slice(0, count % 5).join("").repeat(count);
    grown.append(text);
    all += text;
  }
  assert.equal(new TextDecoder().decode(grown.bytes), all);
});
