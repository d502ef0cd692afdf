import assert from "node:assert/strict";
import { gitTool } from "../../src/tools/git.ts";
import { callTool, toolContext } from "../support/tool_context.ts";
import { assertHarmless, type TestRepository, withRepository } from "./git_repository.ts";

/** Makes git look at the file's content, not only at its times. */
function touched(repository: TestRepository, content = "two\n") {
  let count = 0;
  return async () => {
    await repository.write("a.txt", content);
    await Deno.utime(`${repository.workspace}/a.txt`, 1000 + ++count, 1000 + count);
  };
}

Deno.test("a file system monitor is not run", () =>
  withRepository(async (repository) => {
    await repository.write("a.txt", "two\n");
    await repository.git("config", "core.fsmonitor", `touch ${repository.mark}; false`);
    await assertHarmless(repository, ["status"], { operation: "status" }, / M a\.txt/);
    await assertHarmless(repository, ["diff"], { operation: "diff" }, /\+two/);
  }));

Deno.test("text conversions are not run by diff, show, log and blame", () =>
  withRepository(async (repository) => {
    await repository.write(".gitattributes", "*.txt diff=d\n");
    await repository.git("add", ".");
    await repository.write("a.txt", "two\n");
    await repository.git("commit", "-qam", "second");
    await repository.git("config", "diff.d.textconv", `touch ${repository.mark}; cat`);
    await repository.write("a.txt", "three\n");
    await assertHarmless(repository, ["diff"], { operation: "diff" }, /\+three/);
    await assertHarmless(repository, ["show"], { operation: "show" }, /\+two/);
    await assertHarmless(repository, ["log", "-p"], { operation: "log" }, /second/);
    await assertHarmless(
      repository,
      ["blame", "a.txt"],
      { operation: "blame", path: "a.txt" },
      /three/,
    );
    await assertHarmless(
      repository,
      ["show", "--textconv", "HEAD:a.txt"],
      { operation: "show", commit: "HEAD:a.txt" },
      /two/,
    );
  }));

Deno.test("external diffs are not run, whoever names them", () =>
  withRepository(async (repository) => {
    await repository.write(".gitattributes", "*.txt diff=d\n");
    await repository.write("a.txt", "two\n");
    await repository.git("config", "diff.d.command", `touch ${repository.mark}; :`);
    await assertHarmless(repository, ["diff"], { operation: "diff" }, /\+two/);
    await repository.git("config", "--unset", "diff.d.command");
    await repository.git("config", "diff.external", `touch ${repository.mark}; :`);
    await assertHarmless(repository, ["diff"], { operation: "diff" }, /\+two/);
    await repository.git("config", "--unset", "diff.external");
    const result = await repository.call({ operation: "diff" }, {
      GIT_EXTERNAL_DIFF: `touch ${repository.mark}; :`,
    });
    assert.match(result.text, /\+two/);
    assert.equal(await repository.sprung(), false);
  }));

Deno.test("signatures are not checked by log and show", () =>
  withRepository(async (repository) => {
    const program = `${repository.root}/gpg.sh`;
    await Deno.writeTextFile(program, `#!/bin/sh\ntouch ${repository.mark}\nexit 1\n`);
    await Deno.chmod(program, 0o755);
    const commit = (await repository.git("cat-file", "commit", "HEAD")).replace(
      "\n\n",
      "\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n aaaa\n -----END PGP SIGNATURE-----\n\n",
    );
    await Deno.writeTextFile(`${repository.root}/commit`, commit);
    const id = await repository.git(
      "hash-object",
      "-t",
      "commit",
      "-w",
      `${repository.root}/commit`,
    );
    await repository.git("update-ref", "HEAD", id.trim());
    await repository.git("config", "log.showSignature", "true");
    await repository.git("config", "gpg.program", program);
    await assertHarmless(repository, ["log"], { operation: "log" }, /first/);
    await assertHarmless(repository, ["show"], { operation: "show" }, /first/);
    await repository.git("config", "format.pretty", "format:%G? %s");
    await repository.git("config", "--unset", "log.showSignature");
    await assertHarmless(repository, ["log"], { operation: "log" }, /first/);
  }));

