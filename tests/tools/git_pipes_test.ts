import assert from "node:assert/strict";
import { linux, posix, testWhere } from "../support/test_where.ts";
import { withRepository } from "./git_repository.ts";

async function mkfifo(path: string): Promise<void> {
  await Deno.mkdir(path.slice(0, path.lastIndexOf("/")), { recursive: true });
  const { success } = await new Deno.Command("mkfifo", { args: [path] }).output();
  assert.ok(success);
}

testWhere(
  posix,
  "a pipe among the files that git reads is named before git is asked",
  () =>
    withRepository(async (repository) => {
      for (const path of [".gitignore", ".gitattributes", ".git/info/exclude"]) {
        const full = `${repository.workspace}/${path}`;
        await Deno.remove(full).catch(() => {});
        await mkfifo(full);
        const startMs = performance.now();
        const { text, isError } = await repository.call({});
        assert.ok(isError);
        assert.equal(text, `git would wait for ${path}: it is a pipe, not a file`);
        assert.ok(performance.now() - startMs < 5000);
        await Deno.remove(full);
      }
    }),
);

testWhere(
  linux,
  "a git that waits for a pipe further inside is ended, long before its time is up",
  () =>
    withRepository(async (repository) => {
      await mkfifo(`${repository.workspace}/deep/inside/.gitignore`);
      await repository.write("deep/inside/x", "");
      const { text, isError } = await repository.call({});
      assert.ok(isError);
      assert.match(text, /^git was ended, as it did nothing for 5 s: /);
    }),
);
