import assert from "node:assert/strict";
import { parseIgnoreRules } from "../../../src/search/ignore/rules.ts";
import { globTool } from "../../../src/tools/glob.ts";
import { ordinaryUser, testWhere } from "../../support/test_where.ts";
import { callTool, toolContext, withWorkspace } from "../../support/tool_context.ts";
import { markRepository, runCommand, writeTree } from "../tree.ts";

/** The verdicts of an ignore file's text; a path with a final slash is a folder. */
function verdicts(text: string, paths: string[]) {
  const rules = parseIgnoreRules(text);
  return paths.map((path) => {
    const isFolder = path.endsWith("/"), plain = path.replace(/\/$/, "");
    const nameAt = plain.lastIndexOf("/") + 1;
    return rules?.verdict(plain.slice(0, nameAt), 0, plain.slice(nameAt), isFolder);
  });
}

const rules: [rule: string, text: string, ignored: string[], not: string[]][] = [
  ["a name counts at any depth", "a.log", ["a.log", "x/a.log", "a.log/"], ["b.log"]],
  ["a slash in front ties to the folder", "/a", ["a"], ["x/a"]],
  ["a slash in the middle does as well", "x/a", ["x/a"], ["y/x/a", "a"]],
  ["a slash behind means folders only", "out/", ["out/", "x/out/"], ["out", "x/out"]],
  ["wildcards", "*.o\n/t?p/*.[ch]", ["a.o", "x/.o", "tmp/a.c"], ["a.oo", "tmp/x/a.c"]],
  ["double stars", "**/a/b\nx/**\ny/**/z", ["q/a/b", "a/b", "x/1/2", "y/z", "y/1/z"], ["x", "y"]],
  ["comments and empty lines", "# a\n\n\\#b", ["#b"], ["a", "# a"]],
  ["the last line that speaks of it decides", "*.log\n!keep.log\nx/keep.log", ["a.log"], []],
  ["trailing spaces do not count, unless escaped", "a  \nb\\ ", ["a", "b "], ["b", "a  "]],
  ["a line end may be CR LF, and a byte order mark stand in front", "\uFEFFa\r\nb\r\n", [
    "a",
    "b",
  ], ["c"]],
  ["braces are ordinary characters", "{a,b}", ["{a,b}"], ["a"]],
];

for (const [rule, text, ignored, not] of rules) {
  Deno.test(`ignore files: ${rule}`, () => {
    assert.deepEqual(verdicts(text, ignored), ignored.map(() => true));
    assert.ok(verdicts(text, not).every((verdict) => verdict === undefined));
  });
}

Deno.test("ignore files: a line may take back what an earlier one ignored", () => {
  assert.deepEqual(verdicts("*.log\n!keep.log", ["keep.log", "a.log"]), [false, true]);
});

async function list(workspace: string, pattern = "**", path = "."): Promise<string[]> {
  const { text } = await callTool(globTool, { pattern, path }, toolContext(workspace));
  return text.split("\n").filter((line) => !line.startsWith("[left out: "));
}

Deno.test("ignore files count at every level, the inner ones first, .ignore before .gitignore", async () => {
  await withWorkspace(async (workspace) => {
    await markRepository(workspace);
    await writeTree(workspace, {
      ".gitignore": "*.log\n/only-here\n",
      ".ignore": "!seen.log\n",
      ".git/info/exclude": "secret\n",
      "a.log": "",
      "seen.log": "",
      "only-here": "",
      secret: "",
      "sub/.gitignore": "!a.log\n*.tmp\n",
      "sub/a.log": "",
      "sub/b.log": "",
      "sub/x.tmp": "",
      "sub/only-here": "",
      "x.tmp": "",
    });
    assert.deepEqual(await list(workspace), [
      ".gitignore",
      ".ignore",
      "seen.log",
      "sub/.gitignore",
      "sub/a.log",
      "sub/only-here",
      "x.tmp",
    ]);
    assert.deepEqual(await list(workspace, "*", "sub"), [
      "sub/.gitignore",
      "sub/a.log",
      "sub/only-here",
    ]);
  });
});

Deno.test("the repository's ignore files count in a workspace below its root", async () => {
  await withWorkspace(async (root) => {
    await markRepository(root);
    await writeTree(root, {
      ".gitignore": "*.log\n/pack/a.txt\n",
      "pack/a.log": "",
      "pack/a.txt": "",
      "pack/b.txt": "",
    });
    assert.deepEqual(await list(`${root}/pack`), ["b.txt"]);
  });
});

