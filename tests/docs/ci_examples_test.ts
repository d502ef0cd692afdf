/** The check that jobs which the docs show can be read, and have a nimlet to run. */
import assert from "node:assert/strict";
import { parseAllDocuments } from "yaml";
import { pages, root } from "./shown_commands.ts";

const examples = pages().flatMap((page) =>
  [...Deno.readTextFileSync(root + page).matchAll(/^```ya?ml\n([^]*?)^```$/gm)]
    .map(([, text], index) => ({ place: `${page}, ${index + 1}`, text: text! }))
).filter(({ text }) => /\bnimlet /.test(text));

for (const { place, text } of examples) {
  Deno.test(`docs: the job of ${place} is YAML, and installs nimlet before it runs it`, () => {
    for (const document of parseAllDocuments(text)) {
      assert.deepEqual([document.errors, document.warnings], [[], []]);
    }
    const runs = text.search(/\bnimlet (-|")/);
    assert.ok(runs > 0, "it runs nimlet");
    // a pod has what its image holds
    if (/^kind: Job$/m.test(text)) return assert.match(text, /image: \S+nimlet/);
    const [installs, path] = [/scripts\/install\.sh/, /GITHUB_PATH|export PATH=/]
      .map((step) => text.search(step));
    assert.ok(installs! > 0 && installs! < runs, "it installs nimlet first");
    assert.ok(path! > installs! && path! < runs, "it puts nimlet on PATH");
  });
}

Deno.test("docs: there are jobs for CI", () => assert.ok(examples.length >= 4));
