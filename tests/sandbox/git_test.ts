import assert from "node:assert/strict";
import { exists, git, makeRepository, sandboxNeed, withSandbox } from "../support/sandbox.ts";
import { installed, testWhere } from "../support/test_where.ts";

const needs = [sandboxNeed, installed("git")];

testWhere(
  needs,
  "hooks and settings of the repository cannot be written, nor .git moved",
  () =>
    withSandbox(
      { before: ({ workspace }) => makeRepository(workspace) },
      async ({ run, workspace }) => {
        const { text, lines } = await run(
          "echo x > .git/hooks/pre-commit; git config core.fsmonitor x; mv .git g && cp -r g .git; exit 1",
        );
        assert.match(text, /pre-commit: Read-only/);
        assert.match(text, /could not lock config file/);
        assert.match(text, /cannot move '.git'/);
        assert.deepEqual(lines, [
          "only the workspace and /tmp can be written; .git and settings folders cannot",
        ]);
        assert.ok(!exists(`${workspace}/g`) && !exists(`${workspace}/.git/hooks/pre-commit`));
        assert.doesNotMatch(git(workspace, "config", "--list"), /fsmonitor/);
        assert.equal(git(workspace, "status", "--porcelain"), "", "placeholders do not show");
      },
    ),
);

testWhere(
  needs,
  "history survives the removal of everything",
  () =>
    withSandbox(
      { before: ({ workspace }) => makeRepository(workspace) },
      async ({ run, workspace }) => {
        await run("rm -rf .git * .[a-z]*");
        assert.ok(!exists(`${workspace}/a`));
        git(workspace, "checkout", "-q", ".");
        assert.ok(exists(`${workspace}/a`));
        git(workspace, "fsck", "--strict");
      },
    ),
);

testWhere(
  needs,
  "status and log are right inside, with the person's name for commits",
  () =>
    withSandbox({
      before({ workspace, home }) {
        makeRepository(workspace);
        Deno.writeTextFileSync(
          `${home}/.gitconfig`,
          "[user]\n\tname = Ann\n\temail = ann@example.com\n[core]\n\tfsmonitor = /evil\n",
        );
      },
    }, async ({ run }) => {
      const { text } = await run(
        "echo b > b; git status --porcelain; git config user.name; git log --format=%s",
      );
      assert.equal(text, "?? b\nAnn\nfirst\n");
      assert.equal((await run("git config core.fsmonitor")).exitCode, 1);
    }),
);

testWhere(
  needs,
  "a folder of hooks and an included file in the workspace are protected",
  () =>
    withSandbox({
      before({ workspace }) {
        makeRepository(workspace);
        git(workspace, "config", "core.hooksPath", ".husky/_");
        git(workspace, "config", "include.path", "../team.gitconfig");
        git(workspace, "config", "--add", "include.path", "../none.gitconfig");
        Deno.mkdirSync(`${workspace}/.husky/_`, { recursive: true });
        Deno.writeTextFileSync(`${workspace}/team.gitconfig`, "");
      },
    }, async ({ run, workspace, told }) => {
      const { text } = await run(
        "echo x > .husky/_/pre-commit; mv .husky h; echo x > team.gitconfig; mv team.gitconfig t; echo x > none.gitconfig",
      );
      assert.equal(text.match(/Read-only|busy/gi)?.length, 4, text);
      assert.ok(!exists(`${workspace}/none.gitconfig`));
      assert.match(told.join("\n"), /none\.gitconfig was made by a command; it was renamed to /);
    }),
);

