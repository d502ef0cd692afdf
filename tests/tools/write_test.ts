/** The tests of the write tool. */
import assert from "node:assert/strict";
import { readTool } from "../../src/tools/read.ts";
import { writeTool } from "../../src/tools/write.ts";
import { bodyOf, headOf, latin1, onBench, pathsBelow, utf16le, utf32be } from "./file_fixture.ts";

Deno.test("write creates a file with its folders, and reports it", () =>
  onBench(async (bench) => {
    const made = await bench.call(writeTool, {
      path: "src/deep/generated.py",
      content: "# generated\n",
      overwrite: false,
    });
    assert.equal(made.isError, false, made.text);
    assert.equal(bench.text("src/deep/generated.py"), "# generated\n");
    assert.match(
      made.text,
      /^path: src\/deep\/generated\.py\nversion: \S+\ncreated: 12 bytes, \+1 -0 lines\n\n--- \/dev\/null\n/,
    );
    assert.match(bodyOf(made.text), /\n@@ -0,0 \+1 @@\n\+# generated$/);
    const read = await bench.call(readTool, { path: "src/deep/generated.py" });
    assert.equal(headOf(read.text, "version"), headOf(made.text, "version"));
    assert.deepEqual(bench.paths(), ["src", "src/deep", "src/deep/generated.py"]);
  }));

Deno.test("write replaces only when told to", () =>
  onBench(async (bench) => {
    bench.put("f", "old\n");
    const refused = await bench.call(writeTool, { path: "f", content: "new\n" });
    assert.ok(refused.isError);
    assert.match(refused.text, /^already exists: f; set overwrite to true/);
    assert.equal(bench.text("f"), "old\n");
    const done = await bench.call(writeTool, { path: "f", content: "new\n", overwrite: true });
    assert.equal(headOf(done.text, "replaced"), "4 bytes, +1 -1 lines");
    assert.equal(bench.text("f"), "new\n");
    const fresh = await bench.call(writeTool, { path: "g", content: "", overwrite: true });
    assert.equal(headOf(fresh.text, "created"), "0 bytes, +0 -0 lines");
    assert.equal(bench.bytes("g").length, 0);
    assert.deepEqual(bench.paths(), ["f", "g"]);
  }));

Deno.test("content is written to the byte, whatever it looks like", () =>
  onBench(async (bench) => {
    for (const content of ["020", '{"a":1}', "true", "null", "a\r\nb\n", "\ufeffx", "\0", "漢😀"]) {
      const done = await bench.call(writeTool, { path: "f", content, overwrite: "true" });
      assert.equal(done.isError, false, done.text);
      assert.deepEqual(bench.bytes("f"), new TextEncoder().encode(content));
    }
    const half = await bench.call(writeTool, { path: "h", content: "\ud83d" });
    assert.match(half.text, /not valid Unicode/);
    const number = await bench.call(writeTool, { path: "h", content: 20 });
    assert.equal(number.text, "invalid_arguments: content: expected string");
    const path = await bench.call(writeTool, { path: 123, content: "" });
    assert.equal(path.text, "invalid_arguments: path: expected string");
    assert.deepEqual(bench.paths(), ["f"]);
  }));

Deno.test("a changed encoding, mark or line ending is told", () =>
  onBench(async (bench) => {
    const files = [
      ["le", utf16le("key=1\r\n"), "encoding", /^changed from UTF-16LE to UTF-8$/],
      ["be32", utf32be("key=1\r\n"), "encoding", /^changed from UTF-32BE to UTF-8$/],
      ["latin", latin1("caf\xe9\n"), "encoding", /^changed from not UTF-8 to UTF-8$/],
      ["crlf", latin1("a\r\nb\r\n"), "line endings", /^changed from CRLF to LF$/],
      ["bom", latin1("\xef\xbb\xbfa\n"), "bom", /^removed/],
    ] as const;
    for (const [path, bytes, key, words] of files) {
      bench.put(path, bytes);
      const refused = await bench.call(writeTool, { path, content: "key=2\n" });
      assert.ok(refused.isError);
      assert.deepEqual(bench.bytes(path), bytes);
      const done = await bench.call(writeTool, { path, content: "key=2\n", overwrite: true });
      assert.match(headOf(done.text, key)!, words);
      assert.equal(bench.text(path), "key=2\n");
    }
  }));

Deno.test("modes: new files follow the umask, replaced ones keep theirs", () =>
  onBench(async (bench) => {
    const before = Deno.umask(0o027);
    try {
      await bench.call(writeTool, { path: "d/new", content: "x" });
      bench.put("tool", "#!/bin/sh\n");
      Deno.chmodSync(`${bench.workspace}/tool`, 0o4755);
      await bench.call(writeTool, { path: "tool", content: "#!/bin/sh\nexit\n", overwrite: true });
    } finally {
      Deno.umask(before);
    }
    const mode = (path: string) => Deno.statSync(`${bench.workspace}/${path}`).mode! & 0o7777;
    assert.equal(mode("d/new"), 0o640);
    assert.equal(mode("d"), 0o750);
    assert.equal(mode("tool"), 0o4755);
  }));

Deno.test("a home folder is never made out of a tilde or a variable", () =>
  onBench(async (bench) => {
    for (const path of ["~/notes.txt", "$HOME/n", "${HOME}/n", "~", "$HOME", "./~/n"]) {
      const result = await bench.call(writeTool, { path, content: "x" });
      assert.ok(result.isError, path);
    }
    for (const path of ["a/~/n", "a/$HOME/n", "a/~", "a/$HOME", "~root/n", "$TMPDIR/n"]) {
      const result = await bench.call(writeTool, { path, content: "x" });
      assert.ok(result.isError, path);
    }
    assert.match(
      (await bench.call(writeTool, { path: "~/notes.txt", content: "x" })).text,
      /^path is outside the workspace: ~\/notes\.txt$/,
    );
    assert.deepEqual(bench.paths(), []);
    for (const path of ["~lock.txt", "$id.tsx", "routes/$id/index.tsx", "a~b/c"]) {
      const result = await bench.call(writeTool, { path, content: "x" });
      assert.equal(result.isError, false, result.text);
    }
  }));

Deno.test("paths that cannot be a new file are refused, and nothing is made", () =>
  onBench(async (bench) => {
    bench.put("a", "file\n");
    Deno.mkdirSync(`${bench.workspace}/src`);
    const wrong: [string, RegExp][] = [
      ["src", /^not a regular file: src is a folder/],
      ["src/", /is a folder/],
      ["new/", /^not found: new\/ names a folder, not a file$/],
      ["a/b/c/new.txt", /^not a folder: a in a\/b\/c\/new\.txt is a file$/],
      ["nul\0name", /NUL character/],
      ["x".repeat(300), /^name too long/],
      [`deep/er/${"x".repeat(300)}`, /^name too long/],
      [`${"y".repeat(300)}/f`, /^name too long/],
      [".", /is a folder/],
      ["", /path is empty/],
      ["..", /^path is outside the workspace: \.\.$/],
    ];
    for (const [path, words] of wrong) {
      for (const overwrite of [false, true]) {
        const result = await bench.call(writeTool, { path, content: "x", overwrite });
        assert.ok(result.isError, path);
        assert.match(result.text, words);
      }
    }
    assert.deepEqual(bench.paths(), ["a", "src"]);
  }));

Deno.test("links that lead outside are refused, there and back nothing is made", () =>
  onBench(async (bench) => {
    const { workspace, outside } = bench;
    Deno.mkdirSync(`${outside}/sub`);
    Deno.writeTextFileSync(`${outside}/keep`, "keep");
    Deno.symlinkSync(`${outside}/new.txt`, `${workspace}/n.txt`);
    Deno.symlinkSync(`../o/new.txt`, `${workspace}/relative`);
    Deno.symlinkSync(`${outside}/d/e`, `${workspace}/deep`);
    Deno.symlinkSync(`${outside}/sub`, `${workspace}/link`);
    Deno.symlinkSync(`${outside}/none`, `${workspace}/dangling`);
    Deno.symlinkSync(`${outside}/keep`, `${workspace}/keep`);
    Deno.symlinkSync("n.txt", `${workspace}/chain`);
    const paths = [
      "n.txt",
      "relative",
      "deep",
      "deep/f",
      "link/x.txt",
      "link/new/x.txt",
      "dangling/x.txt",
      "dangling",
      "keep",
      "keep/x",
      "chain",
    ];
    for (const path of paths) {
      for (const overwrite of [false, true]) {
        const result = await bench.call(writeTool, { path, content: "x", overwrite });
        assert.equal(result.text, `path is outside the workspace: ${path}`);
        assert.equal(result.code, "outside_workspace");
      }
    }
    assert.deepEqual(pathsBelow(outside).sort(), ["keep", "sub"]);
    assert.equal(Deno.readTextFileSync(`${outside}/keep`), "keep");
  }));

Deno.test("links inside are followed, and refused where they lead nowhere", () =>
  onBench(async (bench) => {
    const { workspace } = bench;
    Deno.mkdirSync(`${workspace}/real/deep`, { recursive: true });
    Deno.symlinkSync("real/deep/new.txt", `${workspace}/n.txt`);
    Deno.symlinkSync("real/deep", `${workspace}/link`);
    Deno.symlinkSync("loop", `${workspace}/loop`);
    Deno.symlinkSync("none/x", `${workspace}/lost`);
    for (const overwrite of [false, true]) {
      const nowhere = await bench.call(writeTool, { path: "n.txt", content: "1", overwrite });
      assert.match(
        nowhere.text,
        /^leads nowhere: n\.txt is a link to real\/deep\/new\.txt, which is missing; /,
      );
    }
    assert.deepEqual([...Deno.readDirSync(`${workspace}/real/deep`)], []);
    const made = await bench.call(writeTool, { path: "link/new.txt", content: "1" });
    assert.equal(made.isError, false, made.text);
    const through = await bench.call(writeTool, { path: "n.txt", content: "2", overwrite: true });
    assert.equal(headOf(through.text, "target"), "real/deep/new.txt");
    assert.equal(bench.text("real/deep/new.txt"), "2");
    assert.ok(Deno.lstatSync(`${workspace}/n.txt`).isSymlink);
    assert.ok((await bench.call(writeTool, { path: "n.txt", content: "3" })).isError);
    const loop = await bench.call(writeTool, { path: "loop", content: "x", overwrite: true });
    assert.match(loop.text, /^too many symbolic links: loop/);
    const lost = await bench.call(writeTool, { path: "lost", content: "x" });
    assert.match(lost.text, /^not found: /);
    assert.deepEqual(
      bench.paths().filter((path) => path.startsWith("real")),
      ["real", "real/deep", "real/deep/new.txt"],
    );
  }));

Deno.test("a .. goes back by the text of the path, for the check and the write alike", () =>
  onBench(async (bench) => {
    Deno.mkdirSync(`${bench.outside}/sub`);
    Deno.symlinkSync(`${bench.outside}/sub`, `${bench.workspace}/link`);
    for (const path of ["link/../x.txt", "none/../y.txt", "a/b/../z.txt"]) {
      const result = await bench.call(writeTool, { path, content: "1" });
      assert.equal(result.isError, false, result.text);
    }
    assert.deepEqual(bench.paths(), ["a", "a/z.txt", "link", "x.txt", "y.txt"]);
    assert.deepEqual(pathsBelow(bench.outside), ["sub"]);
  }));

Deno.test("special files are never written to", () =>
  onBench(async (bench) => {
    await new Deno.Command("mkfifo", { args: [`${bench.workspace}/p`] }).output();
    for (const overwrite of [false, true]) {
      const result = await bench.call(writeTool, { path: "p", content: "x", overwrite });
      assert.match(result.text, /is a FIFO/);
    }
    assert.ok(Deno.lstatSync(`${bench.workspace}/p`).isFifo);
  }));

Deno.test("the version of a large file is the one that a read of it gives", () =>
  onBench(async (bench) => {
    const content = "a line of text\n".repeat(1_200_000);
    for (const overwrite of [false, true]) {
      const made = await bench.call(writeTool, { path: "large", content, overwrite });
      assert.equal(made.isError, false, made.text);
      const read = await bench.call(readTool, { path: "large", end_line: 1 });
      assert.equal(headOf(read.text, "version"), headOf(made.text, "version"));
    }
  }));
