/** The tests of whether a path lies in a folder. */
import assert from "node:assert/strict";
import { isInside } from "../../src/lib/path_inside.ts";

Deno.test("a folder holds itself and what is below it, and not what only begins alike", () => {
  const cases: [folder: string, path: string, inside: boolean][] = [
    ["/a/b", "/a/b", true],
    ["/a/b", "/a/b/c", true],
    ["/a/b", "/a/b/..c", true],
    ["/a/b", "/a/bc", false],
    ["/a/b", "/a", false],
    ["/a/b", "/", false],
    ["/", "/", true],
    ["/", "/a", true],
  ];
  for (const [folder, path, inside] of cases) {
    assert.equal(isInside(folder, path), inside, `${path} in ${folder}`);
  }
});
