/** The tests of the read tool. */
import assert from "node:assert/strict";
import { joinBytes } from "../../src/lib/join_bytes.ts";
import { readTool } from "../../src/tools/read.ts";
import { posix, testWhere } from "../support/test_where.ts";
import {
  bodyOf,
  gif,
  headOf,
  jpeg,
  latin1,
  onBench,
  png,
  utf16le,
  utf32be,
  webp,
} from "./file_fixture.ts";

const bytesOf = (text: string) => new TextEncoder().encode(text).length;

Deno.test("read gives path, version, lines and the numbered text", () =>
  onBench(async (bench) => {
    bench.put("src/parser.py", "one\n\ttvå\n\nfour\n");
    const whole = await bench.call(readTool, { path: "src/parser.py" });
    assert.equal(whole.isError, false);
    assert.match(
      whole.text,
      /^path: src\/parser\.py\nversion: \S+\nlines: 1-4 of 4\n\n1\tone\n2\t\ttvå\n3\t\n4\tfour$/,
    );
    const part = await bench.call(readTool, {
      path: "./src//parser.py",
      start_line: 2,
      end_line: 3,
    });
    assert.equal(headOf(part.text, "path"), "src/parser.py");
    assert.equal(headOf(part.text, "lines"), "2-3 of 4");
    assert.equal(bodyOf(part.text), "2\t\ttvå\n3\t");
    assert.equal(headOf(part.text, "version"), headOf(whole.text, "version"));
    const past = await bench.call(readTool, {
      path: "src/parser.py",
      start_line: 3,
      end_line: 900,
    });
    assert.equal(headOf(past.text, "lines"), "3-4 of 4");
  }));

Deno.test("equal content has an equal version, other content another", () =>
  onBench(async (bench) => {
    bench.put("a", "same");
    bench.put("b", "same");
    bench.put("c", "same\n");
    const [a, b, c] = await Promise.all(
      ["a", "b", "c"].map(async (path) =>
        headOf((await bench.call(readTool, { path })).text, "version")
      ),
    );
    assert.equal(a, b);
    assert.notEqual(a, c);
  }));

Deno.test("a range that starts past the end, or ends before its start, fails", () =>
  onBench(async (bench) => {
    bench.put("f", "a\nb\n");
    const past = await bench.call(readTool, { path: "f", start_line: 3 });
    assert.ok(past.isError);
    assert.equal(past.text, "start_line 3 is past the end: f has 2 lines");
    const backwards = await bench.call(readTool, { path: "f", start_line: 2, end_line: 1 });
    assert.ok(backwards.isError);
    assert.equal(backwards.text, "invalid_arguments: end_line 1 is before start_line 2");
    for (const end_line of [2 ** 53, 1e30, "99999999999999"]) {
      const toEnd = await bench.call(readTool, { path: "f", start_line: 2, end_line });
      assert.equal(headOf(toEnd.text, "lines"), "2-2 of 2");
    }
    const zero = await bench.call(readTool, { path: "f", start_line: 0 });
    assert.match(zero.text, /^invalid_arguments: start_line: /);
  }));

Deno.test("an empty file has no lines, and only a start of 1", () =>
  onBench(async (bench) => {
    bench.put("empty", "");
    const whole = await bench.call(readTool, { path: "empty", start_line: 1 });
    assert.match(
      whole.text,
      /^path: empty\nversion: \S+\nlines: 0-0 of 0\nnote: the file is empty$/,
    );
    assert.ok((await bench.call(readTool, { path: "empty", start_line: 2 })).isError);
    bench.put("newline", "\n");
    const one = await bench.call(readTool, { path: "newline" });
    assert.equal(headOf(one.text, "lines"), "1-1 of 1");
    assert.equal(bodyOf(one.text), "1\t");
  }));

Deno.test("line endings, a mark and a missing final newline are told", () =>
  onBench(async (bench) => {
    bench.put("crlf", "\ufeffa\r\nb\r\n");
    const crlf = await bench.call(readTool, { path: "crlf" });
    assert.equal(headOf(crlf.text, "line endings"), "CRLF");
    assert.equal(headOf(crlf.text, "bom"), "UTF-8");
    assert.equal(headOf(crlf.text, "final newline"), undefined);
    assert.equal(bodyOf(crlf.text), "1\ta\n2\tb");
    bench.put("mixed", "p1\rp2\rp3\nx = 1\r\ny = 2\nend");
    const mixed = await bench.call(readTool, { path: "mixed" });
    assert.equal(
      headOf(mixed.text, "line endings"),
      "mixed (1 CRLF on line 2, 2 LF on lines 1, 3, 2 lone CR)",
    );
    assert.equal(headOf(mixed.text, "final newline"), "missing");
    assert.equal(bodyOf(mixed.text), "1\tp1\rp2\rp3\n2\tx = 1\r\n3\ty = 2\n4\tend");
    bench.put("plain", "a\n");
    const plain = await bench.call(readTool, { path: "plain" });
    assert.doesNotMatch(plain.text, /line endings|bom|final newline|encoding/);
  }));

