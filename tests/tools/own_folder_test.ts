import assert from "node:assert/strict";
import type { Json } from "../../src/core/json.ts";
import type { AnyTool } from "../../src/core/tool.ts";
import { editTool } from "../../src/tools/edit.ts";
import { globTool } from "../../src/tools/glob.ts";
import { grepTool } from "../../src/tools/grep.ts";
import { readTool } from "../../src/tools/read.ts";
import { writeTool } from "../../src/tools/write.ts";
import { callTool, toolContext, withWorkspace } from "../support/tool_context.ts";
import { writeTree } from "../search/tree.ts";

const refused = /path is outside the workspace: .* \(nimlet's own folder is out of bounds/;

/** A home folder as workspace, with nimlet's own folder in it; `call` gives a result's text. */
async function atHome(
  use: (home: string, call: (tool: AnyTool, input: Json) => Promise<string>) => Promise<void>,
  options: { own?: string; workspace?: string } = {},
) {
  await withWorkspace(async (home) => {
    const { own = ".nimlet", workspace = "." } = options;
    await writeTree(home, { [`${own}/auth.json`]: "sk-PRIVATE\n", "notes.txt": "mine\n" });
    const context = { ...toolContext(`${home}/${workspace}`), nimletHome: `${home}/${own}` };
    await use(home, async (tool, input) => (await callTool(tool, input, context)).text);
  });
}

Deno.test("in a workspace that holds nimlet's own folder no file tool reaches it", () =>
  atHome(async (home, call) => {
    for (const path of [".nimlet/auth.json", "./x/../.nimlet/auth.json", ".nimlet/none"]) {
      assert.match(await call(readTool, { path }), refused);
      assert.match(await call(writeTool, { path, content: "", overwrite: true }), refused);
      assert.match(await call(editTool, { path, old_text: "sk", new_text: "" }), refused);
      assert.match(await call(grepTool, { pattern: "sk", path: ".nimlet" }), refused);
    }
    for (const pattern of [".nimlet/auth.json", ".nimlet/none", ".nimlet/{auth,trust}.json"]) {
      assert.match(await call(globTool, { pattern }), refused);
      assert.match(await call(grepTool, { pattern: "sk", path: pattern }), refused);
    }
    assert.match(await call(writeTool, { path: ".nimlet/new/x", content: "" }), refused);
    assert.match(await call(globTool, { pattern: "*", path: ".nimlet" }), refused);
    assert.match(await call(globTool, { pattern: ".nimlet/**" }), refused);
    const left = "[left out: nimlet's own folder: .nimlet]";
    assert.equal(await call(globTool, { pattern: "**" }), `notes.txt\n${left}`);
    assert.equal(
      await call(grepTool, { pattern: "PRIVATE" }),
      "No matches\n[not searched, as it is nimlet's own folder: .nimlet]",
    );
    assert.equal(
      await call(grepTool, { pattern: "sk-|mine" }),
      "notes.txt:1:mine\n[left out: nimlet's own folder: .nimlet]",
    );
    assert.equal(Deno.readTextFileSync(`${home}/.nimlet/auth.json`), "sk-PRIVATE\n");
    assert.deepEqual([...Deno.readDirSync(`${home}/.nimlet`)].map(({ name }) => name), [
      "auth.json",
    ]);
  }));

Deno.test("nor through links, whichever end of them has the known name", () =>
  atHome(async (home, call) => {
    Deno.symlinkSync(".nimlet/auth.json", `${home}/file-link`);
    Deno.symlinkSync(".nimlet", `${home}/folder-link`);
    for (const path of ["file-link", "folder-link/auth.json"]) {
      assert.match(await call(readTool, { path }), refused);
      assert.match(await call(writeTool, { path, content: "", overwrite: true }), refused);
      assert.match(await call(editTool, { path, old_text: "sk", new_text: "" }), refused);
    }
    assert.match(await call(grepTool, { pattern: "sk", path: "folder-link" }), refused);
    assert.match(await call(grepTool, { pattern: "sk", path: "file-link" }), refused);
    assert.match(await call(globTool, { pattern: "folder-link/*" }), refused);
    assert.equal(await call(globTool, { pattern: "*link*" }), "No files matched");
    // The own folder may itself be a link to where it really is.
    Deno.renameSync(`${home}/.nimlet`, `${home}/dotfiles`);
    Deno.symlinkSync("dotfiles", `${home}/.nimlet`);
    for (const path of ["dotfiles/auth.json", ".nimlet/auth.json"]) {
      assert.match(await call(readTool, { path }), refused);
    }
    assert.match(await call(grepTool, { pattern: "sk", path: "dotfiles" }), refused);
    assert.equal(
      await call(grepTool, { pattern: "sk-|mine" }),
      "notes.txt:1:mine\n[left out: nimlet's own folder: dotfiles]",
    );
  }));

Deno.test("an own folder that is still to be made cannot be made by a file tool", () =>
  atHome(async (home, call) => {
    Deno.removeSync(`${home}/.nimlet`, { recursive: true });
    for (const path of [".nimlet/trust.json", ".nimlet/a/b"]) {
      assert.match(await call(writeTool, { path, content: "{}" }), refused);
    }
    assert.deepEqual([...Deno.readDirSync(home)].map(({ name }) => name), ["notes.txt"]);
    assert.match(await call(writeTool, { path: ".nimlet2/x", content: "" }), /^path: /);
  }));

Deno.test("wherever the own folder is, and also where the workspace lies in it", async () => {
  const own = "state/nimlet";
  await atHome(async (home, call) => {
    assert.match(await call(readTool, { path: `${own}/auth.json` }), refused);
    const left = `[left out: nimlet's own folder: ${own}]`;
    assert.equal(await call(globTool, { pattern: "**" }), `notes.txt\n${left}`);
    // Only the folder in use is out of bounds.
    await writeTree(home, { ".nimlet/config.json": "x" });
    assert.match(await call(readTool, { path: ".nimlet/config.json" }), /1\tx/);
  }, { own });
  await atHome(async (_, call) => {
    assert.match(await call(readTool, { path: "auth.json" }), refused);
    assert.match(await call(writeTool, { path: "new", content: "" }), refused);
    assert.match(await call(globTool, { pattern: "**" }), refused);
    assert.match(await call(grepTool, { pattern: "sk" }), refused);
  }, { own, workspace: own });
});
