import assert from "node:assert/strict";
import { staysOpen } from "../support/stays_open.ts";

import { globTool } from "../../src/tools/glob.ts";
import { callTool, toolContext, withWorkspace } from "../support/tool_context.ts";
import { markRepository, runCommand, writeTree } from "../search/tree.ts";
import { type Need, testWhere } from "../support/test_where.ts";

async function glob(workspace: string, pattern: string, path?: string) {
  const input = path === undefined ? { pattern } : { pattern, path };
  return await callTool(globTool, input, toolContext(workspace));
}

/** The lines of the result in a workspace with these empty files. */
async function globIn(files: string[], pattern: string, path?: string): Promise<string[]> {
  return await withWorkspace(async (workspace) => {
    await writeTree(workspace, Object.fromEntries(files.map((file) => [file, ""])));
    const { text, isError } = await glob(workspace, pattern, path);
    assert.equal(isError, false, text);
    return text.split("\n");
  });
}

/** Makes a file whose name is not UTF-8. */
function putOddName(folder: string): Promise<unknown> {
  return runCommand("sh", ["-c", `cd "$1" && : > "$(printf 'f\\351.txt')"`, "sh", folder]);
}

/** Some versions of the runtime leave names that are not UTF-8 out of every listing. */
const listsOddNames: Need = {
  reason: "needs a runtime and a file system that list names that are not UTF-8",
  met: await withWorkspace(async (folder) => {
    await putOddName(folder).catch(() => {}); // some file systems refuse such a name
    return [...Deno.readDirSync(folder)].length > 0;
  }),
};

Deno.test("paths are relative to the workspace and sorted as whole paths", async () => {
  const files = ["src/b.py", "src/a/x.py", "src/a.py", "src/a-b.py", "top.py"];
  assert.deepEqual(await globIn(files, "src/**/*.py"), [
    "src/a-b.py",
    "src/a.py",
    "src/a/x.py",
    "src/b.py",
  ]);
  assert.deepEqual(await globIn(files, "*.py", "src"), ["src/a-b.py", "src/a.py", "src/b.py"]);
  assert.deepEqual(await globIn(files, "*.py"), ["top.py"]);
  assert.deepEqual(await globIn(files, "./src/?.py"), ["src/a.py", "src/b.py"]);
});

Deno.test("nothing found is said in words", async () => {
  assert.deepEqual(await globIn(["a.txt"], "*.py"), ["No files matched"]);
});

Deno.test("hidden files and folders are found", async () => {
  const files = [".github/workflows/ci.yml", ".env"];
  assert.deepEqual(await globIn(files, ".github/workflows/*.yml"), [files[0]]);
  assert.deepEqual(await globIn(files, "**/ci.yml"), [files[0]]);
  assert.deepEqual(await globIn(files, "*"), [".env"]);
});

Deno.test("generated folders are left out, and entered when the pattern or path names them", async () => {
  const files = ["build/run.sh", "a/node_modules/m/i.js", ".git/config", "c.sh"];
  const both = "a/node_modules (not ignored), build (not ignored)";
  assert.deepEqual(await globIn(files, "**/*.sh"), [
    "c.sh",
    `[left out: excluded or ignored: ${both}]`,
  ]);
  assert.deepEqual(await globIn(files, "build/*.sh"), ["build/run.sh"]);
  assert.deepEqual(await globIn(files, "**/build/*.sh"), [
    "build/run.sh",
    "[left out: excluded or ignored: a/node_modules (not ignored)]",
  ]);
  assert.deepEqual(await globIn(files, "**/*.js", "a/node_modules"), ["a/node_modules/m/i.js"]);
  assert.deepEqual(await globIn(files, "**/config"), [
    "No files matched",
    "[not searched, as excluded or ignored: a/node_modules (not ignored), build (not ignored); name one to search it]",
  ]);
});

Deno.test("a file that is named outright is found, whatever is ignored", async () => {
  await withWorkspace(async (workspace) => {
    await markRepository(workspace);
    await writeTree(workspace, {
      ig: "dist/\n*.log\n",
      "dist/app.js": "",
      "x.log": "",
      "y.txt": "",
    });
    await Deno.symlink("ig", `${workspace}/.gitignore`);
    assert.equal((await glob(workspace, "dist/app.js")).text, "dist/app.js");
    assert.equal((await glob(workspace, "x.log")).text, "x.log");
    assert.equal(
      (await glob(workspace, "*.log")).text,
      "No files matched\n[1 ignored file not searched]",
    );
    assert.equal((await glob(workspace, "*.txt")).text, "y.txt");
  });
});

