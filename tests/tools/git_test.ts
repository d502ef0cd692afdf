import assert from "node:assert/strict";
import { gitTool } from "../../src/tools/git.ts";
import type { JsonObject } from "../../src/core/json.ts";
import { callTool, toolContext } from "../support/tool_context.ts";
import { makeRepository, withRepository } from "./git_repository.ts";

Deno.test("the default operation is status, and each operation shows what it should", () =>
  withRepository(async (repository) => {
    await repository.write("a.txt", "two\n");
    await repository.write("new.txt", "");
    assert.equal(
      (await repository.call({})).text,
      "operation: status\n\n## main\n M a.txt\n?? new.txt\n",
    );
    assert.match((await repository.call({ operation: "diff" })).text, /-one\n\+two\n/);
    assert.match((await repository.call({ operation: "diff", commit: "HEAD" })).text, /\+two\n/);
    assert.match((await repository.call({ operation: "log" })).text, /Author: +Ann[^]+ {4}first\n/);
    assert.match((await repository.call({ operation: "show" })).text, /first[^]+\+one\n/);
    assert.match(
      (await repository.call({ operation: "show", commit: "HEAD:a.txt" })).text,
      /\n\none\n$/,
    );
    assert.match(
      (await repository.call({ operation: "blame", path: "a.txt" })).text,
      /Not Committed Yet.*two/,
    );
    assert.match((await repository.call({ operation: "diff", path: "new.txt" })).text, /no output/);
  }));

Deno.test("limit counts log entries, 20 where none is given, between 1 and 100", () =>
  withRepository(async (repository) => {
    for (let i = 0; i < 104; i++) {
      await repository.git("commit", "-q", "--allow-empty", "-m", `commit ${i}`);
    }
    const count = async (input: JsonObject) =>
      (await repository.call({ operation: "log", ...input })).text.match(/^commit /gm)?.length;
    assert.equal(await count({}), 20);
    assert.equal(await count({ limit: 3 }), 3);
    assert.equal(await count({ limit: "3" }), 3);
    assert.equal(await count({ limit: 0 }), 1);
    assert.equal(await count({ limit: -7 }), 1);
    assert.equal(await count({ limit: 1e9 }), 100);
    assert.equal(await count({ commit: "HEAD~3..HEAD" }), 3);
  }));

Deno.test("neither commit nor path reaches git as an option", () =>
  withRepository(async (repository) => {
    const outside = `${repository.root}/outside`;
    await Deno.mkdir(outside);
    const values = [
      `--output=${outside}/f`,
      "--output",
      `-O${outside}/f`,
      "--no-index",
      "-c",
      `alias.x=!touch ${repository.mark}`,
      `--exec-path=${outside}`,
      "--ext-diff",
      "--stdin",
    ];
    for (const operation of ["diff", "log", "show", "blame", "status"]) {
      for (const value of values) {
        await repository.call({ operation, path: value });
        const result = await repository.call({ operation, commit: value, path: "a.txt" });
        if (operation !== "status") assert.equal(result.isError, true, `${operation} ${value}`);
      }
    }
    assert.deepEqual([...Deno.readDirSync(outside)], []);
    assert.equal(await repository.sprung(), false);
  }));

Deno.test("a revision longer than any is refused before git is asked", () =>
  withRepository(async (repository) => {
    const result = await repository.call({ operation: "show", commit: "{".repeat(100_000) });
    assert.match(
      result.text,
      /^invalid_arguments: commit: expected at most 4096 characters, found /,
    );
  }));

Deno.test("a path with pathspec magic is a name", () =>
  withRepository(async (repository) => {
    await repository.write(":(glob)*", "x\n");
    await repository.write("b.txt", "x\n");
    const { text } = await repository.call({ path: ":(glob)*" });
    assert.match(text, /\(glob\)/);
    assert.doesNotMatch(text, /b\.txt/);
  }));

