import assert from "node:assert/strict";
import { isJsonObject, type Json, type JsonObject } from "../../src/core/json.ts";
import type { AssistantMessage, Message, ToolResultMessage } from "../../src/core/message.ts";
import type { ModelRequest } from "../../src/core/model.ts";
import type { ModelSpec } from "../../src/providers/create_model.ts";
import { until } from "../support/until.ts";
import { errorAnswer, type FakeWire, textAnswer } from "../support/fake_provider.ts";
import { ask, failureOf, readTool, request, user, withProvider } from "./ask.ts";

const png = "iVBORw0KGgo=";

/** The body that one request sends. */
function bodyOf(
  provider: string,
  wire: FakeWire,
  more: Partial<ModelRequest> = {},
  spec: Partial<ModelSpec> = {},
): Promise<JsonObject> {
  return withProvider(provider, [textAnswer(wire, "ok")], async (model, fake) => {
    await ask(model, more);
    return fake.requests[0]!.body;
  }, spec);
}

function called(
  provider: string,
  ids: readonly string[],
  more: Partial<AssistantMessage> = {},
): Message[] {
  return [
    user("go"),
    {
      role: "assistant",
      provider,
      model: "test-model",
      finish: "tool_calls",
      content: ids.map((id) => ({ type: "tool_use", id, name: "read", input: { path: "a" } })),
      ...more,
    },
    ...ids.map((id, at) => result(id, `result ${at}`)),
  ];
}

function result(
  toolId: string,
  text: string,
  more: Partial<ToolResultMessage> = {},
): ToolResultMessage {
  return {
    role: "tool_result",
    toolId,
    toolName: "read",
    content: [{ type: "text", text }],
    isError: false,
    ...more,
  };
}

/** All values under `key`, anywhere in `value`. */
function everywhere(value: Json, key: string): Json[] {
  if (Array.isArray(value)) return value.flatMap((item) => everywhere(item, key));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([name, item]) => [
    ...name === key ? [item] : [],
    ...everywhere(item, key),
  ]);
}

const wires: [string, FakeWire][] = [
  ["openai-compatible", "chat"],
  ["openrouter", "chat"],
  ["mistral", "chat"],
  ["openai", "responses"],
  ["anthropic", "anthropic"],
  ["google", "google"],
];

Deno.test("the output cap is always sent, and a known model's own cap bounds it", async () => {
  const cap = async (provider: string, wire: FakeWire, model: string, wanted: number) => {
    const body = await bodyOf(provider, wire, { maxOutputTokens: wanted }, { model });
    const config = isJsonObject(body.generationConfig) ? body.generationConfig : body;
    return config.max_tokens ?? config.max_output_tokens ?? config.maxOutputTokens;
  };
  for (const [provider, wire] of wires) {
    assert.equal(await cap(provider, wire, "unknown", 1234), 1234);
  }
  assert.equal(await cap("anthropic", "anthropic", "claude-3-opus-20240229", 10_000), 4096);
  // These count thinking in: the answer keeps the room that was asked for.
  assert.equal(await cap("openai", "responses", "gpt-4.1", 4096), 4096);
  assert.equal(await cap("openai", "responses", "gpt-5.1", 4096), 4096 + 16_384);
});

Deno.test("lone surrogates are never sent", async () => {
  const half = "\ud83d";
  for (const [provider, wire] of wires) {
    const body = await bodyOf(provider, wire, {
      system: `s${half}`,
      messages: [
        user(`u${half}`),
        {
          role: "assistant",
          provider,
          model: "test-model",
          finish: "tool_calls",
          content: [
            { type: "text", text: `a${half}` },
            { type: "tool_use", id: "a", name: "read", input: { path: half, [half]: [half] } },
            { type: "tool_use", id: "b", name: "read", input: {}, invalidText: half },
          ],
        },
        result("a", `t${half}`),
        result("b", `t${half}`),
      ],
    });
    assert.doesNotMatch(JSON.stringify(body), /\\ud[89a-f]/i);
  }
});

