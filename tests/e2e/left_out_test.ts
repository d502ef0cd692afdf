import assert from "node:assert/strict";
import { runProgram, withScratch } from "../support/program.ts";
import { runShell } from "../support/shell.ts";
import { installed, testWhere } from "../support/test_where.ts";

/** A repository whose ignore rules hide what is tracked, with another one in it. */
const making = `
git init -q . && mkdir -p out dist build/deep node_modules/m new/dist sub/out &&
printf '%s\\n' '*.log' out/ 'build/*' '!build/deep' node_modules/ sub/own.gen '*.gen' > .gitignore &&
for f in a.txt a.log b.log out/kept out/other dist/kept.js build/deep/x node_modules/m/i.js \\
  new/dist/fresh.js sub/out/x sub/y.gen sub/z.tmp; do echo hit > $f; done &&
git add . && git add -f a.log out/kept && git -C sub init -q && echo '*.tmp' > sub/.gitignore &&
git rm -rq --cached new sub`;

testWhere(
  installed("git"),
  "what ignore rules hide is named where git tracks it, or may",
  () =>
    withScratch(async ({ workspace, root }) => {
      const made = await runShell(making, { cwd: workspace, root });
      assert.equal(made.code, 0, made.stderr);
      const tool = async (name: string, input: object) => {
        const { stdout } = await runProgram(["--call-tool", name, JSON.stringify(input)], {
          cwd: workspace,
        });
        return stdout.trimEnd();
      };
      const folders = "build (holds tracked files), dist (holds tracked files), " +
        "out (holds tracked files), new/dist (not ignored), node_modules";
      const files = "ignored, though git tracks them: a.log; 2 ignored files";
      assert.equal(
        await tool("grep", { pattern: "hit" }),
        `a.txt:1:hit\nsub/out/x:1:hit\nsub/y.gen:1:hit\n[left out: excluded or ignored: ${folders}; ${files}]`,
      );
      assert.equal(
        await tool("glob", { pattern: "**/*.txt" }),
        `a.txt\n[left out: excluded or ignored: ${folders}]`,
        "files that the pattern speaks of alone",
      );
      assert.equal(
        await tool("glob", { pattern: "*.{txt,log}" }),
        "a.txt\n[left out: ignored, though git tracks them: a.log; 1 ignored file]",
      );
      assert.equal(
        await tool("glob", { pattern: "*.log" }),
        "No files matched\n[not searched, as ignored, though git tracks them: a.log]\n" +
          "[1 ignored file not searched]",
      );
      assert.equal(
        await tool("grep", { pattern: "hit", path: "out" }),
        "out/kept:1:hit\nout/other:1:hit",
      );
      assert.equal(await tool("glob", { pattern: "build/**" }), "build/deep/x");
      assert.equal(
        await tool("glob", { pattern: "**", path: "sub" }),
        "sub/.gitignore\nsub/out/x\nsub/y.gen\n[left out: 1 ignored file]",
      );
    }),
);
