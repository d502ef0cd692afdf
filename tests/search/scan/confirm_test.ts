import assert from "node:assert/strict";
import { lookInside } from "../../../src/host/files/look_inside.ts";
import { createGrepFiles } from "../../../src/search/scan/grep_files.ts";
import { listFiles } from "../../../src/search/walk/list_files.ts";
import type { SearchBounds } from "../../../src/search/walk/search_root.ts";
import { globTool } from "../../../src/tools/glob.ts";
import { createGrepTool } from "../../../src/tools/grep.ts";
import { untilBoth, whileSwapping } from "../../support/swapper.ts";
import { callTool, toolContext, withWorkspace } from "../../support/tool_context.ts";
import { writeTree } from "../tree.ts";
import { staysOpen } from "../../support/stays_open.ts";

const { signal } = new AbortController();

/** Bounds whose last look comes after `meanwhile`, as if another process had been at work. */
function boundsAfter(workspace: string, meanwhile: () => void): SearchBounds {
  let done = false;
  return {
    workspace,
    confirm(paths) {
      if (!done) meanwhile();
      done = true;
      return lookInside({ workspace }, paths);
    },
  };
}

function grep(bounds: SearchBounds) {
  const request = { bounds, pattern: "mark", caseInsensitive: false, path: "." };
  return createGrepFiles()({ ...request, glob: undefined, maxMatches: 80 }, signal);
}

/** A workspace with `d/a.txt` and `e.txt`, and a folder outside it with the same names. */
async function withTwo(use: (workspace: string, outside: string) => Promise<void>) {
  await withWorkspace(async (root) => {
    const workspace = `${root}/w`, outside = `${root}/o`;
    await writeTree(workspace, { "d/a.txt": "mark inside\n", "e.txt": "mark\n" });
    await writeTree(outside, { "a.txt": "mark outside\n", "only-there.txt": "mark\n" });
    await use(workspace, outside);
  });
}

Deno.test("lines of a file that has been replaced since are left out, and this is said", () =>
  withTwo(async (workspace) => {
    const result = await grep(boundsAfter(workspace, () => {
      Deno.writeTextFileSync(`${workspace}/new`, "another\n");
      Deno.renameSync(`${workspace}/new`, `${workspace}/d/a.txt`);
    }));
    assert.deepEqual(result.matches.map(({ path }) => path), ["e.txt"]);
    assert.equal(result.changed, 1);
  }));

Deno.test("lines and names below a folder that leads outside by then are left out", () =>
  withTwo(async (workspace, outside) => {
    const swap = () => {
      Deno.renameSync(`${workspace}/d`, `${workspace}/spare`);
      Deno.symlinkSync(outside, `${workspace}/d`);
    };
    const result = await grep(boundsAfter(workspace, swap));
    assert.deepEqual(result.matches.map(({ path }) => path), ["e.txt"]);
    Deno.removeSync(`${workspace}/d`);
    Deno.renameSync(`${workspace}/spare`, `${workspace}/d`);
    const request = { pattern: "**", path: ".", maxPaths: 80 };
    const list = await listFiles({ bounds: boundsAfter(workspace, swap), ...request }, signal);
    assert.deepEqual(list.paths, ["e.txt"]);
  }));

Deno.test("names of what was not searched are left out, too, once they lead outside", () =>
  withWorkspace(async (root) => {
    const workspace = `${root}/w`;
    await writeTree(workspace, { "d/x.bin": "\0", "d/dist/y": "", "z": "" });
    await Deno.mkdir(`${root}/o`);
    const result = await grep(boundsAfter(workspace, () => {
      Deno.renameSync(`${workspace}/d`, `${workspace}/spare`);
      Deno.symlinkSync(`${root}/o`, `${workspace}/d`);
    }));
    assert.deepEqual(result.skipped.binary, { count: 0, paths: [] });
    assert.deepEqual([result.leftOut.folderCount, result.leftOut.folders], [0, []]);
  }));

for (const tool of [createGrepTool(), globTool]) {
  Deno.test(
    `${tool.name} gives out nothing of a folder that is swapped for a link`,
    staysOpen,
    () =>
      withTwo(async (workspace, outside) => {
        await Deno.symlink(outside, `${workspace}/e`);
        const context = toolContext(workspace);
        const input = tool.name === "grep" ? { pattern: "mark", path: "d" } : { pattern: "d/*" };
        await whileSwapping(`${workspace}/d`, `${workspace}/e`, async () => {
          const { yes, no } = await untilBoth(20, async () => {
            const { text } = await callTool(tool, input, context);
            assert.doesNotMatch(text, /outside$|only-there/m);
            return text.includes("a.txt");
          });
          assert.ok(yes >= 20 && no >= 20, `${yes} results with matches, ${no} without`);
        });
      }),
  );
}