Deno.test("paths outside the workspace are refused, by text, by link and by revision", () =>
  withRepository(async (repository) => {
    await Deno.mkdir(`${repository.root}/outside`);
    await Deno.symlink(`${repository.root}/outside`, `${repository.workspace}/link`);
    await Deno.symlink(`${repository.root}/missing`, `${repository.workspace}/dangling`);
    for (const path of ["/etc/passwd", "../outside", "a/../../x", "link", "link/x", "dangling"]) {
      for (const operation of ["status", "log", "diff", "show", "blame"]) {
        const { text, isError } = await repository.call({ operation, path });
        assert.equal(isError, true);
        assert.equal(text, `path is outside the workspace: ${path}`);
      }
    }
    const { text } = await repository.call({ operation: "show", commit: "HEAD:../x" });
    assert.equal(text, "path is outside the workspace: ../x");
  }));

Deno.test("a workspace below the top of a repository sees its own part", () =>
  withRepository(async (repository) => {
    await Deno.mkdir(`${repository.workspace}/sub`);
    await repository.write("sub/b.txt", "one\n");
    await repository.git("add", ".");
    await repository.git("commit", "-qm", "second");
    await repository.write("sub/b.txt", "two\n");
    await repository.write("a.txt", "two\n");
    const context = toolContext(`${repository.workspace}/sub`);
    const call = (input: JsonObject) => callTool(gitTool, input, context);
    assert.match((await call({})).text, /^ M b\.txt\n$/m);
    assert.doesNotMatch((await call({})).text, /a\.txt/);
    assert.match((await call({ operation: "diff" })).text, /^diff --git a\/b\.txt b\/b\.txt$/m);
    assert.doesNotMatch((await call({ operation: "diff" })).text, /a\.txt/);
    assert.match((await call({ operation: "show", commit: "HEAD:b.txt" })).text, /one/);
    assert.match((await call({ operation: "blame", path: "b.txt" })).text, /two/);
    assert.match((await call({ operation: "show", commit: "HEAD~1" })).text, /first/);
  }));

Deno.test("names and texts that are not UTF-8 give valid text, and names stay apart", () =>
  withRepository(async (repository) => {
    const script = `printf '\\351\\n' > "$(printf 'f\\351.txt')"; printf x > 'a
b'; printf x > 'q"q'; printf x > 漢.txt; git add .; git commit -qm names
git mv 'q"q' 'r"r'; printf '\\350\\n' > "$(printf 'f\\351.txt')"
id=$(git cat-file commit HEAD | sed "s/^names/$(printf 'caf\\351')/" |
  LC_ALL=C git hash-object -t commit -w --stdin); git update-ref HEAD "$id"`;
    const name = { GIT_AUTHOR_NAME: "A", GIT_AUTHOR_EMAIL: "a@b.c" };
    await new Deno.Command("bash", {
      args: ["-c", script],
      cwd: repository.workspace,
      env: { ...name, GIT_COMMITTER_NAME: "A", GIT_COMMITTER_EMAIL: "a@b.c", LC_ALL: "C" },
      stdin: "null",
    }).output();
    const status = (await repository.call({})).text;
    assert.match(status, /"f\\351\.txt"/);
    assert.match(status, /R {2}"q\\"q" -> "r\\"r"/);
    // No tool can open such a name: git is shown copies, and this one cannot be made.
    const diff = (await repository.call({ operation: "diff" })).text;
    assert.match(diff, /^\[not compared, .* opened by a tool: "f\ufffd\.txt"\]$/m);
    const log = await repository.call({ operation: "log", limit: 1 });
    assert.match(log.text, /encoding: .*\n[^]+caf\ufffd/);
    assert.ok(log.text.isWellFormed());
    const shown = (await repository.call({ operation: "show" })).text;
    assert.match(shown, /"a\/a\\nb"/);
    await repository.write("漢字.txt", "");
    assert.match((await repository.call({ path: "漢字.txt" })).text, /\?\? 漢字\.txt/);
  }));

