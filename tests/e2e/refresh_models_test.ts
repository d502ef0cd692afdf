import assert from "node:assert/strict";
import { startFakeProvider } from "../support/fake_provider.ts";
import { runProgram, withScratch } from "../support/program.ts";

const table = JSON.stringify({
  "openai-compatible": {
    id: "openai-compatible",
    models: {
      m1: { id: "m1", limit: { context: 1234, output: 56 }, cost: { input: 1, output: 2 } },
    },
  },
});

Deno.test("the model table is fetched on demand, whole or not at all", async () => {
  const server = startFakeProvider([{ body: table }, { status: 500, body: "no" }, { body: "[" }]);
  try {
    await withScratch(async ({ workspace, home }) => {
      const env = { NIMLET_MODELS_URL: server.url };
      const good = await runProgram(["--refresh-models"], { cwd: workspace, env });
      assert.equal(good.code, 0, good.stderr);
      assert.match(good.stdout, /^1 models? written to .*models-dev\.json\n$/);
      const kept = await Deno.readTextFile(`${home}/.nimlet/models-dev.json`);
      assert.match(kept, /1234/);
      for (const _ of ["a failing server", "a broken table"]) {
        const bad = await runProgram(["--refresh-models"], { cwd: workspace, env });
        assert.equal(bad.code, 1);
        assert.match(bad.stderr, /^nimlet: --refresh-models: /);
        assert.equal(await Deno.readTextFile(`${home}/.nimlet/models-dev.json`), kept);
      }
    });
  } finally {
    await server.close();
  }
});
