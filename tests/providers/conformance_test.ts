import assert from "node:assert/strict";
import { checkStream, loadEntries, variants } from "../../scripts/conformance_streams.ts";

Deno.test("recorded streams of real servers are read exactly, however they are cut", async () => {
  const entries = await loadEntries();
  if (entries === undefined) {
    console.warn("skipped: the recorded streams do not lie beside the repository");
    return;
  }
  const wrong: string[] = [];
  for (const variant of variants) {
    for (const entry of entries) {
      for (const problem of await checkStream(entry, variant)) {
        wrong.push(`${entry.file} (${variant}): ${problem}`);
      }
    }
  }
  assert.deepEqual(wrong, []);
  console.warn(`${entries.length} recorded streams in ${variants.length} forms read exactly`);
});
