/** The tests of the edit tool. */
import assert from "node:assert/strict";
import { editTool } from "../../src/tools/edit.ts";
import { readTool } from "../../src/tools/read.ts";
import { writeTool } from "../../src/tools/write.ts";
import { linux, testWhere } from "../support/test_where.ts";
import { bodyOf, headOf, latin1, onBench, utf16le, utf32be } from "./file_fixture.ts";

const replace = (path: string, old_text: string, new_text: string) => ({
  path,
  old_text,
  new_text,
});

Deno.test("edit replaces one text and gives path, version, change and diff", () =>
  onBench(async (bench) => {
    bench.put("src/parser.py", "a\nlet value = old\nb\n");
    const edited = await bench.call(
      editTool,
      replace("src/parser.py", "value = old", "value = $& $1"),
    );
    assert.equal(edited.isError, false, edited.text);
    assert.equal(bench.text("src/parser.py"), "a\nlet value = $& $1\nb\n");
    assert.equal(headOf(edited.text, "path"), "src/parser.py");
    assert.equal(headOf(edited.text, "changed"), "1 replacement, +1 -1 lines");
    assert.equal(
      bodyOf(edited.text),
      "--- a/src/parser.py\n+++ b/src/parser.py\n@@ -1,3 +1,3 @@\n a\n-let value = old\n" +
        "+let value = $& $1\n b",
    );
    const read = await bench.call(readTool, { path: "src/parser.py" });
    assert.equal(headOf(read.text, "version"), headOf(edited.text, "version"));
  }));

Deno.test("several replacements apply in order, all or none", () =>
  onBench(async (bench) => {
    bench.put("f", "one two three\n");
    const both = await bench.call(editTool, {
      path: "f",
      replacements: [
        { old_text: "one", new_text: "uno uno2" },
        { old_text: "uno2 two", new_text: "dos" },
      ],
    });
    assert.equal(both.isError, false, both.text);
    assert.equal(bench.text("f"), "uno dos three\n");
    const half = await bench.call(editTool, {
      path: "f",
      replacements: [
        { old_text: "uno", new_text: "one" },
        { old_text: "missing", new_text: "x" },
      ],
    });
    assert.ok(half.isError);
    assert.match(half.text, /^EDIT_FAILED: replacement 2: old_text was not found/);
    assert.equal(bench.text("f"), "uno dos three\n");
    assert.deepEqual(bench.paths(), ["f"]);
  }));

Deno.test("exactly one of the two forms is taken", () =>
  onBench(async (bench) => {
    bench.put("f", "a\n");
    const pair = { old_text: "a", new_text: "b" };
    const wrong = [
      { path: "f" },
      { path: "f", ...pair, replacements: [pair] },
      { path: "f", new_text: "b" },
      { path: "f", old_text: "a" },
      { path: "f", replacements: [] },
      { path: "f", replacements: [{ old_text: "a" }] },
      { path: "f", ...pair, other: 1 },
    ];
    const read = await bench.call(readTool, { path: "f" });
    for (const input of wrong) {
      const result = await bench.call(editTool, input);
      assert.match(result.text, /^EDIT_FAILED: invalid_arguments: /, JSON.stringify(input));
      assert.ok(result.text.endsWith(`\nversion: ${headOf(read.text, "version")}`), result.text);
    }
    assert.match(
      (await bench.call(editTool, wrong[5]!)).text,
      /^EDIT_FAILED: invalid_arguments: replacements\[0\]\.new_text: expected string\n/,
    );
    assert.match((await bench.call(editTool, wrong[0]!)).text, /, found neither\n/);
    assert.match((await bench.call(editTool, wrong[1]!)).text, /, found both\n/);
    const nowhere = await bench.call(editTool, { path: "g", old_text: "a" });
    assert.equal(
      nowhere.text,
      "EDIT_FAILED: invalid_arguments: arguments: expected new_text beside old_text",
    );
    const nothing = await bench.call(editTool, pair);
    assert.equal(nothing.text, "EDIT_FAILED: invalid_arguments: path: expected string");
    assert.equal(bench.text("f"), "a\n");
    const asText = { path: "f", replacements: JSON.stringify([pair]) };
    assert.equal((await bench.call(editTool, asText)).isError, false);
    assert.equal(bench.text("f"), "b\n");
  }));