Deno.test("call ids are unique and legal for each server, and results keep their call", async () => {
  const messages = [
    ...called("other", ["bash:0"]),
    ...called("other", ["bash:0", "bash:0"]).slice(1),
    ...called("other", ["x".repeat(100), "ünïcödé", "call_1234567890"]).slice(1),
  ];
  const legal: Record<string, RegExp> = {
    "openai-compatible": /^[A-Za-z0-9_-]{1,40}$/,
    openrouter: /^[A-Za-z0-9_-]{1,40}$/,
    mistral: /^[A-Za-z0-9]{9}$/,
    openai: /^[A-Za-z0-9_-]{1,64}$/,
    anthropic: /^[A-Za-z0-9_-]{1,64}$/,
    google: /^[A-Za-z0-9_-]{1,64}$/,
  };
  for (const [provider, wire] of wires) {
    const body = await bodyOf(provider, wire, { messages });
    const announced = provider === "openai"
      ? everywhere(body.input ?? [], "call_id").filter((_, at) => at >= 0)
      : wire === "anthropic"
      ? everywhere(body, "id")
      : wire === "google"
      ? everywhere(body, "functionCall").map((call) => (call as JsonObject).id ?? null)
      : everywhere(body, "tool_calls").flatMap((calls) => everywhere(calls, "id"));
    const answered = wire === "anthropic"
      ? everywhere(body, "tool_use_id")
      : wire === "google"
      ? everywhere(body, "functionResponse").map((call) => (call as JsonObject).id ?? null)
      : everywhere(body, wire === "responses" ? "call_id" : "tool_call_id");
    for (const id of announced) assert.match(String(id), legal[provider]!, provider);
    if (wire === "responses") {
      const items = (body.input as JsonObject[]).filter((item) => "call_id" in item);
      const of = (type: string) =>
        items.filter((item) => item.type === type).map((item) => item.call_id);
      assert.equal(new Set(of("function_call")).size, 6);
      assert.deepEqual(of("function_call_output"), of("function_call"));
      continue;
    }
    assert.equal(new Set(announced).size, 6, provider);
    assert.deepEqual(answered, announced, provider);
  }
});

Deno.test("broken arguments go back in a form that every server takes", async () => {
  for (const [provider, wire] of wires) {
    const body = await bodyOf(provider, wire, {
      messages: [
        user("go"),
        {
          role: "assistant",
          provider,
          model: "test-model",
          finish: "tool_calls",
          content: [
            { type: "tool_use", id: "a", name: "read", input: {}, invalidText: '{"path": "a' },
            { type: "tool_use", id: "b", name: "read", input: "plain" },
            { type: "tool_use", id: "c", name: "read", input: [1] },
          ],
        },
        result("a", "no JSON", { isError: true }),
        result("b", "no object", { isError: true }),
        result("c", "no object", { isError: true }),
      ],
    });
    const sent = wire === "anthropic"
      ? everywhere(body.messages ?? [], "input")
      : wire === "google"
      ? everywhere(body.contents ?? [], "args")
      : everywhere(body.messages ?? body.input ?? [], "arguments").map((text) =>
        JSON.parse(String(text)) as Json
      );
    assert.deepEqual(sent, [{ invalid_json: '{"path": "a' }, { value: "plain" }, { value: [1] }]);
  }
});

Deno.test("what another provider thought is left out, its words and calls are kept", async () => {
  const foreign: AssistantMessage["content"] = [
    {
      type: "thinking",
      text: "secret thought",
      metadata: {
        anthropic: { signature: "SIG" },
        openai: { itemId: "rs_1", reasoningEncryptedContent: "ENC" },
        google: { thoughtSignature: "TS" },
        mistral: {},
        "openai-compatible": { field: "reasoning" },
      },
    },
    { type: "text", text: "words", metadata: { google: { thoughtSignature: "TS" } } },
    {
      type: "tool_use",
      id: "a",
      name: "read",
      input: { path: "a" },
      metadata: { google: { thoughtSignature: "TS" }, openai: { itemId: "fc_1" } },
    },
  ];
  const messages = [...called("somebody-else", ["a"], { content: foreign })];
  for (const [provider, wire] of wires) {
    const text = JSON.stringify(await bodyOf(provider, wire, { messages }));
    for (const hidden of ["secret thought", "SIG", "ENC", '"TS"', "rs_1"]) {
      assert.ok(!text.includes(hidden), `${provider} sent ${hidden}`);
    }
    assert.ok(text.includes("words") && text.includes("result 0"));
  }
});

Deno.test("a message that held only another's thoughts leaves no empty message", async () => {
  const messages: Message[] = [
    user("a"),
    {
      role: "assistant",
      provider: "x",
      model: "y",
      finish: "stop",
      content: [{ type: "thinking", text: "hm" }, { type: "text", text: " \n" }],
    },
    user("b"),
  ];
  for (const [provider, wire] of wires) {
    const body = await bodyOf(provider, wire, { messages });
    const sent = (body.messages ?? body.input ?? body.contents) as JsonObject[];
    assert.ok(sent.every((message) => message.role !== "assistant" && message.role !== "model"));
  }
});