Deno.test("text output stops at 200,000 bytes and names the next start_line", () =>
  onBench(async (bench) => {
    const line = "漢".repeat(100);
    bench.put("long", `${line}\n`.repeat(3000));
    let next: number | undefined = 1, seen = 0;
    while (next !== undefined) {
      const { text } = await bench.call(readTool, { path: "long", start_line: next });
      assert.ok(bytesOf(text) <= 200_000, `${bytesOf(text)} bytes`);
      const lines = bodyOf(text).split("\n").filter((row) => row.endsWith(line));
      assert.equal(lines[0], `${next}\t${line}`);
      seen += lines.length;
      const told: string | undefined = /next start_line: (\d+)/.exec(text)?.[1];
      assert.equal(told === undefined ? 3000 : Number(told) - 1, seen);
      next = told === undefined ? undefined : Number(told);
    }
    assert.equal(seen, 3000);
    bench.put("ten", `${"x".repeat(20_000)}\n`.repeat(10));
    const ten = await bench.call(readTool, { path: "ten" });
    assert.ok(bytesOf(ten.text) <= 200_000);
    assert.equal(headOf(ten.text, "lines"), "1-9 of 10");
    assert.match(ten.text, /next start_line: 10\]$/);
  }));

Deno.test("a result of exactly 200,000 bytes is whole; the notice says where a longer one ends", () =>
  onBench(async (bench) => {
    const forms = { lf: ["\n", 1], crlf: ["\r\n", 1], short: ["\n", 20_000] } as const;
    for (const [path, [end, rows]] of Object.entries(forms)) {
      const file = (size: number) => `y${end}`.repeat(rows) + "x".repeat(size) + end;
      bench.put(path, file(100));
      const room = 200_000 - bytesOf((await bench.call(readTool, { path })).text);
      bench.put(path, file(100 + room));
      const whole = await bench.call(readTool, { path });
      assert.equal(bytesOf(whole.text), 200_000, path);
      assert.doesNotMatch(whole.text, /truncated|is cut/);
      bench.put(path, file(101 + room));
      const { text } = await bench.call(readTool, { path });
      assert.ok(bytesOf(text) <= 200_000);
      assert.match(text, new RegExp(`next start_line: ${rows + 1}\\]$`));
      assertTrueNotice(text);
    }
    bench.put("large", `${"z".repeat(99)}\n`.repeat(200_000));
    const { text } = await bench.call(readTool, { path: "large", start_line: 7 });
    assert.ok(bytesOf(text) <= 200_000 && bytesOf(text) > 200_000 - 107, `${bytesOf(text)}`);
    assertTrueNotice(text);
    bench.put("bytes", latin1("\xff".repeat(300_000)));
    const cut = await bench.call(readTool, { path: "bytes" });
    assert.ok(bytesOf(cut.text) <= 200_000 && bytesOf(cut.text) > 199_990, cut.text.slice(0, 300));
  }));

/** The number in the closing line is that of the bytes before it. */
function assertTrueNotice(text: string) {
  const [notice, told] = /\n\[truncated at (\d+) bytes; next start_line: \d+\]$/.exec(text)!;
  assert.equal(Number(told), bytesOf(text.slice(0, -notice.length)));
}