testWhere(
  needs,
  "submodules, and theirs, are protected where they are and where they are not yet",
  () =>
    withSandbox({
      before({ root, workspace }) {
        for (const name of ["inner", "middle"]) {
          Deno.mkdirSync(`${root}/${name}`);
          makeRepository(`${root}/${name}`);
        }
        git(`${root}/middle`, "submodule", "add", "-q", `${root}/inner`, "in");
        git(`${root}/middle`, "commit", "-qm", "in");
        makeRepository(workspace);
        git(workspace, "submodule", "add", "-q", `${root}/middle`, "sub/mid");
        git(workspace, "submodule", "update", "-q", "--init", "--recursive");
        git(workspace, "submodule", "add", "-q", `${root}/inner`, "gone");
        git(workspace, "submodule", "deinit", "-q", "-f", "gone");
        git(workspace, "commit", "-qm", "subs");
      },
    }, async ({ run, workspace }) => {
      const before = git(workspace, "status", "--porcelain", "--ignored");
      const { text } = await run(
        `for d in sub/mid sub/mid/in gone; do
         echo 'gitdir: /tmp/evil' > $d/.git; mv $d/.git $d/x; rm -rf $d/.git; mkdir -p $d/.git/hooks
       done; mv sub s; git status --porcelain; git -C sub/mid log --format=%s`,
      );
      assert.match(text, /^in\nfirst$/m, text);
      assert.ok(!exists(`${workspace}/s`) && !exists(`${workspace}/gone/.git/hooks`));
      for (const folder of ["sub/mid", "sub/mid/in"]) {
        assert.match(Deno.readTextFileSync(`${workspace}/${folder}/.git`), /^gitdir: \.\.\//);
      }
      assert.equal(git(workspace, "status", "--porcelain", "--ignored"), before);
    }),
);

testWhere(
  needs,
  "what one command does to the list of submodules leaves the next one no more",
  () =>
    withSandbox({
      before({ root, workspace }) {
        Deno.mkdirSync(`${root}/inner`);
        makeRepository(`${root}/inner`);
        makeRepository(workspace);
        git(workspace, "submodule", "add", "-q", `${root}/inner`, "sub");
        git(workspace, "commit", "-qm", "sub");
      },
    }, async ({ run, workspace, sandbox }) => {
      const first = await run(
        "rm .gitmodules; echo > .gitmodules; mv .gitmodules m; for i in $(seq 400); do " +
          "printf '[submodule \"%s\"]\\n\\tpath = %s\\n' $i $i; done > .gitmodules",
      );
      assert.equal(first.text.match(/Read-only|busy/g)?.length, 4, first.text);
      const next = await run("echo 'gitdir: evil' > sub/.git; rm sub/.git; mv sub s");
      assert.equal(next.text.match(/Read-only|busy/g)?.length, 3, next.text);
      assert.match(Deno.readTextFileSync(`${workspace}/sub/.git`), /^gitdir: \.\.\//);
      assert.ok(sandbox.protects(`${workspace}/.gitmodules`));
    }),
);

testWhere(
  needs,
  "submodules that a repository further up lists are protected",
  () =>
    withSandbox({
      name: "mono/packages",
      before({ root, workspace }) {
        Deno.mkdirSync(`${root}/inner`);
        makeRepository(`${root}/inner`);
        makeRepository(`${root}/mono`);
        git(`${root}/mono`, "submodule", "add", "-q", `${root}/inner`, "packages/lib");
        assert.ok(exists(`${workspace}/lib/.git`));
      },
    }, async ({ run, workspace }) => {
      const { text } = await run("echo 'gitdir: evil' > lib/.git; rm lib/.git; mv lib l");
      assert.equal(text.match(/Read-only|busy/g)?.length, 3, text);
      assert.match(Deno.readTextFileSync(`${workspace}/lib/.git`), /^gitdir: \.\.\//);
    }),
);

for (const mode of ["workspace", "commit"] as const) {
  testWhere(
    needs,
    `linked worktrees within the workspace are protected in ${mode}`,
    () =>
      withSandbox({
        mode,
        before({ workspace }) {
          makeRepository(workspace);
          git(workspace, "worktree", "add", "-q", "trees/one", "-b", "one");
        },
      }, async ({ run, workspace }) => {
        const { text } = await run(
          "echo 'gitdir: evil' > trees/one/.git; rm trees/one/.git; mv trees t; git -C trees/one log --format=%s",
        );
        assert.equal(text.match(/Read-only|busy/g)?.length, 3, text);
        assert.match(text, /^first$/m);
        assert.match(Deno.readTextFileSync(`${workspace}/trees/one/.git`), /^gitdir: \/.*one$/m);
      }),
  );
}

testWhere(
  needs,
  "commands that git's settings name are protected, in included files and beside hooks, too",
  () =>
    withSandbox({
      before({ workspace, home }) {
        makeRepository(workspace);
        git(workspace, "config", "include.path", "../team");
        git(workspace, "config", "filter.strip.clean", "python3 tools/strip.py %f");
        Deno.writeTextFileSync(
          `${workspace}/team`,
          '[includeIf "gitdir:/"]\n\tpath = more\n[core]\n\thooksPath = .husky/_\n',
        );
        Deno.writeTextFileSync(`${workspace}/more`, "[core] fsmonitor = ./watch.sh\n");
        Deno.mkdirSync(`${home}/.config/git`, { recursive: true });
        Deno.writeTextFileSync(
          `${home}/.config/git/config`,
          "[diff \"x\"]\n\ttextconv = 'tools/show'\n",
        );
        Deno.mkdirSync(`${workspace}/.husky/_`, { recursive: true });
        Deno.mkdirSync(`${workspace}/tools`);
        for (const name of [".husky/pre-commit", "tools/strip.py", "tools/show", "watch.sh"]) {
          Deno.writeTextFileSync(`${workspace}/${name}`, "");
        }
      },
    }, async ({ run, workspace }) => {
      const names = [
        "team",
        "more",
        ".husky/pre-commit",
        "tools/strip.py",
        "tools/show",
        "watch.sh",
      ];
      for (const name of names) {
        const { text } = await run(`echo x > ${name}`);
        assert.match(text, /Read-only/, name);
        assert.doesNotMatch(Deno.readTextFileSync(`${workspace}/${name}`), /^x/);
      }
      const { exitCode, text } = await run("echo x > tools/free && mv tools t");
      assert.notEqual(exitCode, 0, text);
    }),
);

testWhere(
  needs,
  "commit writes history, and neither hooks nor settings",
  () =>
    withSandbox(
      { mode: "commit", before: ({ workspace }) => makeRepository(workspace) },
      async (inside) => {
        const { run, workspace, told } = inside;
        const identity =
          "git config --global user.name n; git config --global user.email n@example.com;";
        const { text, exitCode } = await run(
          `${identity} echo b > b; git add b; git commit -qm second`,
        );
        assert.equal(exitCode, 0, text);
        assert.match(git(workspace, "log", "--format=%s"), /^second\nfirst$/m);
        const evil = await run(
          "echo x > .git/hooks/post-commit; git config core.pager x; mv .git g; mv .git/hooks h; echo ../.. > .git/commondir",
        );
        assert.match(evil.text, /post-commit: Read-only/);
        assert.match(evil.text, /could not write config file .*: Device or resource busy/);
        assert.match(evil.text, /cannot move '.git'/);
        assert.ok(
          exists(`${workspace}/.git/hooks`) && !exists(`${workspace}/.git/hooks/post-commit`),
        );
        assert.ok(!exists(`${workspace}/.git/commondir`));
        assert.match(told.join("\n"), /commondir was made by a command/);
        assert.match(evil.lines.join("\n"), /commondir was made by a command/);
      },
    ),
);

for (const mode of ["workspace", "commit"] as const) {
  testWhere(needs, `a linked worktree in ${mode}`, () =>
    withSandbox({
      mode,
      before({ root, workspace }) {
        Deno.mkdirSync(`${root}/main`);
        makeRepository(`${root}/main`);
        Deno.removeSync(workspace);
        git(`${root}/main`, "worktree", "add", "-q", workspace, "-b", "other");
      },
    }, async ({ run, root, workspace }) => {
      const identity = "-c user.name=n -c user.email=n@example.com";
      const { text } = await run(
        "git status --porcelain; git log --format=%s; ls " + `${root}/main`,
      );
      assert.match(text, /^first$/m);
      assert.match(text, /main': No such file|^$/m);
      const commit = await run(`echo b > b; git add b && git ${identity} commit -qm second`);
      assert.equal(commit.exitCode === 0, mode === "commit", commit.text);
      const own = `${root}/main/.git/worktrees/W`;
      const evil = await run(
        `echo x > ${own}/commondir; echo x > ${own}/gitdir; echo x > ${root}/main/.git/hooks/x; echo x > .git; mv .git z`,
      );
      assert.equal(evil.text.match(/Read-only|busy/gi)?.length, 5, evil.text);
      git(workspace, "status");
      git(`${root}/main`, "fsck", "--strict");
    }));
}

testWhere(needs, "a link in place of .git is followed to be read, and put back", () =>
  withSandbox({
    before({ root, workspace }) {
      Deno.mkdirSync(`${root}/store`);
      makeRepository(`${root}/store`);
      Deno.symlinkSync(`${root}/store/.git`, `${workspace}/.git`);
      Deno.mkdirSync(`${root}/private`);
      Deno.writeTextFileSync(`${root}/private/s`, "CONTENT");
      Deno.symlinkSync(`${root}/private`, `${workspace}/.vscode`);
    },
  }, async ({ run, root, workspace, told }) => {
    const { text } = await run(
      "git log --format=%s; echo x > .git/config; cat .vscode/s; rm .git; mkdir -p .git/hooks",
    );
    assert.match(text, /^first$/m, text);
    assert.match(text, /config: Read-only/);
    assert.doesNotMatch(text, /CONTENT/);
    assert.equal(Deno.readLinkSync(`${workspace}/.git`), `${root}/store/.git`);
    assert.match(told.join("\n"), /the link \S+\.git was replaced by a command; it was put back/);
  }));

testWhere(
  needs,
  "the repository around a folder is read, the home folder never is",
  () =>
    withSandbox({
      name: "mono/packages/one",
      before({ root }) {
        makeRepository(`${root}/mono`);
        Deno.writeTextFileSync(`${root}/mono/shared.json`, "SHARED");
      },
    }, async ({ run, root }) => {
      const { text } = await run(
        "cat ../../shared.json; git log --format=%s; touch ../../x; mkdir .git",
      );
      assert.match(text, /SHAREDfirst/);
      assert.match(text, /\.\.\/x': Read-only/);
      assert.ok(!exists(`${root}/mono/x`));
    }),
);

testWhere(needs, "a home folder that is a repository is not shown for that", () =>
  withSandbox({
    name: "home/project",
    before({ home }) {
      makeRepository(home);
      Deno.mkdirSync(`${home}/.ssh`);
      Deno.writeTextFileSync(`${home}/.ssh/id`, "KEY");
    },
  }, async ({ run }) => {
    assert.doesNotMatch((await run("cat ~/.ssh/id; cat ~/a")).text, /KEY|^a$/m);
  }));

testWhere(
  needs,
  "a repository whose data lies in the workspace under another name is protected",
  () =>
    withSandbox({
      before({ workspace }) {
        Deno.mkdirSync(`${workspace}/data`);
        git(workspace, "init", "-q", "--separate-git-dir", `${workspace}/data/git`);
      },
    }, async ({ run, workspace }) => {
      const { text } = await run(
        "echo x > data/git/hooks/pre-commit; mv data d; git status --porcelain",
      );
      assert.match(text, /pre-commit: Read-only/);
      assert.match(text, /cannot move 'data'/);
      assert.ok(!exists(`${workspace}/data/git/hooks/pre-commit`));
    }),
);

testWhere(
  needs,
  "a workspace does not become a repository's data itself",
  () =>
    withSandbox({}, async ({ run, workspace, told, sandbox }) => {
      await run(
        "mkdir -p objects refs; echo 'ref: refs/heads/main' > HEAD; printf '[core]\n\tworktree = .\n' > config",
      );
      assert.ok(!exists(`${workspace}/HEAD`));
      assert.match(told.join(), /made a repository of the workspace itself/);
      // nor in steps, the last of which is not a command's
      Deno.removeSync(`${workspace}/objects`, { recursive: true });
      await run("echo 'ref: refs/heads/main' > HEAD");
      assert.ok(!exists(`${workspace}/HEAD`));
      assert.ok(
        sandbox.protects(`${workspace}/HEAD`) && !sandbox.protects(`${workspace}/objects/x`),
      );
      await run("echo of the page > HEAD");
      assert.ok(exists(`${workspace}/HEAD`));
    }),
);

testWhere(needs, "settings are read in every form that git takes", () =>
  withSandbox({
    before({ workspace }) {
      makeRepository(workspace);
      Deno.mkdirSync(`${workspace}/my hooks`);
      Deno.writeTextFileSync(
        `${workspace}/.git/config`,
        '[core] hooksPath = "my hooks" ; comment\n[include] path = ../inc # comment\n',
      );
      Deno.writeTextFileSync(`${workspace}/inc`, "");
    },
  }, async ({ run }) => {
    const { text } = await run("echo x > 'my hooks/pre-commit'; echo x > inc");
    assert.equal(text.match(/Read-only/g)?.length, 2, text);
  }));

testWhere(
  needs,
  "links that lead to nothing yet, files and pipes in protected places are protected",
  () =>
    withSandbox({
      before({ workspace }) {
        makeRepository(workspace);
        Deno.symlinkSync("later", `${workspace}/.vscode`);
        Deno.symlinkSync(".idea", `${workspace}/.idea`);
        Deno.writeTextFileSync(`${workspace}/.claude`, "file");
        new Deno.Command("mkfifo", { args: [`${workspace}/.codex`] }).outputSync();
      },
      after({ workspace }) {
        assert.ok(!exists(`${workspace}/later`));
        assert.equal(Deno.readLinkSync(`${workspace}/.idea`), ".idea");
      },
    }, async ({ run, workspace }) => {
      const { text } = await run(
        "mkdir later; echo {} > later/tasks.json; echo x > .claude; rm -f .codex; rm .idea; mkdir .idea",
      );
      assert.match(text, /later\/tasks.json: Read-only/);
      assert.match(text, /\.claude: Read-only/);
      assert.match(text, /cannot remove '.codex': Device or resource busy/);
      assert.equal(Deno.readTextFileSync(`${workspace}/.claude`), "file");
    }),
);

testWhere(
  sandboxNeed,
  "where an empty folder stands in for .git, Go is told",
  () =>
    withSandbox({ set: { GOFLAGS: "-mod=mod" } }, async ({ run }) => {
      assert.equal((await run('echo "$GOFLAGS"')).text, "-mod=mod -buildvcs=false\n");
    }),
);
