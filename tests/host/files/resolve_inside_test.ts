/** Owns the tests of looking a path up for searches and git. */
import assert from "node:assert/strict";
import { resolveInside } from "../../../src/host/files/resolve_inside.ts";
import { withWorkspace } from "../../support/tool_context.ts";

Deno.test("paths are told with what is there, behind links and as written", () =>
  withWorkspace((root) => {
    const workspace = `${root}/w`;
    Deno.mkdirSync(`${workspace}/src/deep`, { recursive: true });
    Deno.mkdirSync(`${root}/o`);
    Deno.writeTextFileSync(`${workspace}/src/f`, "");
    Deno.writeTextFileSync(`${root}/o/f`, "");
    Deno.symlinkSync("src", `${workspace}/link`);
    Deno.symlinkSync("src/f", `${workspace}/flink`);
    Deno.symlinkSync(`${root}/o`, `${workspace}/out`);
    Deno.symlinkSync(`${root}/o/f`, `${workspace}/fout`);
    const look = (path: string) => resolveInside(workspace, path);

    assert.deepEqual(look("."), {
      absolute: workspace,
      relative: ".",
      written: ".",
      kind: "folder",
    });
    assert.deepEqual(look("link/deep/"), {
      absolute: `${workspace}/src/deep`,
      relative: "src/deep",
      written: "link/deep",
      kind: "folder",
    });
    assert.equal(look("flink").relative, "src/f");
    assert.equal(look("flink").kind, "file");
    assert.equal(look("link/../src").relative, "src");
    assert.deepEqual(look("gone/f"), {
      absolute: `${workspace}/gone/f`,
      relative: "gone/f",
      written: "gone/f",
      kind: undefined,
    });
    assert.equal(look("src/gone").kind, undefined);
    for (const path of ["out", "out/f", "fout", "..", "../o", "/etc", "out/none"]) {
      assert.throws(() => look(path), { message: `path is outside the workspace: ${path}` }, path);
    }
    assert.equal(look("out/../w").relative, ".");
    assert.ok(resolveInside("/", "etc").absolute.startsWith("/"));
    assert.equal(resolveInside("/", "dev/null").absolute, "/dev/null");
    return Promise.resolve();
  }));
