/** The tests of folding progress bars to their last frame. */
import assert from "node:assert/strict";
import { lastFrames } from "../../../src/host/processes/last_frames.ts";

function fold(text: string, pieceLength = Infinity): { text: string; overwritten: number } {
  const decoder = new TextDecoder();
  let out = "";
  const frames = lastFrames((bytes) => out += decoder.decode(bytes, { stream: true }));
  const bytes = new TextEncoder().encode(text);
  for (let at = 0; at < bytes.length; at += pieceLength) {
    // one buffer for all pieces, as a stream has it
    const piece = bytes.slice(at, at + Math.min(pieceLength, bytes.length));
    frames.add(piece);
    piece.fill(0);
  }
  frames.flush();
  return { text: out, overwritten: frames.overwritten };
}

Deno.test("of a line that is overwritten the last frame counts, however its bytes come", () => {
  const cases: [written: string, kept: string, overwritten: number][] = [
    ["\r1%\r2%\r100%\ndone\n", "100%\ndone\n", 2],
    ["1%\r2%", "2%", 1],
    ["1%\r2%\r", "2%\r", 1],
    ["a\r\nb\r\n", "a\r\nb\r\n", 0],
    ["a\r\r\nb", "a\r\r\nb", 0],
    ["1%\r2%\r\n", "2%\r\n", 1],
    ["plain\nlines\n", "plain\nlines\n", 0],
    ["x\rÄ\n\r\n", "Ä\n\r\n", 1],
    ["\r\r\r", "\r\r\r", 0],
    ["", "", 0],
  ];
  for (const [written, kept, overwritten] of cases) {
    for (const pieceLength of [1, 2, 3, Infinity]) {
      assert.deepEqual(fold(written, pieceLength), { text: kept, overwritten }, written);
    }
  }
});

Deno.test("a frame too long for a progress bar is kept, and memory stays bounded", () => {
  const long = "x".repeat(200_000);
  assert.deepEqual(fold(`${long}\ry\n`, 50_000), { text: `${long}y\n`, overwritten: 0 });
});
