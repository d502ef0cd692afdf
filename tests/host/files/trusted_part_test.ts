/** The check of which changes need approval, and that the one that was permitted is the one made. */
import assert from "node:assert/strict";
import { changeKey } from "../../../src/host/files/trusted_part.ts";
import { editTool } from "../../../src/tools/edit.ts";
import { writeTool } from "../../../src/tools/write.ts";
import { writeTree } from "../../search/tree.ts";
import { callTool, toolContext, withWorkspace } from "../../support/tool_context.ts";

Deno.test("a change of a trusted part has a key, by its real path", () =>
  withWorkspace(async (workspace) => {
    await writeTree(workspace, {
      ".nimlet/tools/t/run": "",
      ".git/config": "",
      "sub/.git/config": "",
      "src/a.ts": "",
    });
    await Deno.symlink(".nimlet/tools", `${workspace}/link`);
    await Deno.symlink("../.git/config", `${workspace}/src/config`);
    const keys: Record<string, string | undefined> = {
      ".nimlet/tools/t/run": "write:.nimlet/tools/t/run",
      "./.nimlet//x": "write:.nimlet/x",
      "src/../.nimlet/x": "write:.nimlet/x",
      ".nimlet/new/folder/x": "write:.nimlet/new/folder/x",
      ".agent/tools/new/tool.json": "write:.agent/tools/new/tool.json",
      ".agents/skills/s/SKILL.md": "write:.agents/skills/s/SKILL.md",
      ".git/hooks/pre-commit": "write:.git/hooks/pre-commit",
      "sub/.git/hooks/x": "write:sub/.git/hooks/x",
      "packages/new/.git": "write:packages/new/.git",
      ".git": "write:.git",
      "link/t/run": "write:.nimlet/tools/t/run",
      "link/new/run": "write:.nimlet/tools/new/run",
      "src/config": "write:.git/config",
      "src/a.ts": undefined,
      "new/a.ts": undefined,
      ".gitignore": undefined,
      ".github/workflows/ci.yml": undefined,
      "nimlet/x": undefined,
      // Refused for what it is, whatever was permitted.
      "../x": undefined,
      "": undefined,
    };
    for (const [path, key] of Object.entries(keys)) {
      assert.equal(changeKey("write", { workspace }, path), key, path);
    }
    assert.equal(changeKey("edit", { workspace }, ".git/config"), "edit:.git/config");
  }));

Deno.test("other spellings of the names count where they mean the same, or nothing is there yet", () =>
  withWorkspace(async (workspace) => {
    const key = (path: string) => changeKey("write", { workspace }, path);
    for (const path of [".GIT/hooks/x", ".Nimlet/x", ".g\u200dit/x"]) assert.ok(key(path), path);
    // Here they are folders of their own, as the file system tells them apart.
    await Deno.mkdir(`${workspace}/.GIT`);
    await Deno.mkdir(`${workspace}/.git`).catch(() => {});
    const apart = (await Deno.stat(`${workspace}/.GIT`)).ino !==
      (await Deno.stat(`${workspace}/.git`)).ino;
    assert.equal(key(".GIT/hooks/x"), apart ? undefined : "write:.GIT/hooks/x");
  }));

Deno.test("what a trusted part is a link to, or a repository's file names, counts too", () =>
  withWorkspace(async (workspace) => {
    await writeTree(workspace, { "conf/tools/t/run": "", "data/config": "", "src/a.ts": "" });
    await Deno.symlink("conf", `${workspace}/.nimlet`);
    await Deno.writeTextFile(`${workspace}/.git`, "gitdir: data\n");
    const key = (path: string) => changeKey("edit", { workspace }, path);
    assert.equal(key("conf/tools/t/run"), "edit:conf/tools/t/run");
    assert.equal(key(".nimlet/tools/t/run"), "edit:conf/tools/t/run");
    assert.equal(key("data/hooks/x"), "edit:data/hooks/x");
    assert.equal(key("src/a.ts"), undefined);
  }));

Deno.test("a path that leads to a trusted part only after it was permitted is refused", () =>
  withWorkspace(async (workspace) => {
    await writeTree(workspace, { ".git/config": "old\n", "docs/config": "old\n" });
    const context = { ...toolContext(workspace), permittedKey: "" };
    const write = { path: "docs/config", content: "new\n", overwrite: true };
    const edit = { path: "docs/config", old_text: "old", new_text: "new" };
    assert.equal(changeKey("write", context, "docs/config"), undefined);
    await Deno.remove(`${workspace}/docs`, { recursive: true });
    await Deno.symlink(".git", `${workspace}/docs`);
    for (const call of [callTool(writeTool, write, context), callTool(editTool, edit, context)]) {
      const { text, code } = await call;
      assert.match(text, /approval_denied: docs\/config leads to \.git\/config by now, /);
      assert.equal(code, "approval_denied");
    }
    assert.equal(Deno.readTextFileSync(`${workspace}/.git/config`), "old\n");
    const permitted = { ...context, permittedKey: "write:.git/config" };
    assert.match((await callTool(writeTool, write, permitted)).text, /^path: docs\/config\n/);
    // One change was permitted, not the other.
    assert.match((await callTool(editTool, edit, permitted)).text, /approval_denied/);
  }));