for (const kind of ["clean", "process"]) {
  Deno.test(`${kind} filters are not run by status, diff and blame`, () =>
    withRepository(async (repository) => {
      await repository.write(".gitattributes", "*.txt filter=f\n");
      const command = `touch ${repository.mark}; ${kind === "clean" ? "cat" : "false"}`;
      await repository.git("config", `filter.f.${kind}`, command);
      await repository.git("config", "filter.f.required", "true");
      const touch = touched(repository);
      await assertHarmless(repository, ["status"], {}, / M a\.txt/, touch);
      await assertHarmless(repository, ["diff"], { operation: "diff" }, /\+two/, touch);
      await assertHarmless(
        repository,
        ["blame", "a.txt"],
        { operation: "blame", path: "a.txt" },
        /two/,
        touch,
      );
    }));
}

Deno.test("filters of included files and with odd names are not run either", () =>
  withRepository(async (repository) => {
    await repository.write(".gitattributes", "*.txt filter=Big.name\n");
    await Deno.writeTextFile(
      `${repository.root}/more`,
      `[filter "Big.name"]\n\tclean = "touch ${repository.mark}; cat"\n`,
    );
    await repository.git("config", "include.path", `${repository.root}/more`);
    await assertHarmless(repository, ["status"], {}, / M a\.txt/, touched(repository));
    await repository.git("config", "--unset", "include.path");
    await repository.write(".gitattributes", "*.txt filter=a=b\n");
    await repository.git("config", "filter.a=b.clean", `touch ${repository.mark}; cat`);
    await touched(repository)();
    const result = await repository.call({});
    assert.equal(await repository.sprung(), false);
    assert.match(result.text, /filter that cannot be switched off/);
  }));

Deno.test("hooks and pagers are not run", () =>
  withRepository(async (repository) => {
    const hook = `${repository.workspace}/.git/hooks/post-index-change`;
    await Deno.writeTextFile(hook, `#!/bin/sh\ntouch ${repository.mark}\n`);
    await Deno.chmod(hook, 0o755);
    await assertHarmless(
      repository,
      ["status"],
      {},
      /## main/,
      touched(repository, "one\n"),
    );
    await repository.git("config", "core.pager", `touch ${repository.mark}; cat`);
    await repository.git("config", "pager.log", `touch ${repository.mark}; cat`);
    const result = await repository.call({ operation: "log" }, {
      GIT_PAGER: "less",
      PAGER: "less",
    });
    assert.match(result.text, /first/);
    assert.equal(await repository.sprung(), false);
  }));

Deno.test("colours and columns stay off, whatever is configured", () =>
  withRepository(async (repository) => {
    await repository.write("a.txt", "two\n");
    for (const key of ["color.ui", "color.status", "color.diff", "column.ui", "column.status"]) {
      await repository.git("config", key, "always");
    }
    await repository.git("config", "blame.coloring", "highlightRecent");
    for (
      const input of [{}, { operation: "diff" }, { operation: "log" }, { operation: "show" }, {
        operation: "blame",
        path: "a.txt",
      }] as { operation?: string; path?: string }[]
    ) assert.ok(!(await repository.call(input)).text.includes("\x1b"), input.operation!);
  }));

