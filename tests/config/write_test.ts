import assert from "node:assert/strict";
import { join } from "node:path";
import { setUserSetting } from "../../src/config/write.ts";
import { RunFailure } from "../../src/core/failure.ts";
import { posix, testWhere } from "../support/test_where.ts";
import { withFolders } from "./folders.ts";

const modelOf = ["providers", "openai", "last_model"];

Deno.test("setting one key leaves the rest of the file as it was, secrets as references", async () => {
  await withFolders(async ({ home }) => {
    const path = join(home, "config.json");
    const before = [
      "\ufeff{",
      "  // my keys",
      '  "providers": {',
      '    "openai": { "api_key": "{env:K}", /* work */ "last_model": "old" },',
      "  },",
      '  "unknown": [1, 2,],',
      "}",
      "",
    ].join("\r\n");
    await Deno.writeTextFile(path, before);
    await setUserSetting(path, modelOf, "new");
    assert.equal(await Deno.readTextFile(path), before.replace("old", "new"));
  });
});

Deno.test("a missing key and its parents are added, and undefined removes", async () => {
  await withFolders(async ({ home }) => {
    const path = join(home, "config.json");
    await Deno.writeTextFile(path, '{\n  "default_model": "m" // keep\n}\n');
    await setUserSetting(path, modelOf, "x");
    const text = await Deno.readTextFile(path);
    assert.match(text, /"default_model": "m",? *\/\/ keep|"default_model": "m", ?/);
    assert.match(text, /keep/);
    assert.match(text, /"last_model": "x"/);
    await setUserSetting(path, modelOf, undefined);
    assert.doesNotMatch(await Deno.readTextFile(path), /last_model/);
  });
});

Deno.test("a missing file is made, with its folder", async () => {
  await withFolders(async ({ home }) => {
    const path = join(home, "new", "config.json");
    await setUserSetting(path, modelOf, "x");
    assert.deepEqual(JSON.parse(await Deno.readTextFile(path)), {
      providers: { openai: { last_model: "x" } },
    });
  });
});

testWhere(posix, "only its owner may read a file that is made", async () => {
  await withFolders(async ({ home }) => {
    const path = join(home, "new", "config.json");
    await setUserSetting(path, modelOf, "x");
    assert.equal((await Deno.stat(path)).mode! & 0o777, 0o600);
  });
});

Deno.test("mode and link stay, and an equal value writes nothing", async () => {
  await withFolders(async ({ home, root }) => {
    const target = join(root, "dotfiles.json"), path = join(home, "config.json");
    await Deno.writeTextFile(target, '{"default_model": "a"}');
    await Deno.chmod(target, 0o640);
    await Deno.symlink(target, path);
    await setUserSetting(path, ["default_model"], "b");
    assert((await Deno.lstat(path)).isSymlink);
    assert.equal(await Deno.readTextFile(target), '{"default_model": "b"}');
    const after = await Deno.stat(target);
    assert.equal(after.mode! & 0o777, 0o640);
    await setUserSetting(path, ["default_model"], "b");
    assert.equal((await Deno.stat(target)).ino, after.ino);
  });
});

Deno.test("a file that cannot be read is left alone", async () => {
  await withFolders(async ({ home }) => {
    const path = join(home, "config.json");
    for (const text of ["{ broken", "[]", '{"providers": 5}']) {
      await Deno.writeTextFile(path, text);
      await assert.rejects(setUserSetting(path, modelOf, "x"), (error) => {
        assert(error instanceof RunFailure && error.code === "config", String(error));
        assert(error.message.startsWith(path), error.message);
        return true;
      });
      assert.equal(await Deno.readTextFile(path), text);
    }
    const names = [...Deno.readDirSync(home)].map(({ name }) => name);
    assert.deepEqual(names, ["config.json"], "nothing is left behind");
  });
});