Deno.test("line ends of a CRLF file are matched and written in its convention", () =>
  onBench(async (bench) => {
    bench.put("f", "\ufeffa\r\nb\r\nc\r\n");
    const edited = await bench.call(editTool, replace("f", "b\nc", "B\nX\nC"));
    assert.equal(edited.isError, false, edited.text);
    assert.deepEqual(bench.bytes("f"), latin1("\xef\xbb\xbfa\r\nB\r\nX\r\nC\r\n"));
    assert.match(headOf(edited.text, "line endings")!, /^CRLF/);
    assert.equal((await bench.call(editTool, replace("f", "B\r\nX", "q\r\nr"))).isError, false);
    assert.deepEqual(bench.bytes("f"), latin1("\xef\xbb\xbfa\r\nq\r\nr\r\nC\r\n"));
  }));

Deno.test("in a file of mixed endings only the named bytes change", () =>
  onBench(async (bench) => {
    bench.put("f", "p1\rp2\rp3\nx = 1\r\ny = 2\nend");
    assert.equal((await bench.call(editTool, replace("f", "x = 1", "x = 9"))).isError, false);
    assert.equal(bench.text("f"), "p1\rp2\rp3\nx = 9\r\ny = 2\nend");
    const lf = await bench.call(editTool, replace("f", "x = 9\ny = 2", "gone"));
    assert.match(lf.text, /^EDIT_FAILED: .*on line 2 only its line endings differ/);
    assert.equal((await bench.call(editTool, replace("f", "x = 9\r\ny", "x\ny"))).isError, false);
    assert.equal(bench.text("f"), "p1\rp2\rp3\nx\ny = 2\nend");
  }));

Deno.test("files that are not UTF-8 are refused and stay as they are", () =>
  onBench(async (bench) => {
    const files = {
      latin: latin1("caf\xe9 = 1\nport = 1\n"),
      le: utf16le("key=1\r\n"),
      be32: utf32be("key=1\r\n"),
    };
    for (const [path, bytes] of Object.entries(files)) {
      bench.put(path, bytes);
      const result = await bench.call(editTool, replace(path, "1", "2"));
      assert.ok(result.isError);
      assert.match(result.text, /^EDIT_FAILED: .*(not UTF-8|UTF-16LE|UTF-32BE).*\nversion: \S+$/);
      assert.deepEqual(bench.bytes(path), bytes);
    }
    assert.deepEqual(bench.paths(), ["be32", "latin", "le"]);
  }));

Deno.test("an old text that is not unique is refused with its count and lines", () =>
  onBench(async (bench) => {
    bench.put("overlap", "aaa\n");
    bench.put("twice", "x\ny\nx\n");
    bench.put("many", "z\n".repeat(50));
    const overlap = await bench.call(editTool, replace("overlap", "aa", "b"));
    assert.match(overlap.text, /^EDIT_FAILED: old_text occurs 2 times \(line 1\)/);
    const twice = await bench.call(editTool, replace("twice", "x", "b"));
    assert.match(
      twice.text,
      /^EDIT_FAILED: old_text occurs 2 times \(lines 1, 3\).*\nversion: \S+$/,
    );
    const many = await bench.call(editTool, replace("many", "z", "b"));
    assert.match(many.text, /occurs 50 times \(lines 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, \.\.\.\)/);
    assert.equal(bench.text("overlap"), "aaa\n");
    assert.equal(bench.text("twice"), "x\ny\nx\n");
  }));

