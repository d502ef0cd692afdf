import assert from "node:assert/strict";
import { checkStream, loadEntries, variants } from "../../scripts/conformance_streams.ts";
import { type Need, testWhere } from "../support/test_where.ts";

const entries = await loadEntries() ?? [];
const recorded: Need = {
  met: entries.length > 0,
  reason: "needs recorded streams beside the repository",
};

testWhere(
  recorded,
  "recorded streams of real servers are read exactly, however they are cut",
  async () => {
    const wrong: string[] = [];
    for (const variant of variants) {
      for (const entry of entries) {
        for (const problem of await checkStream(entry, variant)) {
          wrong.push(`${entry.file} (${variant}): ${problem}`);
        }
      }
    }
    assert.deepEqual(wrong, []);
  },
);
