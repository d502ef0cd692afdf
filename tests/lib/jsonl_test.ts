/** The tests of JSON lines. */
import assert from "node:assert/strict";
import { joinBytes } from "../../src/lib/join_bytes.ts";
import { lineSplitter, splitLines, toLine, toLinePieces } from "../../src/lib/jsonl.ts";
import { pieceEncoder, textPieces } from "../../src/lib/text_pieces.ts";

const encoder = new TextEncoder();

async function* piecesOf(bytes: Uint8Array, size: number) {
  await Promise.resolve();
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function split(input: string | Uint8Array, pieceBytes: number, maxBytes = 1000) {
  const bytes = typeof input === "string" ? encoder.encode(input) : input;
  return await Array.fromAsync(splitLines(piecesOf(bytes, pieceBytes), maxBytes));
}

Deno.test("a line is one JSON value with its LF and no lone surrogate", () => {
  assert.equal(toLine({ a: "x\ny" }), '{"a":"x\\ny"}\n');
  assert.equal(toLine({ a: "\ud83d", "\udc00": 1 }), '{"a":"\ufffd","\ufffd":1}\n');
  assert.equal(toLine("😀"), '"😀"\n');
  assert.equal(toLine(undefined), "null\n");
});

Deno.test("a backslash before letters that look like a surrogate stays as it is", () => {
  for (const text of ["\\ud83d", "\\\\ud83d", "\\\ud83d", '"\\ud83d"']) {
    assert.equal(JSON.parse(toLine(text)), text.toWellFormed());
  }
});

Deno.test("the line separators of Unicode are escaped", () => {
  const text = "a\u2028b\u2029c";
  assert.equal(toLine(text), '"a\\u2028b\\u2029c"\n');
  assert.equal(JSON.parse(toLine(text)), text);
});

Deno.test("lines are split on LF only, whatever the pieces", async () => {
  const text = 'a\r\n\u2028x\u0085y\n\n{"é":"😀"}\r\nrest';
  for (const pieceBytes of [1, 2, 3, 5, 1000]) {
    assert.deepEqual(
      (await split(text, pieceBytes)).map((line) => "text" in line ? line.text : line),
      ["a", "\u2028x\u0085y", "", '{"é":"😀"}', "rest"],
    );
  }
});

Deno.test("a line over the limit is told by its size, and the next ones still come", async () => {
  for (const pieceBytes of [1, 7, 1000]) {
    assert.deepEqual(await split(`ok\n${"x".repeat(11)}\n${"y".repeat(10)}\n`, pieceBytes, 10), [
      { text: "ok" },
      { tooLong: 11 },
      { text: "y".repeat(10) },
    ]);
  }
});

Deno.test("a last line over the limit without its LF is told, too", async () => {
  assert.deepEqual(await split("x".repeat(30), 4, 10), [{ tooLong: 30 }]);
});

Deno.test("bytes that are not UTF-8 are replaced, not lost", async () => {
  const bytes = new Uint8Array([0x61, 0xff, 0x62, 10]);
  assert.deepEqual(await split(bytes, 1), [{ text: "a\ufffdb" }]);
});

Deno.test("a piece that its owner reuses does not change the lines", async () => {
  async function* reused() {
    const buffer = new Uint8Array(3);
    for (const text of ["a\nb", "\nc\n"]) {
      await Promise.resolve();
      buffer.set(encoder.encode(text));
      yield buffer;
    }
  }
  const lines = await Array.fromAsync(splitLines(reused(), 10));
  assert.deepEqual(lines, [{ text: "a" }, { text: "b" }, { text: "c" }]);
});

Deno.test("a splitter drops an endless line as it comes", () => {
  const splitter = lineSplitter(100);
  for (let i = 0; i < 1000; i++) assert.deepEqual(splitter.push(new Uint8Array(1000)), []);
  const end = splitter.end();
  assert.ok(end !== undefined && "tooLong" in end);
  assert.deepEqual([end.tooLong, end.ended], [1_000_000, false]);
  assert.equal(splitter.end(), undefined);
});

Deno.test("a line in pieces is the same line, whatever stands where it is cut", () => {
  const texts = [
    "\u{1f600}".repeat(200_000),
    "x" + "\u{1f600}".repeat(200_000),
    "a\ud83d".repeat(150_000),
    '\u2028\\"\n'.repeat(100_000),
    "\\ud83d".repeat(60_000),
    "y".repeat(262_144),
  ];
  for (const text of texts) {
    const value = { kind: "x", content: [{ text, short: "\ud800" }, null, text], last: 1 };
    const pieces = toLinePieces(value) as Iterable<string>;
    for (let round = 0; round < 2; round++) {
      const parts = [...pieces];
      assert.ok(parts.every((part) => part.isWellFormed()), "cut inside a character");
      assert.ok(parts.join("") === toLine(value));
    }
  }
  assert.equal(toLinePieces({ a: "b" }), '{"a":"b"}\n');
});

Deno.test("pieces of a text are encoded one after the other", () => {
  const text = "\u{1f600}é".repeat(70_000);
  const encode = pieceEncoder();
  const bytes = [...textPieces(text)].map((piece) => encode(piece).slice());
  assert.ok(new TextDecoder().decode(joinBytes(bytes)) === text);
});

Deno.test("of a line that is too long its edges are kept", () => {
  const splitter = lineSplitter(4000);
  const encode = (text: string) => new TextEncoder().encode(text);
  splitter.push(encode(`first${"x".repeat(3900)}`));
  for (let n = 0; n < 50; n++) splitter.push(encode("y".repeat(100)));
  const [line, next] = splitter.push(encode("last\nok\n"));
  assert.ok(line !== undefined && "tooLong" in line);
  assert.equal(line.tooLong, 8909);
  const [start, last] = line.edges.map((edge) => new TextDecoder().decode(edge));
  assert.match(start!, /^firstx+$/);
  assert.match(last!, /^y+last$/);
  assert.ok(start!.length <= 2048 && last!.length <= 2048);
  assert.deepEqual(next, { bytes: encode("ok"), ended: true });
  const whole = splitter.push(encode(`a${"z".repeat(5000)}b\n`))[0]!;
  assert.ok("tooLong" in whole);
  assert.deepEqual(whole.edges.map((edge) => new TextDecoder().decode(edge)), [
    `a${"z".repeat(2047)}`,
    `${"z".repeat(2047)}b`,
  ]);
});