Deno.test("a line longer than the limit is cut, said so, and the rest can be reached", () =>
  onBench(async (bench) => {
    bench.put("one", `${"é".repeat(2_500_000)}`);
    const { text } = await bench.call(readTool, { path: "one" });
    assert.ok(bytesOf(text) <= 200_000);
    const [, shown, whole, start] = /line 1 is cut: (\d+) of (\d+) bytes.*tail -c \+(\d+) one /
      .exec(text)!;
    assert.equal(Number(whole), 5_000_000);
    assert.equal(Number(start), Number(shown) + 1);
    assert.equal(Number(shown) % 2, 0);
    assert.ok(Number(shown) > 150_000);
    assert.ok(!text.includes("\ufffd"));
    bench.put("mid dle", `a\n${"x".repeat(300_000)}\nlast\n`);
    const first = await bench.call(readTool, { path: "mid dle" });
    assert.equal(headOf(first.text, "lines"), "1-1 of 3");
    assert.match(first.text, /next start_line: 2\]$/);
    const second = await bench.call(readTool, { path: "mid dle", start_line: 2 });
    assert.match(
      second.text,
      /line 2 is cut.*tail -c \+\d+ 'mid dle'.*\n\[.*next start_line: 3\]$/,
    );
    const at = Number(/tail -c \+(\d+)/.exec(second.text)![1]);
    const rest = new TextDecoder().decode(bench.bytes("mid dle").subarray(at - 1));
    assert.match(rest, /^x+\nlast\n$/);
    const third = await bench.call(readTool, { path: "mid dle", start_line: 3 });
    assert.equal(bodyOf(third.text), "3\tlast");
  }));

Deno.test("marked UTF-16 and UTF-32 are decoded and named", () =>
  onBench(async (bench) => {
    bench.put("le", utf16le("key=1\r\n"));
    bench.put("be32", utf32be("key=1\r\n"));
    for (const [path, encoding] of [["le", "UTF-16LE"], ["be32", "UTF-32BE"]] as const) {
      const { text, isError } = await bench.call(readTool, { path });
      assert.equal(isError, false, text);
      assert.ok(headOf(text, "encoding")!.startsWith(encoding));
      assert.equal(headOf(text, "line endings"), "CRLF");
      assert.equal(bodyOf(text), "1\tkey=1");
    }
  }));

Deno.test("bytes that are not UTF-8 are replaced and said so", () =>
  onBench(async (bench) => {
    bench.put("latin", latin1("caf\xe9 = 1\nport = 1\n"));
    const whole = await bench.call(readTool, { path: "latin" });
    assert.match(headOf(whole.text, "encoding")!, /^not UTF-8; bytes that are not were replaced/);
    assert.equal(bodyOf(whole.text), "1\tcaf\ufffd = 1\n2\tport = 1");
    const part = await bench.call(readTool, { path: "latin", start_line: 2 });
    assert.match(headOf(part.text, "encoding")!, /^not UTF-8; the lines shown are/);
    const only = await bench.call(readTool, { path: "latin", start_line: 1, end_line: 1 });
    assert.ok(only.text.isWellFormed());
  }));

Deno.test("source files with names of pictures or videos are text", () =>
  onBench(async (bench) => {
    const names = ["schema.fbs", "a.ts", "b.mts", "c.mod", "d.svg", "e.pgm", "fake.png"];
    for (const path of names) {
      bench.put(path, "<svg>P2 text</svg>\n".repeat(path === "fake.png" ? 200 : 1));
      const result = await bench.call(readTool, { path });
      assert.equal(result.isError, false, path);
      assert.equal(result.images, undefined);
      assert.match(result.text, /\n1\t<svg>P2 text<\/svg>/);
    }
  }));

Deno.test("images are known by their bytes", () =>
  onBench(async (bench) => {
    const pictures = [
      ["shot.png", jpeg(3, 2), "image/jpeg"],
      ["SHOT.PNG", png(3, 2), "image/png"],
      ["noext", png(3, 2), "image/png"],
      ["a.gif", gif(3, 2), "image/gif"],
      ["a.webp", webp(3, 2), "image/webp"],
    ] as const;
    for (const [path, bytes, mediaType] of pictures) {
      bench.put(path, bytes);
      const result = await bench.call(readTool, { path });
      assert.equal(result.isError, false, `${path}: ${result.text}`);
      assert.equal(result.images?.length, 1);
      assert.equal(result.images[0]!.mediaType, mediaType);
      assert.deepEqual(
        Uint8Array.from(atob(result.images[0]!.data), (c) => c.charCodeAt(0)),
        bytes,
      );
      assert.match(
        result.text,
        /^path: .*\nversion: \S+\nimage: image\/\w+, 3x2 pixels, \d+ bytes$/,
      );
    }
  }));

