import assert from "node:assert/strict";
import { join } from "node:path";
import { createModel } from "../../src/providers/create_model.ts";
import { builtInFacts } from "../../src/providers/models/built_in.ts";
import { modelFacts } from "../../src/providers/models/lookup.ts";
import { refreshModels } from "../../src/providers/models/models_dev.ts";
import { withWorkspace } from "../support/tool_context.ts";
import { ask, withProvider } from "./ask.ts";
import { delta } from "./ask.ts";
import { streamAnswer } from "../support/fake_provider.ts";

const signal = new AbortController().signal;

Deno.test("well-known models are known, also with a vendor or a date in the name", () => {
  for (
    const name of [
      "claude-sonnet-4-5",
      "claude-sonnet-4-5-20250929",
      "anthropic/claude-sonnet-4.5",
    ]
  ) {
    const facts = builtInFacts(name);
    assert.equal(facts.contextWindow, 200_000, name);
    assert.equal(facts.images, true);
    assert.equal(facts.prices?.output, 15);
  }
  assert.equal(builtInFacts("openai/gpt-4.1-mini").contextWindow, 1_047_576);
  assert.equal(builtInFacts("gemini-2.5-flash").prices?.input, 0.3);
  assert.equal(builtInFacts("deepseek-chat").images, false);
  assert.deepEqual(builtInFacts("gpt-4o").thinking, ["none"]);
});

Deno.test("a new member of a family gets the family's facts, a stranger careful guesses", () => {
  assert.equal(builtInFacts("claude-nova-9").images, true);
  assert.ok(builtInFacts("gpt-5.9-super").contextWindow > 0);
  const stranger = builtInFacts("my-own-finetune");
  assert.equal(stranger.contextWindow, 0);
  assert.equal(stranger.maxOutputTokens, 0);
  assert.equal(stranger.prices, undefined);
});

const table = {
  anthropic: {
    id: "anthropic",
    models: {
      "claude-new": {
        id: "claude-new",
        name: "Claude New",
        reasoning: true,
        modalities: { input: ["text", "image"], output: ["text"] },
        cost: { input: 2, output: 20, cache_read: 0.2, cache_write: 2.5 },
        limit: { context: 500_000, output: 99_000 },
      },
    },
  },
  unrelated: { models: { x: { limit: { context: 1 } } } },
};

Deno.test("the table is fetched into its file, and counts from then on", async () => {
  await withWorkspace(async (folder) => {
    const path = join(folder, "models-dev.json");
    const fetched = () => Promise.resolve(Response.json(table));
    const write = (text: string) => Deno.writeTextFile(path, text);
    assert.equal(await refreshModels(fetched, write, signal), 1);
    assert.ok(!(await Deno.readTextFile(path)).includes("unrelated"));
    const facts = await modelFacts("anthropic", "claude-new", path);
    assert.equal(facts.contextWindow, 500_000);
    assert.equal(facts.maxOutputTokens, 99_000);
    assert.deepEqual(facts.prices, { input: 2, output: 20, cacheRead: 0.2, cacheWrite: 2.5 });
    const model = await createModel({
      provider: "anthropic",
      model: "claude-new",
      apiKey: "k",
      modelTable: path,
    });
    assert.equal(model.contextWindow, 500_000);
  });
});

Deno.test("a table that cannot be had or read changes nothing", async () => {
  const never = () => Promise.reject(new Error("nothing should be written"));
  const answers: [Response, RegExp][] = [
    [new Response("no", { status: 503 }), /answered with status 503/],
    [new Response("<html>"), /did not answer with a table of models/],
    [Response.json({ error: "x" }), /did not answer with a table of models/],
  ];
  for (const [answer, expected] of answers) {
    await assert.rejects(refreshModels(() => Promise.resolve(answer), never, signal), expected);
  }
  await withWorkspace(async (folder) => {
    const path = join(folder, "models-dev.json");
    const plain = await modelFacts("openai", "gpt-4o", path);
    await Deno.writeTextFile(path, "{ torn");
    assert.deepEqual(await modelFacts("openai", "gpt-4o", path), plain);
    await Deno.writeTextFile(path, '{"openai":{"models":{"gpt-4o":{"limit":"x","cost":7}}}}');
    assert.deepEqual(await modelFacts("openai", "gpt-4o", path), plain);
  });
});

Deno.test("the settings' context window counts before the table's", async () => {
  const spec = { provider: "openai", model: "gpt-4o", apiKey: "k" };
  assert.equal((await createModel(spec)).contextWindow, 128_000);
  assert.equal((await createModel({ ...spec, contextWindow: 7000 })).contextWindow, 7000);
  assert.equal((await createModel({ ...spec, contextWindow: 0 })).contextWindow, 128_000);
});

Deno.test("cost is estimated from prices, cached tokens apart, or told by the server", async () => {
  const usage = {
    prompt_tokens: 1_000_000,
    completion_tokens: 100_000,
    total_tokens: 1_100_000,
    prompt_tokens_details: { cached_tokens: 400_000 },
  };
  const answer = (more: object) =>
    streamAnswer("chat", [{ ...delta({ content: "x" }, "stop"), usage: { ...usage, ...more } }]);
  const costOf = (model: string, more = {}) =>
    withProvider(
      "openai-compatible",
      [answer(more)],
      async (asked) => (await ask(asked)).finish.usage.cost_usd,
      { model },
    );
  // gpt-4o: 2.5 and 10 dollars a million, cache reads 1.25.
  assert.equal(await costOf("gpt-4o"), 0.6 * 2.5 + 0.4 * 1.25 + 0.1 * 10);
  assert.equal(await costOf("gpt-4o", { cost: 0.5 }), 0.5);
  const vendor = { cost_details: { upstream_inference_cost: 2 } };
  assert.equal(await costOf("gpt-4o", { cost: 0.5, is_byok: true, ...vendor }), 2.5);
  assert.equal(await costOf("gpt-4o", { cost: 0.5, is_byok: false, ...vendor }), 0.5);
  assert.equal(await costOf("my-own-finetune"), undefined);
});