Deno.test("images reach models that take them, and others get a note", async () => {
  const messages: Message[] = [
    {
      role: "user",
      content: [{ type: "text", text: "see" }, {
        type: "image",
        mediaType: "image/png",
        data: png,
      }],
    },
    ...called("x", ["a"]).slice(1, 2),
    result("a", "path: a.png", {
      content: [
        { type: "text", text: "path: a.png" },
        { type: "image", mediaType: "image/png", data: png },
      ],
    }),
  ];
  for (const [provider, wire] of wires) {
    const seen = JSON.stringify(await bodyOf(provider, wire, { messages }));
    assert.equal(seen.split(png).length - 1, 2, `${provider} sends both images`);
    const blind = await bodyOf(provider, wire, { messages }, { model: "deepseek-chat" });
    const text = JSON.stringify(blind);
    assert.ok(!text.includes(png));
    assert.equal(text.split("takes no images").length - 1, 2, provider);
  }
  // On the chat wire a tool's message is text: the image follows after all results.
  const { messages: sent } = await bodyOf("openai-compatible", "chat", { messages });
  assert.deepEqual((sent as JsonObject[]).map((message) => message.role), [
    "system",
    "user",
    "assistant",
    "tool",
    "user",
  ]);
});

Deno.test("a server that refuses images gets the request again without them, once and for all", async () => {
  const messages: Message[] = [{
    role: "user",
    content: [{ type: "image", mediaType: "image/png", data: png }],
  }];
  const answers = [
    errorAnswer(400, "image_url is not supported"),
    textAnswer("chat", "blind"),
    textAnswer("chat", "still blind"),
  ];
  await withProvider("openai-compatible", answers, async (model, fake) => {
    const [first, second] = [await ask(model, { messages }), await ask(model, { messages })];
    assert.equal(first.text, "blind");
    assert.equal(second.text, "still blind");
    assert.equal(fake.requests.length, 3);
    assert.equal(first.notices.length, 1);
    assert.match(first.notices[0]!, /does not take images/);
    assert.deepEqual(second.notices, []);
    assert.ok(!fake.requests[2]!.text.includes(png));
  });
  // Where images are not the cause, the first answer counts.
  const both = [errorAnswer(400, "the first reason"), errorAnswer(400, "the second")];
  await withProvider("openai-compatible", both, async (model) => {
    assert.match((await failureOf(model, { messages })).message, /the first reason/);
  });
});

Deno.test("native options are merged into the body, and headers are sent", async () => {
  await withProvider("anthropic", [textAnswer("anthropic", "ok")], async (model, fake) => {
    await ask(model);
    const { body, headers } = fake.requests[0]!;
    assert.equal(body.temperature, 0.2);
    assert.deepEqual(body.metadata, { user_id: "u" });
    assert.equal(body.stream, true);
    assert.equal((body.tools as Json[]).length, 2);
    assert.equal(headers["x-one"], "1");
  }, {
    options: {
      temperature: 0.2,
      metadata: { user_id: "u" },
      stream: false,
      tools: [{ type: "web_search_20250305", name: "web_search" }],
    },
    headers: { "X-One": "1" },
  });
  const google = await bodyOf("google", "google", {}, {
    options: { generationConfig: { temperature: 0 }, safetySettings: [] },
  });
  assert.deepEqual(google.generationConfig, { maxOutputTokens: 1000, temperature: 0 });
});

Deno.test("a level that was asked for replaces the reasoning fields of the options", async () => {
  const options = {
    reasoning_effort: "low",
    reasoning: { effort: "low" },
    thinking: { type: "enabled", budget_tokens: 1 },
    top_p: 0.5,
  };
  const asked = await bodyOf("openai-compatible", "chat", { thinking: "high" }, { options });
  assert.equal(asked.reasoning_effort, "high");
  assert.equal(asked.reasoning, undefined);
  assert.equal(asked.thinking, undefined);
  assert.equal(asked.top_p, 0.5);
  const unasked = await bodyOf("openai-compatible", "chat", {}, { options });
  assert.equal(unasked.reasoning_effort, "low");
  const google = await bodyOf("google", "google", { thinking: "low" }, {
    model: "gemini-3-pro-preview",
    options: { generationConfig: { temperature: 0, thinkingConfig: { thinkingBudget: 7 } } },
  });
  const config = google.generationConfig as JsonObject;
  assert.equal(config.temperature, 0);
  assert.deepEqual(config.thinkingConfig, { thinkingLevel: "low", includeThoughts: true });
});

