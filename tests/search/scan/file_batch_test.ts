/** The files of a batch, as one thread writes them and another reads them. */
import assert from "node:assert/strict";
import { batchWriter } from "../../../src/search/scan/file_batch.ts";
import { createOneFile } from "../../../src/search/scan/one_file.ts";
import { withWorkspace } from "../../support/tool_context.ts";
import { writeTree } from "../tree.ts";
import { staysOpen } from "../../support/stays_open.ts";

/** More files than the runtime itself opens before the system's calls do. */
const rounds = 40;

Deno.test(
  "every file of a batch is read in its order, whatever its folder",
  staysOpen,
  async () => {
    await withWorkspace(async (workspace) => {
      const long = Array.from({ length: 20 }, () => "x".repeat(250)).join("/");
      const paths = ["a.ts", "a/b.ts", "a/c/é.ts", "a/d.ts", "z.ts", "\ufeffmark/日本.md"];
      const missing = ["gone.ts", "a/gone.ts", "gone/b.ts", "a.ts/b.ts", `${long}/b.ts`];
      await writeTree(workspace, Object.fromEntries(paths.map((path) => [path, `in ${path}`])));
      const all = [...paths, ...missing, ...paths].sort();
      const writer = batchWriter();
      const file = createOneFile(), buffer = new Uint8Array(1000);
      for (let round = 0; round < rounds; round++) {
        for (const path of all) {
          const nameAt = path.lastIndexOf("/") + 1;
          writer.add(path.slice(0, nameAt), path.slice(nameAt));
        }
        assert.equal(writer.count(), all.length);
        const batch = writer.take();
        assert.equal(writer.count(), 0);
        assert.equal(batch.count, all.length);
        assert.deepEqual(batch.paths(), all);

        file.start(`${workspace}/`, batch.bytes);
        for (const path of all) {
          assert.ok(file.next());
          // as where a file is left out
          if ((round + path.length) % 7 === 0) continue;
          const length = file.read(buffer);
          if (missing.includes(path)) assert.equal(length, undefined, path);
          else {
            assert.equal(new TextDecoder().decode(buffer.subarray(0, length)), `in ${path}`);
            const { dev, ino } = Deno.statSync(`${workspace}/${path}`);
            assert.equal(file.id(), `${dev}-${ino}`);
          }
        }
        assert.ok(!file.next());
        file.close();
      }
    });
  },
);