Deno.test("a submodule's own settings run nothing", () =>
  withRepository(async (repository) => {
    const inner = `${repository.root}/inner`;
    await repository.git("clone", "-q", repository.workspace, inner);
    await repository.git(
      "-c",
      "protocol.file.allow=always",
      "submodule",
      "add",
      "-q",
      inner,
      "sub",
    );
    await repository.git("commit", "-qm", "with submodule");
    await repository.git(
      "-C",
      "sub",
      "config",
      "core.fsmonitor",
      `touch ${repository.mark}; false`,
    );
    await repository.git("config", "status.submoduleSummary", "true");
    await repository.git("config", "diff.submodule", "diff");
    const change = () => Deno.writeTextFile(`${repository.workspace}/sub/a.txt`, "two\n");
    await assertHarmless(repository, ["status"], {}, /## main/, change);
    await assertHarmless(repository, ["diff"], { operation: "diff" }, /operation/, change);
  }));

Deno.test("missing objects are not fetched", () =>
  withRepository(async (repository) => {
    const clone = `${repository.root}/clone`;
    await repository.git("config", "uploadpack.allowFilter", "true");
    await repository.git(
      "clone",
      "-q",
      "--no-checkout",
      "--filter=blob:none",
      `file://${repository.workspace}`,
      clone,
    );
    const trap = `${repository.root}/upload.sh`;
    await Deno.writeTextFile(trap, `#!/bin/sh\ntouch ${repository.mark}\nexit 1\n`);
    await Deno.chmod(trap, 0o755);
    await repository.git("-C", clone, "config", "remote.origin.uploadpack", trap);
    await repository.git("-C", clone, "config", "protocol.file.allow", "always");
    await repository.git("-C", clone, "show");
    assert.ok(await repository.sprung());
    for (const operation of ["show", "diff", "log"]) {
      await callTool(gitTool, { operation, commit: "HEAD" }, toolContext(clone));
      assert.equal(await repository.sprung(), false);
    }
  }));

Deno.test("a merge driver is not run to show a merge", () =>
  withRepository(async (repository) => {
    await repository.write(".gitattributes", "*.txt merge=m\n");
    await repository.git("add", ".");
    await repository.git("commit", "-qm", "attributes");
    await repository.git("checkout", "-qb", "side");
    await repository.write("a.txt", "side\n");
    await repository.git("commit", "-qam", "side");
    await repository.git("checkout", "-q", "main");
    await repository.write("a.txt", "main\n");
    await repository.git("commit", "-qam", "main");
    await repository.git("merge", "-q", "-s", "ours", "side");
    await repository.git("config", "merge.m.driver", `touch ${repository.mark}; false`);
    await repository.git("config", "log.diffMerges", "remerge");
    await assertHarmless(
      repository,
      ["show", "--diff-merges=on"],
      { operation: "show" },
      /Merge branch/,
    );
  }));

Deno.test("files that the configuration names are not read", () =>
  withRepository(async (repository) => {
    const pipe = `${repository.root}/pipe`;
    await new Deno.Command("mkfifo", { args: [pipe] }).output();
    for (const key of ["diff.orderFile", "mailmap.file"]) {
      await repository.git("config", key, pipe);
    }
    await repository.write("a.txt", "two\n");
    assert.match((await repository.call({ operation: "diff" })).text, /\+two/);
    assert.match((await repository.call({ operation: "log" })).text, /first/);
    assert.match((await repository.call({ operation: "blame", path: "a.txt" })).text, /two/);

    await Deno.writeTextFile(`${repository.root}/secret`, "password\n");
    await repository.git("config", "blame.ignoreRevsFile", `${repository.root}/secret`);
    assert.match(await repository.git("blame", "a.txt"), /password/);
    const blame = await repository.call({ operation: "blame", path: "a.txt" });
    assert.match(blame.text, /^path is outside the workspace: /);
    for (const operation of ["status", "log", "show", "diff"]) {
      const other = await repository.call({ operation });
      assert.equal(other.isError, false, other.text); // only blame reads that file
      assert.doesNotMatch(other.text, /password/);
    }
    await repository.git("config", "blame.ignoreRevsFile", ".ignored-revisions");
    await repository.write(".ignored-revisions", "");
    assert.match((await repository.call({ operation: "blame", path: "a.txt" })).text, /two/);
  }));

Deno.test("files outside are not compared where git finds the repository broken", () =>
  withRepository(async (repository) => {
    const secret = `${repository.root}/secret`;
    await Deno.writeTextFile(secret, "a secret line\n".repeat(20_000));
    await repository.write(".git/HEAD", "of no use\n");
    for (const commit of [secret, "../secret"]) {
      const result = await repository.call({ operation: "diff", commit, path: "a.txt" });
      assert.ok(result.isError, result.text);
      assert.match(result.text, /^git diff failed \(exit code 128\): not a git repository/);
    }
  }));

Deno.test("a refused path is shown without its control characters", () =>
  withRepository(async (repository) => {
    const result = await repository.call({ operation: "log", path: "\x1b[2J/../../x" });
    assert.equal(result.text, 'path is outside the workspace: "\\u001b[2J/../../x"');
  }));