Deno.test("variables of a hook do not lead to another repository", () =>
  withRepository(async (repository) => {
    const other = `${repository.root}/other`;
    await repository.git("init", "-q", "-b", "elsewhere", other);
    const { text } = await repository.call({}, {
      GIT_DIR: `${other}/.git`,
      GIT_WORK_TREE: other,
      GIT_INDEX_FILE: `${other}/.git/index`,
      GIT_CONFIG_COUNT: "1",
      GIT_CONFIG_KEY_0: "core.fsmonitor",
      GIT_CONFIG_VALUE_0: `touch ${repository.mark}`,
      GIT_CONFIG_PARAMETERS: `'core.fsmonitor=touch ${repository.mark}'`,
    });
    assert.equal(text, "operation: status\n\n## main\n");
    assert.equal(await repository.sprung(), false);
  }));

Deno.test("core.worktree does not show files outside the workspace", () =>
  withRepository(async (repository) => {
    const outside = `${repository.root}/outside`;
    await Deno.mkdir(outside);
    await Deno.writeTextFile(`${outside}/a.txt`, "secret\n");
    await repository.git("config", "core.worktree", outside);
    assert.match(await repository.git("diff"), /secret/);
    assert.doesNotMatch((await repository.call({ operation: "diff" })).text, /secret/);
    assert.equal((await repository.call({})).text, "operation: status\n\n## main\n");
  }));

Deno.test("linked worktrees and submodules are the workspace's own, other links are not", () =>
  withRepository(async (repository) => {
    const linked = `${repository.root}/linked`, fake = `${repository.root}/fake`;
    await repository.git("worktree", "add", "-q", "-b", "side", linked);
    const status = async (folder: string) =>
      (await callTool(gitTool, {}, { ...repository.context, workspace: folder })).text;
    assert.equal(await status(linked), "operation: status\n\n## side\n");
    await repository.git(
      "-c",
      "protocol.file.allow=always",
      "submodule",
      "add",
      "-q",
      linked,
      "sub",
    );
    assert.equal(
      await status(`${repository.workspace}/sub`),
      "operation: status\n\n## side...origin/side\n",
    );

    await Deno.mkdir(fake);
    await Deno.writeTextFile(`${fake}/.git`, `gitdir: ${repository.workspace}/.git\n`);
    assert.match(await status(fake), /^path is outside the workspace: /);
    await Deno.remove(`${fake}/.git`);
    await Deno.symlink(`${repository.workspace}/.git`, `${fake}/.git`);
    assert.match(await status(fake), /^path is outside the workspace: /);
    await Deno.remove(`${fake}/.git`);
    await Deno.mkdir(`${fake}/.git`);
    await Deno.writeTextFile(`${fake}/.git/HEAD`, "ref: refs/heads/main\n");
    await Deno.writeTextFile(`${fake}/.git/commondir`, `${repository.workspace}/.git\n`);
    assert.match(await status(fake), /^path is outside the workspace: /);
  }));