Deno.test("what decoders take is an image: no end mark, stray bytes, more behind the picture", () =>
  onBench(async (bench) => {
    const at = (bytes: Uint8Array, index: number, stray: string) =>
      joinBytes([bytes.subarray(0, index), latin1(stray), bytes.subarray(index)]);
    const lossy = "VP8 \x0a\0\0\0\x30\x01\0\x9d\x01\x2a\x03\0\x02\0";
    const pictures: Record<string, Uint8Array> = {
      "no trailer.gif": gif(3, 2).subarray(0, -1),
      "no terminator.gif": gif(3, 2).subarray(0, -2),
      "stray.gif": at(gif(3, 2), 19, "\0\0"),
      "cut in its second picture.gif": joinBytes([
        gif(3, 2).subarray(0, -1),
        gif(3, 2).subarray(19, -3),
      ]),
      "screen without a size.gif": gif(3, 2).fill(0, 6, 10),
      "no end.png": png(3, 2).subarray(0, -12),
      "no check sum.png": png(3, 2).subarray(0, -14),
      "more behind.png": joinBytes([png(3, 2), latin1("more")]),
      "no end.jpg": jpeg(3, 2).subarray(0, -2),
      "stray.jpg": at(jpeg(3, 2), 20, "\0\x12"),
      "restart mark.jpg": at(jpeg(3, 2), 20, "\xff\xd0\xff\xff"),
      "lossy.webp": latin1(`RIFF\x16\0\0\0WEBP${lossy}`),
      "extended.webp": latin1(
        `RIFF\x28\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0\x02\0\0\x01\0\0${lossy}`,
      ),
      "small.webp": latin1("RIFF\x12\0\0\0WEBPVP8L\x06\0\0\0\x2f\x02\x40\0\0\0"),
    };
    for (const [path, bytes] of Object.entries(pictures)) {
      bench.put(path, bytes);
      const result = await bench.call(readTool, { path });
      assert.equal(result.images?.length, 1, `${path}: ${result.text}`);
      assert.match(result.text, /\nimage: image\/\w+, 3x2 pixels, \d+ bytes$/, path);
    }
  }));

Deno.test("cut, empty and false images are refused as not usable", () =>
  onBench(async (bench) => {
    const broken = [
      ["zero.png", new Uint8Array(100)],
      ["cut.png", png(30, 20).subarray(0, 20)],
      ["half.png", png(30, 20).subarray(0, 45)],
      ["empty.png", png(0, 0)],
      ["cut.jpg", jpeg(3, 2).subarray(0, 30)],
      ["nodata.jpg", joinBytes([jpeg(3, 2).subarray(0, -4), latin1("\xff\xd9")])],
      ["cut.gif", gif(3, 2).subarray(0, -3)],
      ["nodata.gif", joinBytes([gif(3, 2).subarray(0, -16), latin1(";")])],
      ["cut.webp", webp(3, 2).subarray(0, 25)],
      ["nodata.webp", latin1("RIFF\x16\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0\x02\0\0\x01\0\0")],
    ] as const;
    for (const [path, bytes] of broken) {
      bench.put(path, bytes);
      const result = await bench.call(readTool, { path });
      assert.ok(result.isError, path);
      assert.match(result.text, /^not a usable image: /, path);
      assert.equal(result.images, undefined);
    }
  }));

Deno.test("an image of 5 MiB is shown, a larger one fails", () =>
  onBench(async (bench) => {
    bench.put("edge.png", png(1, 1, 5 * 1024 * 1024));
    assert.equal((await bench.call(readTool, { path: "edge.png" })).isError, false);
    bench.put("large.png", png(1, 1, 5 * 1024 * 1024 + 1));
    bench.put("huge.png", png(1, 1, 20 * 1024 * 1024));
    for (const path of ["large.png", "huge.png"]) {
      const result = await bench.call(readTool, { path });
      assert.ok(result.isError);
      assert.match(result.text, /^image too large: .*5 MiB/);
    }
  }));

Deno.test("binary files are refused in a sentence", () =>
  onBench(async (bench) => {
    bench.put("a.out", latin1("\x7fELF\x02\x01\0\0\0"));
    bench.put("plain16", utf16le("no mark", false));
    for (const path of ["a.out", "plain16"]) {
      const result = await bench.call(readTool, { path });
      assert.ok(result.isError);
      assert.match(result.text, /^binary file: .* NUL bytes/);
    }
  }));

Deno.test("a missing file fails, with the name it may have meant", () =>
  onBench(async (bench) => {
    bench.put("src/parser.py", "x\n");
    const slip = await bench.call(readTool, { path: "src/parsr.py" });
    assert.ok(slip.isError);
    assert.equal(slip.text, "not found: src/parsr.py; did you mean src/parser.py?");
    assert.match(
      (await bench.call(readTool, { path: "no/such/file" })).text,
      /^not found: no\/such/,
    );
    assert.match((await bench.call(readTool, { path: "src/parser.py/x" })).text, /^not a folder: /);
    assert.match((await bench.call(readTool, { path: "src/parser.py/" })).text, /^not a folder: /);
    assert.match((await bench.call(readTool, { path: "" })).text, /path is empty/);
  }));

