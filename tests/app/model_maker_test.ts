import assert from "node:assert/strict";
import { createModelMaker } from "../../src/app/model_maker.ts";
import { realHost } from "../../src/host/real_host.ts";
import { withConversation } from "./harness.ts";

const noSignal = new AbortController().signal;

Deno.test("--api-key is for the first model's provider, whatever is chosen later", () =>
  withConversation({}, async ({ load }) => {
    const environment = await load();
    const models = createModelMaker({ apiKey: "sk-from-flag" }, realHost(), noSignal);
    const keyFor = (provider: string) => models.choose({ provider }, environment).key?.key;
    assert.equal(keyFor("anthropic"), "sk-from-flag");
    const first = await models.make({ provider: "openai", model: "gpt-5" }, environment);
    assert.deepEqual([first.provider, first.model], ["openai", "gpt-5"]);
    assert.equal(keyFor("openai"), "sk-from-flag");
    assert.equal(keyFor("anthropic"), undefined);
    await assert.rejects(
      models.make({ provider: "anthropic", model: "claude" }, environment),
      /no key for provider anthropic/,
    );
  }));

Deno.test("a session's own choice counts where nothing else was asked for", () =>
  withConversation({}, async ({ load }) => {
    const environment = await load();
    const models = createModelMaker({}, realHost(), noSignal);
    const selection = { provider: "openai", model: "gpt-own" };
    const choose = (wanted: { provider?: string; model?: string }) => {
      const { entry, model } = models.choose(wanted, environment, selection);
      return [entry.name, model];
    };
    assert.deepEqual(choose({}), ["openai", "gpt-own"]);
    assert.deepEqual(choose({ model: "gpt-other" }), ["openai", "gpt-other"]);
    assert.equal(choose({ provider: "anthropic" })[0], "anthropic");
    assert.notEqual(choose({ provider: "anthropic" })[1], "gpt-own");
  }));