Deno.test("a real path with brackets is found", async () => {
  const files = ["app/[id]/page.tsx", "app/i/page.tsx"];
  assert.deepEqual(await globIn(files, "app/[id]/page.tsx"), files);
  assert.deepEqual(await globIn(["app/[id]/page.tsx"], "app/[id]/*.tsx"), ["app/[id]/page.tsx"]);
});

Deno.test("beyond 200 paths the rest is counted", async () => {
  const files = Array.from({ length: 203 }, (_, index) => `f${String(index).padStart(3, "0")}`);
  const lines = await globIn(files, "**");
  assert.equal(lines.length, 201);
  assert.equal(lines[199], "f199");
  assert.equal(lines[200], "[3 more paths omitted]");
});

Deno.test("beyond 200 paths the rest is counted among a thousand files, whatever they are called", async () => {
  const matching = Array.from({ length: 205 }, (_, index) => `a/${index + 1000}.ts`);
  const others = Array.from({ length: 1100 }, (_, index) => `b/${index}.md`);
  for (const pattern of ["**/*.ts", "**/*.t[s]"]) {
    const lines = await globIn([...matching, ...others, "c/d.ts"], pattern);
    assert.equal(lines[200], "[at least 5 more paths omitted: not all folders were read]");
    assert.equal((await globIn([...matching, "c/d.ts"], pattern))[200], "[6 more paths omitted]");
  }
});

Deno.test(
  "circles of links, pipes and deep folders do not hold a listing up",
  staysOpen,
  async () => {
    await withWorkspace(async (workspace) => {
      const deep = Array.from({ length: 30 }, (_, index) => `d${index}`).join("/");
      await writeTree(workspace, { [`${deep}/end.txt`]: "", "a.txt": "" });
      await Deno.symlink(".", `${workspace}/loop`);
      await Deno.symlink("..", `${workspace}/up`);
      await Deno.symlink("a.txt", `${workspace}/z-link`);
      await Deno.symlink("/etc/hostname", `${workspace}/z-out`);
      await runCommand("mkfifo", [`${workspace}/pipe`]);
      assert.equal((await glob(workspace, "**/*")).text, `a.txt\n${deep}/end.txt\nz-link`);
    });
  },
);

Deno.test("patterns and paths that lead outside are refused", async () => {
  await withWorkspace(async (workspace) => {
    await Deno.symlink("/etc", `${workspace}/etc`);
    for (const pattern of ["/etc/*", "../*", "a/../../*", "etc/hostname", "etc/*"]) {
      const { text, isError } = await glob(workspace, pattern);
      assert.equal(isError, true, text);
      assert.match(text, /^path is outside the workspace: /);
    }
    assert.equal((await glob(workspace, "*", "../")).code, "outside_workspace");
  });
});

Deno.test("odd names give lines that can be told apart", async () => {
  await withWorkspace(async (workspace) => {
    await writeTree(workspace, {
      "a\nb.txt": "",
      '"q".txt': "",
      "e\u0301.txt": "",
      "\u00e9.txt": "",
    });
    assert.deepEqual((await glob(workspace, "*.txt")).text.split("\n"), [
      '"\\"q\\".txt"',
      '"a\\nb.txt"',
      "e\u0301.txt",
      "\u00e9.txt",
    ]);
  });
});

testWhere(listsOddNames, "names that no tool can open are marked", async () => {
  await withWorkspace(async (workspace) => {
    await writeTree(workspace, { "a.txt": "" });
    await putOddName(workspace);
    assert.deepEqual((await glob(workspace, "*.txt")).text.split("\n"), [
      "a.txt",
      '[names that are not UTF-8, which no tool can open: "f\uFFFD.txt"]',
    ]);
  });
});

Deno.test("braces that stand for too many patterns are refused, not expanded", async () => {
  await withWorkspace(async (workspace) => {
    const { code } = await glob(workspace, "{a,b}".repeat(40));
    assert.equal(code, "pattern");
  });
});

Deno.test("a folder that is named gets a hint", async () => {
  assert.deepEqual(await globIn(["src/a.ts"], "src"), [
    "No files matched",
    "[src is a folder: use src/** for the files in it]",
  ]);
});
