import assert from "node:assert/strict";
import { RunFailure } from "../../src/core/failure.ts";
import { ModelError } from "../../src/core/model.ts";
import { listModels } from "../../src/providers/list_models.ts";
import type { ServerSpec } from "../../src/providers/server.ts";
import { errorAnswer, type Scripted, startFakeProvider } from "../support/fake_provider.ts";

const signal = new AbortController().signal;

async function listed(answers: readonly Scripted[], spec: Partial<ServerSpec> = {}) {
  const provider = startFakeProvider(answers);
  try {
    const endpoint = spec.endpoint ?? provider.url;
    const models = await listModels(
      { provider: "openai", apiKey: "k3y", ...spec, endpoint },
      signal,
    );
    return { models, requests: provider.requests };
  } finally {
    await provider.close();
  }
}

function json(value: unknown): Scripted {
  return { body: JSON.stringify(value) };
}

Deno.test("a list in OpenAI's form is asked for with the key, and sorted", async () => {
  const { models, requests } = await listed([
    json({ object: "list", data: [{ id: "zeta" }, { id: "alpha", context_length: 1000 }, {}] }),
  ], { headers: { "x-team": "blue-team" } });
  assert.deepEqual(models, [{ id: "alpha", contextWindow: 1000 }, { id: "zeta" }]);
  const [{ method, path, headers } = assert.fail()] = requests;
  assert.deepEqual([method, path], ["GET", "/v1/models"]);
  assert.equal(headers.authorization, "Bearer k3y");
  assert.equal(headers["x-team"], "blue-team");
  assert.equal(headers["content-type"], undefined);
});

Deno.test("lists of other servers' forms are read", async () => {
  const spec = { provider: "openai-compatible" };
  const forms: [unknown, unknown][] = [
    [["b", "a"], [{ id: "a" }, { id: "b" }]],
    [{ models: [{ name: "llama", model: "llama" }] }, [{ id: "llama" }]],
    [[{ id: "together", context_length: 8192 }], [{ id: "together", contextWindow: 8192 }]],
    [{ data: [{ id: "vllm", max_model_len: 4096 }] }, [{ id: "vllm", contextWindow: 4096 }]],
    [{ data: [{ id: "embed", capabilities: { completion_chat: false } }] }, []],
    [{ data: [] }, []],
  ];
  for (const [form, expected] of forms) {
    assert.deepEqual((await listed([json(form)], spec)).models, expected, JSON.stringify(form));
  }
});

Deno.test("Anthropic's pages are all read", async () => {
  const { models, requests } = await listed([
    json({ data: [{ id: "claude-b", type: "model" }], has_more: true, last_id: "claude-b" }),
    json({ data: [{ id: "claude-a", type: "model" }], has_more: false, last_id: "claude-a" }),
  ], { provider: "anthropic" });
  assert.deepEqual(models.map(({ id }) => id), ["claude-a", "claude-b"]);
  assert.equal(requests[1]?.path, "/v1/models?limit=1000&after_id=claude-b");
  assert.equal(requests[0]?.headers["x-api-key"], "k3y");
  assert.equal(requests[0]?.headers["anthropic-version"], "2023-06-01");
});

Deno.test("Google's pages are all read, without models that do not answer", async () => {
  const { models, requests } = await listed([
    json({
      models: [
        {
          name: "models/gemini-x",
          inputTokenLimit: 1048576,
          supportedGenerationMethods: ["generateContent"],
        },
        { name: "models/embedding-1", supportedGenerationMethods: ["embedContent"] },
      ],
      nextPageToken: "p/2",
    }),
    json({ models: [{ name: "models/gemma" }] }),
  ], { provider: "google" });
  assert.deepEqual(models, [{ id: "gemini-x", contextWindow: 1048576 }, { id: "gemma" }]);
  assert.equal(requests[1]?.path, "/v1/models?pageSize=1000&pageToken=p%2F2");
  assert.equal(requests[0]?.headers["x-goog-api-key"], "k3y");
});

Deno.test("a server that names the same next page for ever ends", async () => {
  const page = { data: [{ id: "m" }], has_more: true, last_id: "m" };
  const { requests } = await listed([json(page), json(page)], { provider: "anthropic" });
  assert.equal(requests.length, 2);
});

Deno.test("an address within the same server is followed, the query goes along", async () => {
  const provider = startFakeProvider([
    { status: 308, headers: { location: "/v2/models" }, body: "" },
    json({ data: [{ id: "m" }] }),
  ]);
  try {
    const endpoint = `${provider.url}?version=7`;
    const models = await listModels({ provider: "openai", apiKey: "k3y", endpoint }, signal);
    assert.deepEqual(models, [{ id: "m" }]);
    assert.deepEqual(provider.requests.map(({ path }) => path), [
      "/v1/models?version=7",
      "/v2/models",
    ]);
  } finally {
    await provider.close();
  }
});

Deno.test("a failure is one sentence, without the key, that says what to do", async () => {
  const cases: [Scripted, RegExp][] = [
    [
      errorAnswer(401, "bad key k3y-long-enough"),
      /^openai \(http[^ ]+\) answered 401: .*OPENAI_API_KEY/,
    ],
    [errorAnswer(404, "no such page"), /answered 404.*some servers have no list of models\.$/],
    [{ body: "<!doctype html><p>Hello" }, /is a web page; check the endpoint/],
    [{ body: "[1" }, /is not a list of models; try again later\.$/],
    [{ body: '{"object":"error"}' }, /is not a list of models/],
    [{ pieces: ['{"data":['], ending: "cut" }, /broke off/],
  ];
  for (const [answer, expected] of cases) {
    await assert.rejects(
      () => listed([answer], { apiKey: "k3y-long-enough" }),
      (error: unknown) => {
        assert.ok(error instanceof ModelError);
        assert.match(error.message, expected);
        assert.doesNotMatch(error.message, /k3y-long|undefined/);
        return true;
      },
    );
  }
});

Deno.test("what is not set, and a stop, end the request before it is sent", async () => {
  const unset = { provider: "openai-compatible", endpoint: undefined };
  await assert.rejects(() => listModels(unset, signal), RunFailure);
  await assert.rejects(() => listModels({ provider: "replay" }, signal), /plays a cassette/);
  const stop = new AbortController();
  const provider = startFakeProvider([{ pieces: ["{"], ending: "hang" }]);
  try {
    const spec = { provider: "openai", apiKey: "k", endpoint: provider.url };
    const asked = listModels(spec, stop.signal);
    await provider.waitFor(1);
    stop.abort(new Error("stopped by the test"));
    await assert.rejects(asked, /stopped by the test/);
  } finally {
    await provider.close();
  }
});
