/** The tests of what is said of an absolute path in the workspace, by every tool that takes one. */
import assert from "node:assert/strict";
import { runProgram, withScratch } from "../support/program.ts";

Deno.test("every tool refuses an absolute path in the workspace with the one to write", () =>
  withScratch(async ({ workspace, outside }) => {
    await Deno.mkdir(`${workspace}/src`);
    await Deno.writeTextFile(`${workspace}/src/a.txt`, "hi\n");
    await new Deno.Command("git", { args: ["init", "-q", workspace] }).output();
    const path = `${workspace}/src/a.txt`;
    const calls: [tool: string, input: Record<string, unknown>, relative: string][] = [
      ["read", { path }, "src/a.txt"],
      ["edit", { path, old_text: "hi", new_text: "ho" }, "src/a.txt"],
      ["write", { path, content: "ho", overwrite: true }, "src/a.txt"],
      ["grep", { pattern: "hi", path: `${workspace}/src` }, "src"],
      ["grep", { pattern: "hi", glob: `${workspace}/src/*.txt` }, "src/*.txt"],
      ["glob", { pattern: `${workspace}/**` }, "**"],
      ["glob", { pattern: "*", path: workspace }, "."],
      ["git", { operation: "log", path }, "src/a.txt"],
    ];
    for (const [tool, input, relative] of calls) {
      const args = ["--call-tool", tool, JSON.stringify(input)];
      const { code, stdout } = await runProgram(args, { cwd: workspace });
      assert.equal(code, 1);
      const start = tool === "edit" ? "EDIT_FAILED: " : "";
      const [first] = stdout.split("\n");
      assert.equal(first, `${start}expected a workspace-relative path: write ${relative}`);
    }
    assert.equal(await Deno.readTextFile(path), "hi\n");
    const elsewhere = ["--call-tool", "read", JSON.stringify({ path: `${outside}/a.txt` })];
    const { stdout } = await runProgram(elsewhere, { cwd: workspace });
    assert.equal(stdout, `path is outside the workspace: ${outside}/a.txt\n`);
  }));
