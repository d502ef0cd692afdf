import assert from "node:assert/strict";
import { captureOutput } from "../../../src/host/processes/captured_output.ts";

Deno.test("head and tail are those of the whole, however it comes in pieces", () => {
  const whole = new TextEncoder().encode(
    Array.from({ length: 400 }, (_, n) => `${n} é漢😀\n`).join(""),
  );
  for (const max of [0, 1, 2, 7, 50, 999, 5000, whole.length - 1, whole.length, 100_000]) {
    for (const size of [1, 3, 64, 1000, whole.length]) {
      const capture = captureOutput(max);
      for (let at = 0; at < whole.length; at += size) capture.add(whole.subarray(at, at + size));
      const { text, totalBytes, omittedBytes, replaced } = capture.take(max);
      assert.equal(totalBytes, whole.length);
      assert.equal(replaced, false);
      const original = new TextDecoder().decode(whole);
      if (max >= whole.length) {
        assert.equal(text, original);
        continue;
      }
      const mark = `\n[... ${omittedBytes} bytes omitted ...]\n`;
      const at = text.indexOf(mark);
      const head = text.slice(0, at), tail = text.slice(at + mark.length);
      assert.ok(at >= 0 && original.startsWith(head) && original.endsWith(tail));
      const kept = new TextEncoder().encode(head + tail).length;
      assert.equal(kept + omittedBytes, whole.length);
      assert.ok(kept <= max && kept >= max - 6, `${kept} of ${max}`);
    }
  }
});

Deno.test("less may be taken than was kept", () => {
  const capture = captureOutput(100);
  capture.add(new TextEncoder().encode("a".repeat(60) + "b".repeat(60)));
  assert.equal(capture.take(10).text, "aaaaa\n[... 110 bytes omitted ...]\nbbbbb");
  assert.equal(capture.take(0).text, "\n[... 120 bytes omitted ...]\n");
});

Deno.test("bytes that are no UTF-8 are replaced, at the cuts as well, without loss of count", () => {
  const capture = captureOutput(10);
  capture.add(new Uint8Array(100).fill(0xff));
  const { text, replaced, omittedBytes } = capture.take(10);
  assert.equal(replaced, true);
  assert.equal(text.match(/\ufffd/g)?.length, 100 - omittedBytes);
});
