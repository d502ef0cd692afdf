import assert from "node:assert/strict";
import { plannedUndo, undo } from "../../src/changes/undo.ts";
import { changeDiff } from "../../src/changes/change_diff.ts";
import { withNotedChanges } from "./changes.ts";

Deno.test("the last turn's files get back what they held, new ones go with their folders", () =>
  withNotedChanges(async ({ log, bounds, edit, write, put, text }) => {
    put("a.txt", "one\r\ntwo\r\n");
    Deno.chmodSync(`${bounds.workspace}/a.txt`, 0o751);
    log.begin("before");
    await edit("a.txt", "one", "1");
    log.begin("make things\nof all kinds");
    await edit("a.txt", "two", "2");
    await edit("a.txt", "2", "zwei");
    await write("deep/er/new.txt", "new\n");
    const planned = await plannedUndo(log, bounds);
    assert.deepEqual(planned, {
      prompt: "make things of all kinds",
      files: [{ path: "a.txt", action: "restore" }, { path: "deep/er/new.txt", action: "remove" }],
      kept: [],
    });
    assert.equal(text("a.txt"), "1\r\nzwei\r\n");
    assert.deepEqual(await undo(log, bounds), planned);
    assert.equal(text("a.txt"), "1\r\ntwo\r\n");
    assert.equal(Deno.statSync(`${bounds.workspace}/a.txt`).mode! & 0o777, 0o751);
    assert.deepEqual([...Deno.readDirSync(bounds.workspace)].map(({ name }) => name), ["a.txt"]);
    assert.equal((await undo(log, bounds))?.prompt, "before");
    assert.equal(text("a.txt"), "one\r\ntwo\r\n");
    assert.equal(await undo(log, bounds), undefined);
    assert.equal(await changeDiff(log), "");
  }));

Deno.test("files that are not as nimlet left them stay, each with the reason", () =>
  withNotedChanges(async ({ log, bounds, edit, write, put, text }) => {
    for (const name of ["changed", "gone", "folder", "fine", "between"]) put(name, "old\n");
    log.begin("p");
    for (const name of ["changed", "gone", "folder", "fine", "between"]) {
      await edit(name, "old", "new");
    }
    await write("grown", "new\n");
    put("between", "by a command\n");
    await edit("between", "by", "by by");
    put("changed", "by hand\n");
    put("grown", "new\nmore\n");
    Deno.removeSync(`${bounds.workspace}/gone`);
    Deno.removeSync(`${bounds.workspace}/folder`);
    Deno.mkdirSync(`${bounds.workspace}/folder`);
    const done = await undo(log, bounds);
    assert.deepEqual(done?.files, [
      { path: "fine", action: "restore" },
      { path: "between", action: "restore" },
    ]);
    assert.deepEqual(Object.fromEntries(done!.kept.map(({ path, reason }) => [path, reason])), {
      changed: "changed since",
      gone: "it is gone",
      folder: "something else has its name",
      grown: "changed since",
      between: "an earlier change of it, as something else changed it after that",
    });
    assert.equal(text("changed"), "by hand\n");
    assert.equal(text("grown"), "new\nmore\n");
    assert.equal(text("fine"), "old\n");
    assert.equal(text("between"), "by a command\n");
    assert.equal(await plannedUndo(log, bounds), undefined);
    assert.match(await changeDiff(log), /b\/changed/);
  }));

Deno.test("a folder that holds something else stays", () =>
  withNotedChanges(async ({ log, bounds, write, put, text }) => {
    log.begin("p");
    await write("made/new.txt", "new\n");
    put("made/mine.txt", "mine\n");
    await undo(log, bounds);
    assert.deepEqual([...Deno.readDirSync(`${bounds.workspace}/made`)].map(({ name }) => name), [
      "mine.txt",
    ]);
    assert.equal(text("made/mine.txt"), "mine\n");
  }));

Deno.test("a link that took a file's place is not followed, nor removed", () =>
  withNotedChanges(async ({ log, bounds, write, put, text }) => {
    put("mine.txt", "new\n");
    log.begin("p");
    await write("new.txt", "new\n");
    Deno.removeSync(`${bounds.workspace}/new.txt`);
    Deno.symlinkSync("mine.txt", `${bounds.workspace}/new.txt`);
    const done = await undo(log, bounds);
    assert.deepEqual(done?.files, []);
    assert.deepEqual(done?.kept, [{ path: "new.txt", reason: "something else has its name" }]);
    assert.equal(text("mine.txt"), "new\n");
    assert.ok(Deno.lstatSync(`${bounds.workspace}/new.txt`).isSymlink);
  }));

Deno.test("a file that was written through a link is taken back where it lies", () =>
  withNotedChanges(async ({ log, bounds, edit, put, text }) => {
    put("real.txt", "old\n");
    Deno.symlinkSync("real.txt", `${bounds.workspace}/link.txt`);
    log.begin("p");
    await edit("link.txt", "old", "new");
    assert.deepEqual((await undo(log, bounds))?.files, [{ path: "link.txt", action: "restore" }]);
    assert.equal(text("real.txt"), "old\n");
    assert.ok(Deno.lstatSync(`${bounds.workspace}/link.txt`).isSymlink);
  }));