Deno.test("no repository, no commits and no git are plain errors", async () => {
  const root = await Deno.realPath(await Deno.makeTempDir({ prefix: "nimlet-git-" }));
  try {
    const repository = await makeRepository(root);
    const none = await repository.call({});
    assert.equal(none.isError, true);
    assert.equal(none.text, "the workspace is not in a git repository");
    await repository.git("init", "-q", "-b", "main");
    assert.match((await repository.call({})).text, /## No commits yet on main/);
    const log = await repository.call({ operation: "log" });
    assert.equal(log.isError, true);
    assert.match(
      log.text,
      /^git log failed \(exit code 128\): your current branch 'main' does not/,
    );
    assert.equal((await repository.call({ operation: "blame" })).isError, true);

    const { host } = repository.context;
    const env = { ...host.env, get: (name: string) => name === "PATH" ? root : host.env.get(name) };
    const without = await callTool(gitTool, {}, {
      ...repository.context,
      host: { ...host, env: { ...env, home: undefined, cwd: root } },
    });
    assert.equal(without.text, "git is not available: no git program was found on PATH");
  } finally {
    await Deno.remove(root, { recursive: true });
  }
});

Deno.test("a bare repository shows its history, and says that it has no files", () =>
  withRepository(async (repository) => {
    const bare = `${repository.root}/bare`;
    await repository.git("clone", "-q", "--bare", repository.workspace, bare);
    const call = (input: JsonObject) =>
      callTool(gitTool, input, { ...repository.context, workspace: bare });
    assert.match((await call({ operation: "log" })).text, /first/);
    assert.match((await call({ operation: "show" })).text, /\+one/);
    for (const operation of ["status", "diff", "blame"]) {
      const { text, isError } = await call({ operation, path: "a.txt" });
      assert.equal(isError, true);
      assert.equal(text, "the repository is bare: only log and show work in it");
    }
  }));

Deno.test("a failure is one line in git's own words", () =>
  withRepository(async (repository) => {
    const { text } = await repository.call({ operation: "log", commit: "nope" });
    assert.equal(text, "git log failed (exit code 128): bad revision 'nope'");
    const blame = await repository.call({ operation: "blame", path: "nope" });
    assert.equal(blame.text, "git blame failed (exit code 128): no such path 'nope' in HEAD");
  }));

Deno.test("nothing of the repository is written, and a lock on it is no hindrance", () =>
  withRepository(async (repository) => {
    await repository.git("config", "core.untrackedCache", "true");
    await repository.git("config", "core.splitIndex", "true");
    await repository.write("b.txt", "");
    await Deno.utime(`${repository.workspace}/a.txt`, 1000, 1000);
    await Deno.writeTextFile(`${repository.workspace}/.git/index.lock`, "");
    const before = await contents(`${repository.workspace}/.git`);
    for (const operation of ["status", "diff", "log", "show", "blame"]) {
      const { isError, text } = await repository.call({ operation, path: "a.txt" });
      assert.equal(isError, false, text);
    }
    assert.deepEqual(await contents(`${repository.workspace}/.git`), before);
    await Deno.remove(`${repository.workspace}/.git/index.lock`);
    for (const operation of ["status", "diff"]) await repository.call({ operation });
    const after = await contents(`${repository.workspace}/.git`);
    assert.deepEqual(after, before.filter(([path]) => !path.endsWith("index.lock")));
  }));

Deno.test("a git that lies in the workspace is not the one that is run", () =>
  withRepository(async (repository) => {
    await repository.write("git", `#!/bin/sh\ntouch ${repository.mark}\n`);
    await Deno.chmod(`${repository.workspace}/git`, 0o755);
    const { host } = repository.context;
    const path = `.::${repository.workspace}:${host.env.get("PATH")}`;
    const env = { ...host.env, get: (name: string) => name === "PATH" ? path : host.env.get(name) };
    const result = await callTool(gitTool, {}, {
      ...repository.context,
      childEnv: { ...repository.context.childEnv, PATH: path },
      host: { ...host, env: { ...env, home: undefined, cwd: repository.workspace } },
    });
    assert.match(result.text, /\?\? git/);
    assert.equal(await repository.sprung(), false);
  }));

Deno.test("huge diffs and logs are cut at the limit and end early", () =>
  withRepository(async (repository) => {
    await repository.write("a.txt", "漢字\n".repeat(1_000_000));
    const context = { ...repository.context, limits: { maxOutputBytes: 10_000 } };
    const { text, isError } = await callTool(gitTool, { operation: "diff" }, context);
    assert.equal(isError, false);
    assert.ok(new TextEncoder().encode(text).length < 10_200);
    assert.match(text, /\[output cut after 10000 bytes; narrow it with path, commit or limit\]$/);
    assert.ok(!text.includes("\ufffd"));
  }));

Deno.test("a running look is ended by an interrupt", () =>
  withRepository(async (repository) => {
    const pipe = `${repository.root}/pipe`;
    await new Deno.Command("mkfifo", { args: [pipe] }).output();
    await repository.git("config", "include.path", pipe);
    const context = { ...repository.context, signal: AbortSignal.timeout(200) };
    const { text } = await callTool(gitTool, {}, context);
    assert.match(text, /^INTERRUPTED \(/);
  }));

/** Paths of all files below `folder`, with their content as text. */
async function contents(folder: string): Promise<[path: string, content: string][]> {
  const found: [string, string][] = [];
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    const path = `${folder}/${name}`;
    if (isDirectory) found.push(...await contents(path));
    else found.push([path, new TextDecoder("latin1").decode(await Deno.readFile(path))]);
  }
  return found.sort(([a], [b]) => a < b ? -1 : 1);
}