Deno.test("an old text that is not there is refused with what nearly matched", () =>
  onBench(async (bench) => {
    bench.put("f", "def run():\n    return  1  \nlast line\ncafe\u0301 \u201cx\u201d\nend");
    const near: [string, RegExp][] = [
      ["DEF run", /on line 1 only upper and lower case differ: the file has "def run\(\):"/],
      ["return  1\nlast", /on line 2 only white space at the ends of lines differs/],
      ["def run():\n\treturn 1", /on line 1 only indentation and spacing differ/],
      ["end\n", /on line 5 it matches but for the final newline/],
      ["1\tdef run():\n2\t    return  1  ", /on line 1 it matches without the line numbers/],
      ["last line\nother", /its first 1 of 2 lines match at line 3, then the file has "caf/],
      ["caf\u00e9 ", /on line 4 only the Unicode form of accented letters differs/],
      ['caf\u00e9 "x"', /on line 4 only the kind of quotes, dashes or spaces differs/],
      ["def run():\r\n    return", /on line 1 only its line endings differ/],
      ["zzz", /nothing like it is in the file/],
    ];
    for (const [old, words] of near) {
      const result = await bench.call(editTool, replace("f", old, "x"));
      assert.match(result.text, /^EDIT_FAILED: old_text was not found; /);
      assert.match(result.text, words);
      assert.match(result.text, /\nversion: \S+$/);
    }
  }));

Deno.test("where spaces stand for tabs or line ends differ the file's own lines are shown", () =>
  onBench(async (bench) => {
    bench.put("t.go", 'func main() {\n\tif x {\n\t\tfmt.Println("a")\n\t}\n}\n');
    const old = '    if x {\n        fmt.Println("a")\n    }';
    const spaces = await bench.call(editTool, replace("t.go", old, "x"));
    assert.ok(
      spaces.text.startsWith(
        "EDIT_FAILED: old_text was not found; on line 2 only indentation and spacing differ (the " +
          "file indents with tabs, old_text with spaces); the file has:\n" +
          '\tif x {\n\t\tfmt.Println("a")\n\t}\nversion: ',
      ),
      spaces.text,
    );
    bench.put("mixed", "a\r\nb\nc\n");
    const ends = await bench.call(editTool, replace("mixed", "a\nb\nc\n", "x"));
    assert.match(
      ends.text,
      /on line 1 only its line endings differ \(CRLF and LF\) \(in the file CRLF, LF, LF\); the file has:\na\nb\nc\nversion: /,
    );
    bench.put("lf", "a\nb\n");
    const crlf = await bench.call(editTool, replace("lf", "a\r\nb\r\n", "x"));
    assert.match(crlf.text, /\(LF in the file, CRLF in old_text\); the file has:\na\nb\nversion: /);
    const many = Array.from({ length: 60 }, (_, at) => `\tx${at}`).join("\n");
    bench.put("many", many);
    const long = await bench.call(editTool, replace("many", many.replaceAll("\t", "  "), "x"));
    assert.match(long.text, /\n\tx39\n\[20 more lines\]\nversion: /);
  }));

Deno.test("empty files: made by an edit, not filled by one, and existing all the same", () =>
  onBench(async (bench) => {
    bench.put("f", "abc\n");
    assert.equal((await bench.call(editTool, replace("f", "abc\n", ""))).isError, false);
    assert.equal(bench.bytes("f").length, 0);
    const fill = await bench.call(editTool, replace("f", "", "x"));
    assert.match(fill.text, /^EDIT_FAILED: old_text is empty/);
    const write = await bench.call(writeTool, { path: "f", content: "x" });
    assert.ok(write.isError);
    assert.match(write.text, /^already exists: f \(an empty file\)/);
    assert.equal(bench.bytes("f").length, 0);
  }));

Deno.test("an edit goes through links inside and leaves them links", () =>
  onBench(async (bench) => {
    bench.put("real/conf", "v=1\n");
    Deno.symlinkSync("real/conf", `${bench.workspace}/link`);
    Deno.symlinkSync(`${bench.workspace}/link`, `${bench.workspace}/link2`);
    const edited = await bench.call(editTool, replace("link2", "1", "2"));
    assert.equal(edited.isError, false, edited.text);
    assert.equal(headOf(edited.text, "path"), "link2");
    assert.equal(headOf(edited.text, "target"), "real/conf");
    assert.equal(bench.text("real/conf"), "v=2\n");
    assert.equal(Deno.readLinkSync(`${bench.workspace}/link`), "real/conf");
    assert.equal(Deno.readLinkSync(`${bench.workspace}/link2`), `${bench.workspace}/link`);
    assert.deepEqual(bench.paths(), ["link", "link2", "real", "real/conf"]);
  }));

Deno.test("mode bits are kept; a hard link's other names part, and the result says so", () =>
  onBench(async (bench) => {
    bench.put("a", "v=1\n");
    Deno.chmodSync(`${bench.workspace}/a`, 0o751);
    Deno.linkSync(`${bench.workspace}/a`, `${bench.workspace}/b`);
    const edited = await bench.call(editTool, replace("a", "1", "2"));
    assert.match(headOf(edited.text, "hard links")!, /1 other name .* keep the old content/);
    assert.equal(bench.text("a"), "v=2\n");
    assert.equal(bench.text("b"), "v=1\n");
    assert.equal(Deno.statSync(`${bench.workspace}/a`).mode! & 0o7777, 0o751);
  }));

Deno.test("a read-only file is refused with its mode, for every user", () =>
  onBench(async (bench) => {
    bench.put("c", "v=1\n");
    Deno.chmodSync(`${bench.workspace}/c`, 0o444);
    const edit = await bench.call(editTool, replace("c", "1", "2"));
    assert.match(edit.text, /^EDIT_FAILED: read-only: c has mode 0444.*\nversion: \S+$/);
    const write = await bench.call(writeTool, { path: "c", content: "x", overwrite: true });
    assert.match(write.text, /^read-only: c has mode 0444/);
    assert.equal(bench.text("c"), "v=1\n");
    assert.deepEqual(bench.paths(), ["c"]);
  }));

Deno.test("expected_version takes the version of a read or of an edit, and no stale one", () =>
  onBench(async (bench) => {
    bench.put("f", "1\n");
    const first = headOf((await bench.call(readTool, { path: "f" })).text, "version")!;
    const edit = (from: string, to: string, expected_version: string) =>
      bench.call(editTool, { path: "f", old_text: from, new_text: to, expected_version });
    const second = headOf((await edit("1", "2", first)).text, "version")!;
    const third = await edit("2", "3", second);
    assert.equal(third.isError, false, third.text);
    const stale = await edit("3", "4", first);
    assert.ok(stale.isError);
    assert.match(stale.text, /^EDIT_FAILED: f has changed/);
    assert.equal(/\nversion: (\S+)$/.exec(stale.text)![1], headOf(third.text, "version"));
    assert.equal(bench.text("f"), "3\n");
  }));

Deno.test("edits of one file one after the other all stay", () =>
  onBench(async (bench) => {
    bench.put("n", Array.from({ length: 100 }, (_, index) => `<${index + 1}>\n`).join(""));
    for (const number of [10, 30, 50, 70, 90]) {
      const result = await bench.call(editTool, replace("n", `<${number}>`, `<at ${number}>`));
      assert.equal(result.isError, false, result.text);
    }
    const lines = bench.text("n").split("\n");
    assert.equal(lines.length, 101);
    for (const number of [10, 30, 50, 70, 90]) assert.equal(lines[number - 1], `<at ${number}>`);
  }));

Deno.test("edits of one file at once are all there, or fail; none is lost", () =>
  onBench(async (bench) => {
    bench.put("n", Array.from({ length: 40 }, (_, index) => `<${index}>\n`).join(""));
    const results = await Promise.all(
      Array.from(
        { length: 40 },
        (_, index) => bench.call(editTool, replace("n", `<${index}>`, `<at ${index}>`)),
      ),
    );
    for (const [index, result] of results.entries()) {
      assert.equal(bench.text("n").includes(`<at ${index}>`), !result.isError, result.text);
    }
  }));

Deno.test("what cannot be edited fails with EDIT_FAILED and the reason", () =>
  onBench(async (bench) => {
    Deno.mkdirSync(`${bench.workspace}/folder`);
    Deno.writeTextFileSync(`${bench.outside}/secret`, "a\n");
    Deno.symlinkSync(`${bench.outside}/secret`, `${bench.workspace}/out`);
    const wrong: [string, RegExp][] = [
      ["missing", /^EDIT_FAILED: not found: missing$/],
      ["folder", /^EDIT_FAILED: not a regular file: folder is a folder/],
      ["out", /^EDIT_FAILED: path is outside the workspace: out$/],
      ["../o/secret", /^EDIT_FAILED: path is outside the workspace: \.\.\/o\/secret$/],
      [`${bench.outside}/secret`, /^EDIT_FAILED: path is outside the workspace: \//],
    ];
    for (const [path, words] of wrong) {
      const result = await bench.call(editTool, replace(path, "a", "b"));
      assert.ok(result.isError);
      assert.match(result.text, words);
    }
    assert.equal(Deno.readTextFileSync(`${bench.outside}/secret`), "a\n");
  }));

Deno.test("half characters are refused, whole ones outside the basic plane replaced", () =>
  onBench(async (bench) => {
    bench.put("f", "😀 smile\n");
    const half = await bench.call(editTool, replace("f", "\ud83d", "x"));
    assert.match(half.text, /^EDIT_FAILED: old_text is not valid Unicode/);
    assert.match(
      (await bench.call(editTool, replace("f", "smile", "\ude00"))).text,
      /^EDIT_FAILED/,
    );
    assert.equal(bench.text("f"), "😀 smile\n");
    assert.equal((await bench.call(editTool, replace("f", "😀", "😁"))).isError, false);
    assert.equal(bench.text("f"), "😁 smile\n");
  }));

testWhere(
  linux,
  "a program that has the file open for writing is named in the result",
  () =>
    onBench(async (bench) => {
      bench.put("app.log", "one\n");
      using log = Deno.openSync(`${bench.workspace}/app.log`, { append: true });
      const edited = await bench.call(editTool, replace("app.log", "one", "two"));
      assert.equal(edited.isError, false, edited.text);
      assert.match(
        headOf(edited.text, "open elsewhere")!,
        /^another program has the replaced file/,
      );
      log.writeSync(new TextEncoder().encode("late\n"));
      assert.equal(bench.text("app.log"), "two\n");
      const again = await bench.call(editTool, replace("app.log", "two", "three"));
      assert.equal(headOf(again.text, "open elsewhere"), undefined);
    }),
);

Deno.test("a long diff is shortened and says so", () =>
  onBench(async (bench) => {
    bench.put("f", "start\n");
    const long = Array.from({ length: 3000 }, (_, index) => `line ${index}`).join("\n");
    const { text, isError } = await bench.call(editTool, replace("f", "start", long));
    assert.equal(isError, false);
    assert.ok(text.length < 12_000, `${text.length}`);
    assert.match(text, /\n\[diff shortened: \d+ more lines\]$/);
  }));

Deno.test("the search for what nearly matched ends soon on long runs and long files", () =>
  onBench(async (bench) => {
    bench.put("spaces", `${" ".repeat(200_000)}x\n`.repeat(3));
    bench.put("lines", "\n".repeat(500_000));
    for (const path of ["spaces", "lines"]) {
      const result = await bench.call(editTool, replace(path, "\n\n  y \n\n", "z"));
      assert.match(result.text, /^EDIT_FAILED: old_text was not found/);
    }
  }));

Deno.test("more replacements than a file of that size lets be made at once are refused", () =>
  onBench(async (bench) => {
    bench.put("f", "one line\n".repeat(200_000));
    const replacements = Array.from({ length: 2000 }, () => ({ old_text: "x", new_text: "y" }));
    const result = await bench.call(editTool, { path: "f", replacements });
    assert.match(result.text, /^EDIT_FAILED: 2000 replacements are too many at once in a file of/);
  }));