Deno.test("a workspace that is itself ignored is searched all the same", async () => {
  await withWorkspace(async (root) => {
    await markRepository(root);
    await writeTree(root, { ".gitignore": "*\n", "work/a.txt": "" });
    assert.deepEqual(await list(`${root}/work`), ["a.txt"]);
  });
});

Deno.test("a folder whose contents are ignored is searched when it is named", async () => {
  await withWorkspace(async (workspace) => {
    await markRepository(workspace);
    await writeTree(workspace, {
      ".gitignore": "gen/*\n*.log\n",
      "gen/a.txt": "",
      "gen/b.log": "",
    });
    assert.deepEqual(await list(workspace, "**/*.txt"), [
      "No files matched",
      "[1 ignored file not searched]",
    ]);
    assert.deepEqual(await list(workspace, "*.txt", "gen"), ["gen/a.txt"]);
  });
});

Deno.test("a linked worktree finds the exclude file of its repository", async () => {
  await withWorkspace(async (root) => {
    await writeTree(root, {
      "main/.git/info/exclude": "secret\n",
      "main/.git/worktrees/w/commondir": "../..\n",
      "w/.git": `gitdir: ${root}/main/.git/worktrees/w\n`,
      "w/secret": "",
      "w/open": "",
    });
    assert.deepEqual(await list(`${root}/w`), ["open"]);
  });
});

Deno.test("a line longer than any path is no rule, and rules in force are bounded", async () => {
  const many = Array.from({ length: 70 }, (_, index) => `*${index}?${"x".repeat(4000)}\n`).join("");
  await withWorkspace(async (root) => {
    await writeTree(root, {
      ".gitignore": `${"[".repeat(400_000)}\nhidden\n`,
      "a": "",
      "hidden": "",
      "deep/.gitignore": `${many}lost\n`,
      "deep/hidden": "",
      "deep/lost": "",
    });
    assert.deepEqual(await list(root), [".gitignore", "a", "deep/.gitignore", "deep/lost"]);
  });
});

Deno.test("an ignore file that is a pipe, a folder or a link out is passed over", async () => {
  await withWorkspace(async (root) => {
    await writeTree(root, { "rules": "*\n", "w/a": "", "w/p/b": "", "w/f/.gitignore/c": "" });
    await Deno.symlink("../rules", `${root}/w/.gitignore`);
    await runCommand("mkfifo", [`${root}/w/p/.gitignore`]);
    assert.deepEqual(await list(`${root}/w`), ["a", "f/.gitignore/c", "p/b"]);
  });
});

testWhere(ordinaryUser, "a folder that cannot be read is counted", async () => {
  await withWorkspace(async (workspace) => {
    await writeTree(workspace, { "open/a": "", "shut/b": "" });
    await Deno.chmod(`${workspace}/shut`, 0);
    const lines = await list(workspace);
    await Deno.chmod(`${workspace}/shut`, 0o700);
    assert.deepEqual(lines, ["open/a", "[1 folder could not be read]"]);
  });
});

Deno.test("a repository within the workspace follows its own ignore files alone", () =>
  withWorkspace(async (workspace) => {
    await markRepository(workspace);
    await markRepository(`${workspace}/sub`);
    await writeTree(workspace, {
      ".gitignore": "src/\n*.gen\nhidden\n",
      ".ignore": "*.md\n",
      "src/outer.c": "",
      "sub/src/x.c": "",
      "sub/y.gen": "",
      "sub/z.md": "",
      "sub/.gitignore": "*.tmp\n",
      "sub/own.tmp": "",
      "sub/excluded.txt": "",
      "sub/.git/info/exclude": "excluded.txt\n",
      "link/.git": "gitdir: ../sub/.git\n",
      "link/y.gen": "",
      "link/excluded.txt": "",
      "plain/y.gen": "",
      "hidden/.git": "",
      "hidden/a.c": "",
    });
    const list = async (path: string) => {
      const { text } = await callTool(globTool, { pattern: "**", path }, toolContext(workspace));
      return text.split("\n").filter((line) => !/\.gitignore$|^\[left out: /.test(line));
    };
    const inSub = ["sub/src/x.c", "sub/y.gen", "sub/z.md"];
    assert.deepEqual(await list("."), [".ignore", "link/y.gen", ...inSub]);
    assert.deepEqual(await list("sub"), inSub);
    assert.deepEqual(await list("sub/src"), ["sub/src/x.c"]);
    assert.deepEqual(await list("hidden"), ["hidden/a.c"]);
  }));
