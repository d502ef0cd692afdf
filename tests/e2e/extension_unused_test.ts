/** Without an extension or hook nothing of either is loaded, and nothing of an untrusted project's. */
import assert from "node:assert/strict";
import { say } from "../support/cassette.ts";
import { loadedFiles, recordedSource } from "../support/loaded_files.ts";
import { type ExtensionPlace, type GivenExtension, withExtensions } from "../support/extensions.ts";
import { testWhere } from "../support/test_where.ts";
import { runProgram } from "../support/program.ts";

/** Runs a prompt; gives the files of extensions and hooks that were loaded. */
async function loaded({ root, model, workspace, home }: ExtensionPlace): Promise<string[]> {
  const folder = await Deno.makeTempDir({ dir: root });
  const { code, stderr } = await runProgram([...model, "-p", "go"], {
    cwd: workspace,
    env: { HOME: home, DENO_COVERAGE_DIR: folder },
  });
  assert.equal(code, 0, stderr);
  const files = loadedFiles(folder);
  assert.ok(files.includes("app/extensions.ts"), "what runs is recorded");
  return files.filter((file) => /^(?:extensions|hooks)\//.test(file)).sort();
}

for (
  const { how, given, expected } of [
    { how: "no extension", given: [], expected: [] },
    {
      how: "one of an untrusted project",
      given: [{ inProject: true, register: { events: ["tool_call"] } }],
      expected: [],
    },
    { how: "one", given: [{ register: {} }], expected: ["extensions/pool.ts", "hooks/matcher.ts"] },
  ] as { how: string; given: GivenExtension[]; expected: string[] }[]
) {
  testWhere(
    recordedSource,
    `what is loaded of extensions and hooks where there is ${how}`,
    () =>
      withExtensions(given, [say("ok")], async (place) => {
        const files = await loaded(place);
        if (expected.length === 0) assert.deepEqual(files, []);
        // the library that it needs costs more than all the rest
        assert.ok(
          !files.includes("extensions/protocol.ts"),
          "schemas are for those that print them",
        );
        for (const file of expected) assert.ok(files.includes(file), `${files}`);
        assert.equal((await place.starts().catch(() => [])).length, how === "one" ? 1 : 0);
      }),
  );
}
