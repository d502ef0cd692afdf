/** The tests of the sentence for a path that is not taken. */
import assert from "node:assert/strict";
import { refusedPathMessage } from "../../src/core/workspace_path.ts";

Deno.test("an absolute path in the workspace gets the relative one to write", () => {
  for (
    const [path, relative] of [
      ["/home/me/w/src/a.txt", "src/a.txt"],
      ["/home/me/w/./src//b/../a.txt", "src/a.txt"],
      ["/home/me/x/../w/src/*.ts", "src/*.ts"],
      ["/home/me/w", "."],
      ["/home/me/w/", "."],
    ]
  ) {
    assert.equal(
      refusedPathMessage(path!, "/home/me/w"),
      `expected a workspace-relative path: write ${relative}`,
    );
  }
  assert.equal(refusedPathMessage("/a", "/"), "expected a workspace-relative path: write a");
});

Deno.test("any other path is outside", () => {
  for (const path of ["/home/me/w2/a", "/home/me/w/../x", "/etc", "/../..", "../a", "/home/me"]) {
    assert.equal(refusedPathMessage(path, "/home/me/w"), `path is outside the workspace: ${path}`);
  }
});
