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

Deno.test("a local server that wants a key is given the one of the settings, or of auth.json", async () => {
  const provider = startFakeProvider([1, 2, 3].map(() => textAnswer("chat", "hi")));
  try {
    await withScratch(async ({ workspace, home }) => {
      const write = async (name: string, value: unknown) => {
        await Deno.mkdir(`${home}/.nimlet`, { recursive: true });
        await Deno.writeTextFile(`${home}/.nimlet/${name}`, JSON.stringify(value), { mode: 0o600 });
      };
      const endpoint = provider.url;
      const run = () =>
        runProgram(["--provider", "local", "--model", "m", "-p", "x"], { cwd: workspace });
      await write("config.json", { providers: { local: { endpoint } } });
      assert.equal((await run()).code, 0);
      await write("auth.json", { local: { type: "api_key", key: "of-auth" } });
      assert.equal((await run()).code, 0);
      await write("config.json", { providers: { local: { endpoint, api_key: "of-settings" } } });
      assert.equal((await run()).code, 0);
      assert.deepEqual(
        provider.requests.map(({ headers }) => headers.authorization),
        [undefined, "Bearer of-auth", "Bearer of-settings"],
      );

      await write("config.json", {
        providers: { local: { endpoint, api_key: "{env:NO_SUCH_VARIABLE}" } },
      });
      const unset = await run();
      assert.equal(unset.code, 2);
      assert.match(unset.stderr, /providers\.local\.api_key: .*NO_SUCH_VARIABLE is not set/);
    });
  } finally {
    await provider.close();
  }
});