Deno.test("each wire is told the level in its own way", async () => {
  const level = (thinking: ModelRequest["thinking"]) => thinking === undefined ? {} : { thinking };
  const openai = await bodyOf("openai", "responses", level("high"), { model: "gpt-5.1" });
  assert.deepEqual(openai.reasoning, { effort: "high", summary: "auto" });
  const off = await bodyOf("openai", "responses", level("none"), { model: "gpt-5.1" });
  assert.deepEqual(off.reasoning, { effort: "none" });
  const router = await bodyOf("openrouter", "chat", level("medium"));
  assert.deepEqual(router.reasoning, { effort: "medium" });
  const adaptive = await bodyOf("anthropic", "anthropic", level("high"), {
    model: "claude-opus-4-6",
  });
  assert.equal((adaptive.thinking as JsonObject).type, "adaptive");
  assert.deepEqual(adaptive.output_config, { effort: "high" });
  const budget = await bodyOf("anthropic", "anthropic", level("low"), {
    model: "claude-sonnet-4-5",
  });
  const { type, budget_tokens } = budget.thinking as JsonObject;
  assert.equal(type, "enabled");
  assert.equal(budget.max_tokens, 1000 + Number(budget_tokens));
  const unthinking = await bodyOf("anthropic", "anthropic", level("none"), {
    model: "claude-sonnet-4-5",
  });
  assert.deepEqual(unthinking.thinking, { type: "disabled" });
  const gemini = await bodyOf("google", "google", level("none"), { model: "gemini-2.5-flash" });
  const config = (gemini.generationConfig as JsonObject).thinkingConfig;
  assert.deepEqual(config, { thinkingBudget: 0 });
  for (const [provider, wire] of wires) {
    const body = await bodyOf(provider, wire);
    for (const key of ["reasoning", "reasoning_effort", "thinking", "output_config"]) {
      assert.equal(body[key], undefined, `${provider} sends ${key} unasked`);
    }
  }
});

Deno.test("a level that the model lacks snaps to the nearest, and is told once", async () => {
  const cases: [string, string, FakeWire, ModelRequest["thinking"], string | undefined][] = [
    ["openai", "gpt-5", "responses", "none", "minimal"],
    ["openai", "gpt-5.1", "responses", "xhigh", "high"],
    ["openai", "gpt-5.2", "responses", "max", "xhigh"],
    ["openai-compatible", "my-own-model", "chat", "max", "high"],
    ["openai-compatible", "my-own-model", "chat", "minimal", "low"],
    ["openai", "gpt-4.1", "responses", "high", undefined],
  ];
  for (const [provider, name, wire, thinking, expected] of cases) {
    const answers = [textAnswer(wire, "ok"), textAnswer(wire, "ok")];
    await withProvider(provider, answers, async (model, fake) => {
      const notices: string[] = [];
      for (let n = 0; n < 2; n++) {
        notices.push(...(await ask(model, thinking ? { thinking } : {})).notices);
      }
      assert.equal(notices.length, 1, notices.join("\n"));
      assert.ok(notices[0]!.includes(thinking!));
      const { body } = fake.requests[1]!;
      const sent = isJsonObject(body.reasoning) ? body.reasoning.effort : body.reasoning_effort;
      assert.equal(sent, expected, name);
    }, { model: name });
  }
});

Deno.test("the stable prefix and the end of the conversation are marked for Anthropic's cache", async () => {
  const messages = [...called("anthropic", ["a"]), ...called("anthropic", ["b"]).slice(1)];
  const tools = [{ ...readTool, name: "first" }, readTool];
  const body = await bodyOf("anthropic", "anthropic", { messages, tools });
  const mark = { type: "ephemeral" };
  assert.deepEqual((body.system as JsonObject[])[0]!.cache_control, mark);
  assert.deepEqual((body.tools as JsonObject[]).map((tool) => tool.cache_control), [
    undefined,
    mark,
  ]);
  const ends = (body.messages as JsonObject[]).map((message) => {
    const last = (message.content as JsonObject[]).at(-1)!;
    return [message.role, last.cache_control];
  });
  assert.deepEqual(ends, [
    ["user", undefined],
    ["assistant", undefined],
    ["user", mark],
    ["assistant", undefined],
    ["user", mark],
  ]);
  assert.equal(everywhere(body, "cache_control").length, 4);
  const router = await bodyOf("openrouter", "chat", { messages }, {
    model: "anthropic/claude-sonnet-4.5",
  });
  assert.equal(everywhere(router, "cache_control").length, 3);
});

