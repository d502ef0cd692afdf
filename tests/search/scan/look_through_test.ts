/** Patterns that only workers may match: this thread looks for the files that may, whatever their share. */
import assert from "node:assert/strict";
import { lookInside } from "../../../src/host/files/look_inside.ts";
import { planQuery } from "../../../src/search/engine/query.ts";
import { createGrepFiles } from "../../../src/search/scan/grep_files.ts";
import { withWorkspace } from "../../support/tool_context.ts";
import { writeTree } from "../tree.ts";
import { staysOpen } from "../../support/stays_open.ts";

const { signal } = new AbortController();
const light = "needle \\d+", heavy = "(?>ne)edle (\\d+)";

const latin1 = (text: string) => Uint8Array.from(text, (char) => char.charCodeAt(0));

/** Files of every kind, of which one in `every` matches. */
function filesWithOneIn(every: number): Record<string, string | Uint8Array> {
  const files: Record<string, string | Uint8Array> = {};
  for (let index = 0; index < 300; index++) {
    const hit = index % every === 0 ? `a needle ${index}\n` : "hay\n";
    const path = `${index % 7}/${String(index).padStart(3, "0")}`;
    const kind = index % 10;
    files[path] = kind === 3
      ? `\0${hit}`
      : kind === 4
      ? latin1(`caf\xe9 ${hit}`)
      : kind === 5
      ? latin1(`caf\xe9 needle without a number\n`)
      : kind === 6 && index < 60
      ? "x".repeat(1024 * 1024 + 1)
      : `one line\n${hit}`;
  }
  return files;
}

for (const every of [1, 3, 40, 1000]) {
  Deno.test(
    `what one file in ${every} holds is found as by a light pattern`,
    staysOpen,
    async () => {
      assert.ok(planQuery({ pattern: light, caseInsensitive: false }).light);
      const { light: isLight, bytes } = planQuery({ pattern: heavy, caseInsensitive: false });
      assert.ok(!isLight && bytes);
      await withWorkspace(async (workspace) => {
        await writeTree(workspace, filesWithOneIn(every));
        const bounds = {
          workspace,
          confirm: (paths: readonly string[]) => lookInside({ workspace }, paths),
        };
        const search = (pattern: string, path = ".") =>
          createGrepFiles()({
            ...{ bounds, pattern, path, caseInsensitive: false, glob: undefined, maxMatches: 50 },
          }, signal);
        const found = await search(light);
        assert.deepEqual(await search(heavy), found);
        assert.ok(found.skipped.binary.count > 0 && found.skipped.large.count > 0);
        // one file alone: a hit, no hit, bytes that are not UTF-8 with each, a binary file
        for (const path of ["0/000", "1/001", "4/004", "5/005", "3/003"]) {
          assert.deepEqual(await search(heavy, path), await search(light, path), path);
        }
      });
    },
  );
}
