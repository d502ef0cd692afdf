import assert from "node:assert/strict";
import { OversizedEvent, type SseEvent, sseReader } from "../../src/lib/sse.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

function read(pieces: readonly Uint8Array[], maxChars?: number): SseEvent[] {
  const events: SseEvent[] = [];
  const decoder = new TextDecoder();
  const take = (event: SseEvent) => void events.push(event);
  const reader = sseReader(take, maxChars === undefined ? {} : { maxChars });
  for (const piece of pieces) reader.push(decoder.decode(piece, { stream: true }));
  reader.end();
  return events;
}

const stream = "\ufeff: hello\r\nevent: a\r\ndata: 1\r\ndata:2\r\n\r\n" +
  "id: 7\nretry: 1\ndata:  ä🙂\n\n\n\ndata\n:\nevent: b\rdata: x\r\rdata: last";
const expected: SseEvent[] = [
  { name: "a", data: "1\n2" },
  { name: "", data: " ä🙂", id: "7" },
  { name: "b", data: "\nx" }, // a field without a value is an empty line
  { name: "", data: "last" },
];

Deno.test("events are the same however the bytes are cut", () => {
  const all = bytes(stream);
  assert.deepEqual(read([all]), expected);
  for (let size = 1; size <= 7; size++) {
    const pieces: Uint8Array[] = [];
    for (let at = 0; at < all.length; at += size) pieces.push(all.slice(at, at + size));
    assert.deepEqual(read(pieces), expected, `pieces of ${size}`);
  }
});

Deno.test("a line or an event without an end does not fill the memory", () => {
  const endless = Array.from({ length: 20 }, () => bytes("data: 0123456789"));
  assert.throws(() => read(endless, 100), OversizedEvent);
  const lines = Array.from({ length: 20 }, () => bytes("data: 0123456789\n"));
  assert.throws(() => read(lines, 100), OversizedEvent);
  const fine = Array.from({ length: 20 }, () => bytes("data: 0123456789\n\n"));
  assert.equal(read(fine, 100).length, 20);
});