Deno.test("the beginning of a request does not change while the conversation grows", async () => {
  const short = called("anthropic", ["bash:0"]);
  const long = [...short, ...called("anthropic", ["bash:0"]).slice(1), user("more")];
  for (const [provider, wire] of wires) {
    const list = async (messages: Message[]) => {
      const body = await bodyOf(provider, wire, { messages });
      const sent = (body.messages ?? body.input ?? body.contents) as JsonObject[];
      return JSON.stringify(sent).replace(/,"cache_control":\{"type":"ephemeral"\}/g, "");
    };
    const [first, second] = [await list(short), await list(long)];
    assert.ok(second.startsWith(first.slice(0, -1)), provider);
  }
});

Deno.test("requests are whole, longer and shorter ones in turn, and two at once", async () => {
  const texts = ["one", "é".repeat(9000), "two", "x".repeat(40_000), "three"];
  const together = ["a".repeat(50_000), "b".repeat(50_000)];
  const all = [...texts, ...together];
  // the first of the two is sent once more, after the second one
  let second = () => {};
  const wasSent = new Promise<void>((resolve) => void (second = resolve));
  const moved = { status: 307, headers: { location: "/v2/x" }, body: "", before: wasSent };
  const answers = texts.map(() => textAnswer("responses", "ok"));
  const after = [moved, textAnswer("responses", "ok"), textAnswer("responses", "ok")];
  await withProvider("openai", [...answers, ...after], async (model, fake) => {
    for (const text of texts) await ask(model, { messages: [user(text)] });
    const first = ask(model, { messages: [user(together[0]!)] });
    await until(() => fake.requests.length === texts.length + 1, "the first of the two arrives");
    await ask(model, { messages: [user(together[1]!)] });
    second();
    await first;
    const sent = fake.requests.map(({ body }) =>
      all.filter((text) => JSON.stringify(body.input).includes(`"${text}"`))
    );
    const [one, other] = together;
    assert.deepEqual(sent, [...texts, one, other, one].map((text) => [text]));
  });
});

Deno.test("schemas are sent in a form that servers take, and a simpler one is told by name", async () => {
  const tool = {
    name: "odd",
    description: "d",
    inputSchema: {
      $schema: "http://json-schema.org/draft-07/schema#",
      $id: "odd",
      anyOf: [{ required: ["a"] }, { required: ["b"] }],
      properties: { a: { type: "integer", exclusiveMinimum: 0, default: 1 }, b: { const: "x" } },
    },
  };
  for (const [provider, wire] of wires) {
    const [body, { notices }] = await withProvider(
      provider,
      [textAnswer(wire, "ok")],
      async (model, fake) => {
        const answer = await ask(model, { tools: [readTool, tool] });
        return [fake.requests[0]!.body, answer] as const;
      },
    );
    const text = JSON.stringify(body.tools);
    assert.ok(!text.includes("$schema") && !text.includes("$id") && !text.includes("anyOf"));
    assert.match(text, /"odd"/);
    assert.equal(notices.length, 1);
    assert.match(notices[0]!, /the tool odd /);
    if (wire === "google") {
      assert.ok(!text.includes("exclusiveMinimum") && !text.includes("const"));
      assert.ok(text.includes('"minimum":1') && text.includes('"enum":["x"]'));
    }
  }
});

Deno.test("a request without tools or system prompt leaves both out", async () => {
  for (const [provider, wire] of wires) {
    const body = await bodyOf(provider, wire, { system: "", tools: [] });
    for (const key of ["tools", "tool_choice", "system", "systemInstruction"]) {
      assert.equal(body[key], undefined, `${provider} ${key}`);
    }
  }
});

Deno.test("what our own part adds to a request is small", async () => {
  for (const [provider, wire] of wires) {
    const body = await bodyOf(provider, wire);
    const own = JSON.stringify(request()).length;
    assert.ok(JSON.stringify(body).length < own + 450, provider);
  }
});
