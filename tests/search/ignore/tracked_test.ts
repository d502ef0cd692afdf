import assert from "node:assert/strict";
import { join } from "node:path";
import { trackedPaths } from "../../../src/search/ignore/tracked.ts";
import { installed, testWhere } from "../../support/test_where.ts";
import { withWorkspace } from "../../support/tool_context.ts";
import { writeTree } from "../tree.ts";

const git = installed("git");

function runGit(folder: string, ...args: string[]): void {
  const { success, stderr } = new Deno.Command("git", {
    args: ["-C", folder, "-c", "protocol.file.allow=always", ...args],
    env: {
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_CONFIG_GLOBAL: "/dev/null",
      GIT_AUTHOR_NAME: "a",
      GIT_AUTHOR_EMAIL: "a@b",
      GIT_COMMITTER_NAME: "a",
      GIT_COMMITTER_EMAIL: "a@b",
    },
  }).outputSync();
  assert.ok(success, `git ${args.join(" ")}: ${new TextDecoder().decode(stderr)}`);
}

const tracked = [
  "a.txt",
  "a/b.txt",
  "a/bc/d.txt",
  "a-b/x",
  "out/keep.txt",
  "out.log",
  "üñí/ç.txt",
  `${"deep/".repeat(60)}file`,
  "z",
];
const others = ["a/c.txt", "b", "out/other.txt", "a/b", "a/b.tx", "zz", "dee", "deep/deep"];

function check(root: string): void {
  const paths = trackedPaths(root)!;
  for (const path of tracked) assert.ok(paths.has(join(root, path)), path);
  for (const path of others) assert.ok(!paths.has(join(root, path)), path);
  for (const folder of ["a", "a/bc", "a-b", "out", "üñí", "deep/deep"]) {
    assert.ok(paths.hasBelow(join(root, folder)), folder);
  }
  for (const folder of ["b", "a/b", "a/b.txt", "ou", "a.txt", "zzz"]) {
    assert.ok(!paths.hasBelow(join(root, folder)), folder);
  }
}

for (
  const [form, init, version] of [["sha1", [], 2], ["sha1", [], 4], ["sha256", [
    "--object-format=sha256",
  ], 2], ["sha256", ["--object-format=sha256"], 4]] as const
) {
  testWhere(
    git,
    `the names in an index of version ${version} with ${form}`,
    () =>
      withWorkspace(async (root) => {
        runGit(root, "init", "-q", ...init);
        await writeTree(
          root,
          Object.fromEntries([...tracked, ...others.slice(0, 3)].map((path) => [path, "x"])),
        );
        runGit(root, "add", "--", ...tracked);
        runGit(root, "add", "-N", "--", "z");
        runGit(root, "update-index", "--index-version", String(version));
        check(root);
      }),
  );
}

testWhere(
  git,
  "the index of a linked worktree and of a submodule is its own",
  () =>
    withWorkspace(async (root) => {
      const top = join(root, "top"), sub = join(root, "sub");
      await writeTree(root, { "top/one": "1", "sub/two": "2" });
      for (const folder of [top, sub]) {
        runGit(folder, "init", "-q");
        runGit(folder, "add", ".");
        runGit(folder, "commit", "-qm", "x");
      }
      runGit(top, "worktree", "add", "-q", join(root, "linked"));
      await writeTree(root, { "linked/three": "3" });
      runGit(join(root, "linked"), "add", ".");
      const linked = trackedPaths(join(root, "linked"))!;
      assert.deepEqual(
        ["one", "three"].map((name) => linked.has(join(root, "linked", name))),
        [true, true],
      );
      assert.ok(!trackedPaths(top)!.has(join(top, "three")));
      runGit(top, "submodule", "add", "-q", sub, "module");
      const module = trackedPaths(join(top, "module"))!;
      assert.ok(module.has(join(top, "module", "two")));
      assert.ok(!module.has(join(top, "module", "one")));
    }),
);

Deno.test("what is no index tells nothing, and is read to its end only once", () =>
  withWorkspace(async (root) => {
    const entry = new Uint8Array(12);
    new DataView(entry.buffer).setUint32(0, 0x44495243);
    new DataView(entry.buffer).setUint32(4, 2);
    new DataView(entry.buffer).setUint32(8, 0xffffffff);
    const cases = ["", "DIRC", "text that is no index at all", entry, new Uint8Array(5000)];
    for (const content of cases) {
      await writeTree(root, { ".git/index": content });
      assert.equal(trackedPaths(root), undefined);
    }
    await Deno.remove(`${root}/.git`, { recursive: true });
    assert.equal(trackedPaths(root), undefined);
  }));
