import assert from "node:assert/strict";
import { changeDiff } from "../../src/changes/change_diff.ts";
import { withNotedChanges } from "./changes.ts";

Deno.test("changes of many turns are one diff, file by file", () =>
  withNotedChanges(async ({ log, edit, write, put }) => {
    put("b.txt", "one\ntwo\nthree\n");
    log.begin("first");
    await edit("b.txt", "two", "2");
    await write("a.txt", "new\n");
    log.begin("second");
    await edit("b.txt", "three", "3");
    assert.equal(
      await changeDiff(log),
      [
        "--- /dev/null",
        "+++ b/a.txt",
        "@@ -0,0 +1 @@",
        "+new",
        "--- a/b.txt",
        "+++ b/b.txt",
        "@@ -1,3 +1,3 @@",
        " one",
        "-two",
        "-three",
        "+2",
        "+3",
      ].join("\n"),
    );
  }));

Deno.test("what was changed back is no change, nor is what nothing changed", () =>
  withNotedChanges(async ({ log, edit, write, put }) => {
    assert.equal(await changeDiff(log), "");
    put("a.txt", "x\n");
    log.begin("p");
    await edit("a.txt", "x", "y");
    await edit("a.txt", "y", "x");
    await write("a.txt", "x\n");
    assert.equal(await changeDiff(log), "");
  }));

Deno.test("what another program changed in between is not shown as nimlet's", () =>
  withNotedChanges(async ({ log, edit, put }) => {
    put("a.txt", "1\n");
    log.begin("p");
    await edit("a.txt", "1", "2");
    put("a.txt", "2\nformatted\n");
    await edit("a.txt", "2", "3");
    const diff = await changeDiff(log);
    assert.equal(diff.match(/^--- a\/a\.txt$/gm)?.length, 2, diff);
    assert.doesNotMatch(diff, /^\+formatted/m);
  }));

Deno.test("what cannot be shown is named with the reason", () =>
  withNotedChanges(async ({ log, write, put }) => {
    put("binary", Uint8Array.of(0xff, 0, 1));
    put("ends", "a\nb\n");
    log.begin("p");
    await write("binary", "text\n");
    await write("ends", "a\r\nb\r\n");
    await write("empty", "");
    const diff = await changeDiff(log);
    assert.match(diff, /\+\+\+ b\/binary\n\[not shown: not UTF-8 text\]/);
    assert.match(diff, /\+\+\+ b\/ends\n\[not shown: line ends /);
    assert.match(diff, /--- \/dev\/null\n\+\+\+ b\/empty\n\[an empty file\]/);
  }));