testWhere(
  posix,
  "folders, FIFOs, sockets and devices are refused at once, by their kind",
  () =>
    onBench(async (bench) => {
      const { workspace } = bench;
      await new Deno.Command("mkfifo", { args: [`${workspace}/p`] }).output();
      using socket = Deno.listen({ transport: "unix", path: `${workspace}/s` });
      assert.ok(socket);
      Deno.mkdirSync(`${workspace}/folder`);
      Deno.symlinkSync("p", `${workspace}/to-p`);
      for (const device of ["zero", "tty", "stdin"]) {
        Deno.symlinkSync(`/dev/${device}`, `${workspace}/${device}`);
      }
      const expected = {
        p: /is a FIFO/,
        "to-p": /is a FIFO/,
        s: /is a socket/,
        folder: /is a folder/,
        "folder/": /is a folder/,
        ".": /is a folder/,
        zero: /^path is outside the workspace: zero \(a character device\)$/,
        tty: /^path is outside the workspace: tty \(a character device\)$/,
        stdin: /^path is outside the workspace: stdin/,
      };
      for (const [path, words] of Object.entries(expected)) {
        const result = await bench.call(readTool, { path });
        assert.ok(result.isError, path);
        assert.match(result.text, words, path);
      }
    }),
);

Deno.test("a sparse file of 20 GB is answered without being held", () =>
  onBench(async (bench) => {
    const file = Deno.openSync(`${bench.workspace}/big.log`, { write: true, create: true });
    file.truncateSync(20e9);
    file.close();
    const zeros = await bench.call(readTool, { path: "big.log", end_line: 5 });
    assert.ok(zeros.isError);
    assert.match(zeros.text, /^binary file: big\.log .*20000000000 bytes/);

    const start = new TextEncoder().encode("first\nsecond\n" + "x".repeat(10_000));
    const start2 = Deno.openSync(`${bench.workspace}/big.log`, { write: true });
    start2.writeSync(start);
    start2.close();
    const range = await bench.call(readTool, { path: "big.log", end_line: 2 });
    assert.equal(range.isError, false, range.text);
    assert.equal(headOf(range.text, "lines"), "1-2 of more");
    assert.match(headOf(range.text, "version")!, /^large-/);
    assert.equal(bodyOf(range.text), "1\tfirst\n2\tsecond");
    const again = await bench.call(readTool, { path: "big.log", end_line: 1 });
    assert.equal(headOf(again.text, "version"), headOf(range.text, "version"));
  }));

Deno.test("a line far into a large file is found, past its end fails", () =>
  onBench(async (bench) => {
    const row = (number: number) => `row ${String(number).padStart(9, "0")} of the log\r\n`;
    const rows = 1_000_000;
    const file = Deno.openSync(`${bench.workspace}/log`, { write: true, create: true });
    for (let from = 1; from <= rows; from += 10_000) {
      const part = Array.from({ length: 10_000 }, (_, index) => row(from + index)).join("");
      file.writeSync(new TextEncoder().encode(part));
    }
    file.close();
    const range = await bench.call(readTool, {
      path: "log",
      start_line: 900_000,
      end_line: 900_001,
    });
    assert.equal(headOf(range.text, "lines"), "900000-900001 of more");
    assert.equal(headOf(range.text, "line endings"), "CRLF in the lines shown");
    assert.equal(
      bodyOf(range.text),
      `900000\t${row(900_000).trim()}\n900001\t${row(900_001).trim()}`,
    );
    const last = await bench.call(readTool, { path: "log", start_line: rows });
    assert.equal(headOf(last.text, "lines"), `${rows}-${rows} of ${rows}`);
    const past = await bench.call(readTool, { path: "log", start_line: rows + 1 });
    assert.ok(past.isError);
    assert.match(past.text, /is past the end: log has 1000000 lines/);
    const all = await bench.call(readTool, { path: "log" });
    assert.match(all.text, /next start_line: \d+\]$/);
    assert.ok(bytesOf(all.text) <= 200_000);
  }));

Deno.test("odd names are read as they are", () =>
  onBench(async (bench) => {
    for (
      const path of ["..hello/f", "...", "a..b", " lead", "trail.", "new\nline", "-n", "~x", "é"]
    ) {
      bench.put(path, "here\n");
      const result = await bench.call(readTool, { path });
      assert.equal(result.isError, false, `${path}: ${result.text}`);
      assert.equal(bodyOf(result.text), "1\there");
    }
  }));
