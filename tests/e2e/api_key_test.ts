import assert from "node:assert/strict";
import { startFakeProvider, textAnswer } from "../support/fake_provider.ts";
import { runProgram, withScratch } from "../support/program.ts";

Deno.test("a key given on the command line goes to its provider, and never into a file or event", async () => {
  const provider = startFakeProvider([textAnswer("chat", "hi")]);
  try {
    await withScratch(async ({ workspace, home }) => {
      await Deno.mkdir(`${home}/.nimlet`);
      await Deno.writeTextFile(
        `${home}/.nimlet/config.json`,
        JSON.stringify({ providers: { "openai-compatible": { endpoint: provider.url } } }),
      );
      const key = "key-of-the-command-line";
      const result = await runProgram(
        [
          "--provider",
          "openai-compatible",
          "--model",
          "m",
          "--api-key",
          key,
          "--mode",
          "json",
          "x",
        ],
        { cwd: workspace },
      );
      assert.equal(result.code, 0, result.stderr);
      assert.equal(provider.requests[0]!.headers.authorization, `Bearer ${key}`);
      assert.ok(!(result.stdout + result.stderr).includes(key));
      for await (const file of Deno.readDir(`${home}/.nimlet/sessions`)) {
        const text = await Deno.readTextFile(`${home}/.nimlet/sessions/${file.name}`);
        assert.ok(!text.includes(key));
      }
    });
  } finally {
    await provider.close();
  }
});
