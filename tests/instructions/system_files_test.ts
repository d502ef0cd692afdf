/** The tests of SYSTEM.md and APPEND_SYSTEM.md. */
import assert from "node:assert/strict";
import { readSystemFiles } from "../../src/instructions/system_files.ts";
import { withTree } from "./files.ts";

Deno.test("system files: none give nothing", () =>
  withTree((tree) => {
    assert.deepEqual(readSystemFiles({ ...tree.locations, trusted: true }), { notices: [] });
    const { workspace } = tree.locations;
    assert.deepEqual(readSystemFiles({ workspace, trusted: false }), { notices: [] });
  }));

Deno.test("system files: the project's count only where it is trusted", () =>
  withTree((tree) => {
    tree.write("home/.nimlet/SYSTEM.md", "global system\r\n");
    tree.write("home/.nimlet/APPEND_SYSTEM.md", "global append\n");
    tree.write("w/.nimlet/SYSTEM.md", "\ufeffproject system");
    tree.write("w/.nimlet/APPEND_SYSTEM.md", "project append");
    assert.deepEqual(readSystemFiles({ ...tree.locations, trusted: false }), {
      replace: "global system",
      append: "global append",
      notices: [],
    });
    assert.deepEqual(readSystemFiles({ ...tree.locations, trusted: true }), {
      replace: "project system",
      append: "global append\n\nproject append",
      notices: [],
    });
  }));

Deno.test("system files: what cannot be used is said", () =>
  withTree(async (tree) => {
    tree.link(tree.write("o/secret", "secret"), "w/.nimlet/SYSTEM.md");
    await tree.pipe("w/.nimlet/APPEND_SYSTEM.md");
    tree.write("home/.nimlet/SYSTEM.md", " \n");
    tree.write("home/.nimlet/APPEND_SYSTEM.md", "x".repeat(70_000));
    const found = readSystemFiles({ ...tree.locations, trusted: true });
    assert.equal(found.replace, undefined);
    assert.ok(found.append!.startsWith("xxx"));
    assert.match(
      found.append!,
      /\[\.\.\. cut: ~\/\.nimlet\/APPEND_SYSTEM\.md has 70000 bytes \.\.\.\]$/,
    );
    assert.deepEqual(found.notices, [
      "~/.nimlet/SYSTEM.md is empty; it was skipped.",
      ".nimlet/SYSTEM.md is a link that leads outside the workspace; it was skipped.",
      "~/.nimlet/APPEND_SYSTEM.md has 70000 bytes; only 65536 are used.",
      ".nimlet/APPEND_SYSTEM.md is a pipe, not a file; it was skipped.",
    ]);
  }));

Deno.test("system files: a workspace that is the home folder reads each file once", () =>
  withTree((tree) => {
    tree.write("home/.nimlet/APPEND_SYSTEM.md", "once");
    const locations = { ...tree.locations, workspace: tree.home };
    assert.equal(readSystemFiles({ ...locations, trusted: true }).append, "once");
  }));
