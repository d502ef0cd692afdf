/** The tests of the rule on path strings. */
import assert from "node:assert/strict";
import { ToolFailure } from "../../../src/core/failure.ts";
import { parsePath } from "../../../src/host/files/path_rule.ts";

function codeOf(path: string): string {
  try {
    parsePath(path, "/w");
  } catch (error) {
    if (error instanceof ToolFailure) return error.code;
    throw error;
  }
  return "fine";
}

Deno.test("workspace-relative names are taken as they are", () => {
  const names = [
    "a",
    "..hello/f",
    "...",
    "a..b",
    " lead",
    "trail.",
    "a/../b",
    "./a//b",
    "~x",
    "$x",
    "-f",
  ];
  for (const path of names) assert.equal(codeOf(path), "fine", path);
  assert.equal(parsePath("./a//b/.", "/w").text, "a/b");
  assert.equal(parsePath(".", "/w").text, ".");
  assert.equal(parsePath("a/", "/w").namesFolder, true);
  assert.deepEqual(parsePath("l/../x", "/w").segments, ["x"]);
});

Deno.test("absolute paths, climbing out and homes are outside", () => {
  const paths = [
    "/",
    "/etc/passwd",
    "..",
    "../x",
    "a/../../x",
    "~",
    "~/x",
    "$HOME",
    "$HOME/x",
    "${HOME}/x",
  ];
  for (const path of [...paths, "C:\\x", "c:/x", "//x", "./../x"]) {
    assert.equal(codeOf(path), "outside_workspace", path);
  }
});

Deno.test("empty paths, NUL and half characters are no paths", () => {
  for (const path of ["", "a\0b", "\ud800"]) assert.equal(codeOf(path), "invalid_arguments", path);
});
