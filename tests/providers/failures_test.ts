import assert from "node:assert/strict";
import { RunFailure } from "../../src/core/failure.ts";
import { requestAdvice } from "../../src/providers/http/advice.ts";
import { createModel } from "../../src/providers/create_model.ts";
import type { FakeAnswer } from "../support/fake_http.ts";
import { errorAnswer, streamAnswer, textAnswer } from "../support/fake_provider.ts";
import { ask, delta, failureOf, failureTo, withProvider } from "./ask.ts";

const secret = "sk-secret-key-1234";

function failedWith(answer: FakeAnswer, provider = "openai", spec = {}) {
  return withProvider(provider, [answer], (model) => failureOf(model), spec);
}

Deno.test("each status has its kind, and says whether to try again", async () => {
  const cases: [number, string, boolean][] = [
    [400, "request", false],
    [401, "auth", false],
    [402, "quota", false],
    [403, "auth", false],
    [404, "request", false],
    [408, "overload", true],
    [413, "overflow", false],
    [422, "request", false],
    [429, "quota", true],
    [500, "overload", true],
    [502, "overload", true],
    [503, "overload", true],
    [529, "overload", true],
  ];
  for (const provider of ["openai", "openai-compatible", "anthropic", "google", "mistral"]) {
    for (const [status, kind, retryable] of cases) {
      const error = await failedWith(errorAnswer(status, "the server's words"), provider);
      assert.equal(error.kind, kind, `${provider} ${status}`);
      assert.equal(error.details.retryable, retryable, `${provider} ${status}`);
      assert.equal(error.details.status, status);
      assert.match(error.message, /the server's words; \S.*\.$/, "says what to do");
      assert.ok(error.message.includes(`${provider} (test-model at http://127.0.0.1:`));
      assert.ok(!error.message.includes("\n"));
    }
  }
});

Deno.test("a request is sent once: trying again is the loop's business", async () => {
  for (const provider of ["openai", "openai-compatible", "anthropic", "google", "mistral"]) {
    await withProvider(
      provider,
      [errorAnswer(500, "x"), errorAnswer(500, "x")],
      async (model, fake) => {
        await failureOf(model);
        assert.equal(fake.requests.length, 1);
      },
    );
  }
});

Deno.test("a wrong or missing key names the variable to set", async () => {
  const wrong = await failedWith(errorAnswer(401, "bad key"));
  assert.match(wrong.message, /check the key in OPENAI_API_KEY/);
  const missing = await failedWith(errorAnswer(401, "no key"), "google", { apiKey: "" });
  assert.match(missing.message, /set GEMINI_API_KEY/);
  const optional = await failedWith(errorAnswer(401, "no key"), "openai-compatible", {
    apiKey: "",
  });
  assert.match(optional.message, /providers\.openai-compatible\.api_key/);
});

Deno.test("without a key no authorization is sent", async () => {
  for (
    const provider of ["openai", "openai-compatible", "anthropic", "google", "mistral", "local"]
  ) {
    await withProvider(provider, [errorAnswer(401, "no key")], async (model, fake) => {
      await failureOf(model);
      const { headers } = fake.requests[0]!;
      for (const name of ["authorization", "x-api-key", "x-goog-api-key"]) {
        assert.equal(headers[name], undefined, `${provider} sent ${name}`);
      }
    }, { apiKey: "" });
  }
});

Deno.test("secrets are in no message, not even where the server repeats them", async () => {
  const answer = errorAnswer(401, `key ${secret}, header hush-hush, password swordfish`);
  await withProvider("openai-compatible", [answer], async (_, fake) => {
    const endpoint = fake.url.replace("http://", "http://kim:swordfish@") + "?token=letmein99";
    const model = await createModel({
      provider: "openai-compatible",
      model: "m",
      endpoint,
      apiKey: secret,
      headers: { "x-extra": "hush-hush" },
    });
    const error = await failureOf(model);
    const shown = `${error.message} ${error.stack} ${Deno.inspect(error)}`;
    for (const hidden of [secret, "hush-hush", "swordfish", "letmein99", "kim:"]) {
      assert.ok(!shown.includes(hidden), `shows ${hidden}`);
    }
    const [request] = fake.requests;
    assert.equal(request!.path, "/v1/chat/completions?token=letmein99");
    assert.equal(request!.headers["x-extra"], "hush-hush");
  });
});

Deno.test("a key that the server repeats in part is hidden, too, also where its words are cut", async () => {
  const long = "sk-proj-0123456789abcdefghijklmnopqrstuvwxyz";
  const bodies = [
    `bad key ${long.slice(0, 30)}...`,
    `${"x".repeat(380)}${long}`,
    JSON.stringify({ error: { message: `${"x".repeat(370)} ${long}` } }).replace(
      "sk-",
      "\\u0073k-",
    ),
    `twice ${long.slice(0, 14)} ${long}`,
  ];
  for (const body of bodies) {
    const { message } = await failedWith({ status: 401, body }, "openai", { apiKey: long });
    assert.ok(!message.includes(long.slice(0, 13)), message);
  }
});

Deno.test("a key in a refusal, a failed end or a new address is hidden", async () => {
  const refused = await withProvider(
    "openai-compatible",
    [streamAnswer("chat", [delta({ refusal: `no ${secret}` }, "stop")])],
    (model) => ask(model),
  );
  assert.equal(refused.finish.rawReason, "refusal: no ***");
  const failed = await failureTo("google", [{
    candidates: [{ finishReason: "MALFORMED_FUNCTION_CALL", finishMessage: secret }],
  }]);
  assert.match(failed.message, /MALFORMED_FUNCTION_CALL: \*\*\*/);
  const location = `http://kim:${secret}@elsewhere.invalid/${secret}/v1?key=${secret}`;
  const moved = await failedWith({ status: 302, headers: { location }, body: "" });
  assert.match(moved.message, /moved to http:\/\/elsewhere\.invalid\/\*\*\*\/v1;/);
});

Deno.test("an endpoint may end in a slash, or in the method that it is for", async () => {
  for (const end of ["/", "/chat/completions", "/chat/completions/"]) {
    await withProvider("local", [errorAnswer(400, "x")], async (_, fake) => {
      const endpoint = fake.url + end;
      await failureOf(await createModel({ provider: "local", model: "m", endpoint, fetch }));
      assert.equal(fake.requests[0]!.path, "/v1/chat/completions");
    });
  }
});

Deno.test("Retry-After counts in seconds, as a date and in milliseconds, and is bounded", async () => {
  const wait = async (headers: Record<string, string>) =>
    (await failedWith(errorAnswer(429, "slow down", headers))).details.waitMs;
  assert.equal(await wait({ "retry-after": "7" }), 7000);
  assert.equal(await wait({ "retry-after-ms": "250", "retry-after": "7" }), 250);
  const date = await wait({ "retry-after": new Date(Date.now() + 30_000).toUTCString() });
  assert.ok(date !== undefined && date > 25_000 && date <= 30_000, String(date));
  assert.equal(await wait({ "retry-after": new Date(Date.now() - 30_000).toUTCString() }), 0);
  assert.equal(await wait({ "retry-after": "999999" }), 3_600_000);
  assert.equal(await wait({ "retry-after": "soon" }), undefined);
  assert.equal(await wait({}), undefined);
});

Deno.test("bodies of any kind become one short line", async () => {
  const cases: [string, RegExp][] = [
    [
      "<html><head><title>502 Bad Gateway</title></head><body>x</body></html>",
      /: 502 Bad Gateway;/,
    ],
    [
      "<html><body><h1>Gone</h1><script>alert(1)</script><p>fishing</p></body></html>",
      /Gone fishing/,
    ],
    ["upstream connect error\nreset", /upstream connect error reset/],
    ["", /answered 502; try again later/],
    ['{"detail":"Not so"}', /Not so/],
    ['{"detail":[{"loc":["body","tools",0],"msg":"wrong"}]}', /body\.tools\.0: wrong/],
    ['{"message":"plain"}', /plain/],
    ['{"error":"a text"}', /a text/],
    ['[{"error":{"code":400,"message":"in a list"}}]', /in a list/],
    [
      '{"error":{"message":"outer","metadata":{"raw":"{\\"error\\":{\\"message\\":\\"inner\\"}}"}}}',
      /outer \(inner\)/,
    ],
    [`{"error":{"message":"${"long ".repeat(1000)}"}}`, /long long/],
    ["\u001b[31mred\u0007", / answered 502: red\u2407; /],
  ];
  for (const [body, expected] of cases) {
    const error = await failedWith({ status: 502, body });
    assert.match(error.message, expected);
    assert.ok(error.message.length < 700, String(error.message.length));
    // deno-lint-ignore no-control-regex -- nothing that moves a terminal's cursor may get through
    assert.doesNotMatch(error.message, /[\u0000-\u001f]/);
  }
});

Deno.test("a conversation that is too long is told apart from other wrong requests", async () => {
  for (
    const words of [
      "This model's maximum context length is 8192 tokens",
      "prompt is too long: 250000 tokens > 200000 maximum",
      "The input token count (1200000) exceeds the maximum number of tokens allowed",
      "Your input exceeds the context window of this model",
      "the request exceeds the available context size",
    ]
  ) {
    const error = await failedWith(errorAnswer(400, words));
    assert.equal(error.kind, "overflow", words);
    assert.equal(error.details.retryable, false);
  }
  const coded = await failedWith({
    status: 400,
    body: JSON.stringify({ error: { message: "no", code: "context_length_exceeded" } }),
  });
  assert.equal(coded.kind, "overflow");
  const limit = await failedWith(
    errorAnswer(429, "Rate limit reached: too many tokens per minute"),
  );
  assert.equal(limit.kind, "quota");
});

Deno.test("a refused connection is told in one line; a local server is shown how to start", async () => {
  // A port that was free a moment ago: nobody listens there.
  const listener = Deno.listen({ port: 0, hostname: "127.0.0.1" });
  const { port } = listener.addr;
  listener.close();
  const endpoint = `http://127.0.0.1:${port}/v1`;
  for (const provider of ["local", "lmstudio", "openai", "anthropic", "google", "mistral"]) {
    const model = await createModel({ provider, model: "m", endpoint, apiKey: secret });
    const error = await failureOf(model);
    assert.equal(error.kind, "network");
    assert.equal(error.details.retryable, true);
    assert.match(error.message, /connection refused/);
    assert.ok(error.message.includes(`${provider} (m at ${endpoint})`));
    if (provider === "local") assert.match(error.message, /ollama serve/);
    if (provider === "lmstudio") assert.match(error.message, /with: lms server start/);
  }
});

Deno.test("a name without an address is told as such", async () => {
  const endpoint = "http://nowhere.invalid/v1";
  const model = await createModel({ provider: "openai-compatible", model: "m", endpoint });
  const error = await failureOf(model);
  assert.equal(error.kind, "network");
  assert.match(
    error.message,
    /Cannot reach openai-compatible \(m at http:\/\/nowhere\.invalid\/v1\)/,
  );
});

Deno.test("errors inside a stream are told apart by what they say", async () => {
  const overloaded = await failureTo("anthropic", [
    { type: "message_start", message: { usage: { input_tokens: 1 } } },
    { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
    { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "half" } },
    { type: "error", error: { type: "overloaded_error", message: "Overloaded" } },
  ]);
  assert.equal(overloaded.kind, "overload");
  assert.equal(overloaded.details.retryable, true);

  const first = await failureTo("anthropic", [
    { type: "error", error: { type: "overloaded_error", message: "Overloaded" } },
  ]);
  assert.equal(first.kind, "overload");

  const google = await failureTo("google", [
    { candidates: [{ content: { parts: [{ text: "half" }] } }] },
    { error: { code: 503, status: "UNAVAILABLE", message: "The model is overloaded." } },
  ]);
  assert.equal(google.kind, "overload");
  assert.equal(google.details.status, 503);

  const quota = await failureTo("responses", [
    { type: "response.created", response: {} },
    { type: "error", error: { code: "insufficient_quota", message: "You exceeded your quota" } },
    { type: "response.failed", response: { status: "failed", error: null } },
  ]);
  assert.equal(quota.kind, "quota");
  assert.equal(quota.details.retryable, false);

  const rate = await failureTo("responses", [
    {
      type: "response.failed",
      response: { error: { code: "rate_limit_exceeded", message: "Slow down" } },
    },
  ]);
  assert.equal(rate.kind, "quota");
  assert.equal(rate.details.retryable, true);

  const chat = await failureTo("chat", [
    delta({ content: "half" }),
    { error: { code: 502, message: "Provider returned error" }, choices: [] },
  ]);
  assert.equal(chat.kind, "overload");
  const inChoice = await failureTo("chat", [
    {
      choices: [{
        index: 0,
        delta: {},
        finish_reason: "error",
        error: { code: 429, message: "x" },
      }],
    },
  ]);
  assert.equal(inChoice.kind, "quota");
  const form = await failureTo("chat", [
    {
      error: { message: "Tool call validation failed", code: "tool_use_failed", status_code: 400 },
    },
  ]);
  assert.equal(form.kind, "stopped");
  assert.equal(form.details.retryable, true);
  const unsaid = await failureTo("chat", [delta({ content: "x" }), { error: "something broke" }]);
  assert.equal(unsaid.details.retryable, true);
  assert.match(unsaid.message, /something broke/);
});

Deno.test("a web page, or JSON that is no answer, is not taken for one", async () => {
  const page = await failedWith({
    body: "<html><head><title>Sign in</title></head></html>",
    headers: { "content-type": "text/html" },
  });
  assert.equal(page.kind, "protocol");
  assert.match(page.message, /web page \("Sign in"\)/);
  assert.equal(page.details.retryable, false);
  const json = await failedWith({ body: '{"error":{"message":"no such model","code":404}}' });
  assert.equal(json.details.status, 404);
  const empty = await failedWith({ pieces: [] });
  assert.equal(empty.kind, "protocol");
  assert.equal(empty.details.retryable, true);
});

Deno.test("a chat stream on the responses wire says which provider to use", async () => {
  const error = await failureTo("responses", [delta({ content: "hi" })]);
  assert.match(error.message, /openai-compatible/);
  assert.equal(error.details.retryable, false);
});

Deno.test("an address that moved is followed within the server, else told", async () => {
  const moved = (status: number, location: string) => ({ status, headers: { location }, body: "" });
  await withProvider(
    "openai",
    [moved(307, "/v2/responses"), textAnswer("responses", "here")],
    async (model, fake) => {
      assert.equal((await ask(model)).text, "here");
      assert.equal(fake.requests[1]!.path, "/v2/responses");
      assert.equal(fake.requests[1]!.method, "POST");
    },
  );
  for (
    const [status, location] of [
      [301, "/v2/responses"],
      [308, "http://elsewhere.invalid/v1/responses?key=1"],
    ] as const
  ) {
    const error = await failedWith(moved(status, location));
    assert.equal(error.details.retryable, false);
    assert.match(
      error.message,
      new RegExp(`answered ${status}: moved to http.*check the endpoint`),
    );
    assert.ok(!error.message.includes("key=1"));
  }
  for (const status of [302, 307]) {
    const error = await failedWith(moved(status, "http://[::nowhere"));
    assert.equal(error.details.retryable, false);
    assert.match(error.message, new RegExp(`answered ${status}; check the endpoint`));
  }
  const round = Array.from({ length: 5 }, () => moved(307, "/v1/responses"));
  await withProvider("openai", round, async (model, fake) => {
    assert.equal((await failureOf(model)).details.retryable, false);
    assert.equal(fake.requests.length, 4);
  });
});

Deno.test("a tool that the server does not take is named", async () => {
  const error = await failedWith(errorAnswer(400, "tools[0].function.parameters: unknown keyword"));
  assert.match(error.message, /does not take the tool read/);
});

Deno.test("more tools than the server takes: what to leave them out with is named", () => {
  const tools = Array.from({ length: 134 }, (_, at) => `t${at}`);
  const asked = { provider: "openai", model: "m", hasKey: true, tools };
  for (
    const words of [
      "Invalid 'tools': array too long. Expected an array with maximum length 128, but got 134.",
      "At most 128 function_declarations are supported",
      "too many tools: the limit is 64",
    ]
  ) {
    assert.match(requestAdvice(words, asked), /^134 tools are more than it takes; .*--tools/);
  }
  assert.doesNotMatch(requestAdvice("max_tokens is too large", asked), /--tools/);
  assert.doesNotMatch(requestAdvice("too many tools", { ...asked, tools: ["read"] }), /more than/);
});

Deno.test("an abort ends the request with its own reason, before and within the answer", async () => {
  const reason = new Error("enough");
  await withProvider("anthropic", [{ pieces: [], ending: "hang" }], async (model, fake) => {
    const stop = new AbortController();
    const asked = ask(model, {}, stop.signal);
    await fake.waitFor(1);
    stop.abort(reason);
    await assert.rejects(asked, reason);
  });
  await withProvider("openai", [], async (model) => {
    await assert.rejects(ask(model, {}, AbortSignal.abort(reason)), reason);
  });
});

Deno.test("what a person must set is told before anything is sent", async () => {
  const cases: [Parameters<typeof createModel>[0], RegExp][] = [
    [{ provider: "opnai", model: "m" }, /no provider named "opnai" \(did you mean openai\?\)/],
    [{ provider: "openai", model: "gpt-5" }, /no key for provider openai: set OPENAI_API_KEY/],
    [{ provider: "openai", model: "gpt-5", apiKey: "  " }, /no key for provider openai/],
    [{ provider: "google", model: "g" }, /GEMINI_API_KEY or GOOGLE_API_KEY/],
    [{ provider: "openai-compatible", model: "m" }, /providers\.openai-compatible\.endpoint/],
    [{ provider: "local", model: " " }, /no model chosen for provider local/],
    [
      { provider: "local", model: "m", endpoint: "localhost:11434" },
      /expected an http or https address/,
    ],
    [{ provider: "local", model: "m", endpoint: "not a url" }, /expected an http or https address/],
    [{ provider: "openai", model: "m", apiKey: "ключ" }, /^providers\.openai\.api_key: expected/],
    [
      { provider: "local", model: "m", headers: { "x-a": "line\nbreak" } },
      /^providers\.local\.headers\.x-a: expected/,
    ],
    [{ provider: "local", model: "m", headers: { "x a": "b" } }, /headers\.x a: expected/],
  ];
  for (const [spec, expected] of cases) {
    await assert.rejects(createModel(spec), (error) => {
      assert.ok(error instanceof RunFailure);
      assert.equal(error.code, "config");
      assert.match(error.message, expected);
      return true;
    });
  }
});
