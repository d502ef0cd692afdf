import assert from "node:assert/strict";
import type { Json, JsonObject } from "../../src/core/json.ts";
import type { Message } from "../../src/core/message.ts";
import { type FakeWire, streamAnswer, textAnswer } from "../support/fake_provider.ts";
import { ask, delta, pieces, providerOfWire, user, withProvider } from "./ask.ts";

/** What is sent back after an answer made of `events`, the conversation rebuilt from its records. */
function nextRequest(
  wire: FakeWire,
  events: readonly Json[],
  provider = providerOfWire[wire],
  model = "test-model",
): Promise<JsonObject> {
  const answers = [streamAnswer(wire, events), textAnswer(wire, "done")];
  return withProvider(provider, answers, async (asked, fake) => {
    const first = await ask(asked);
    const messages: Message[] = [
      user("hi"),
      first.message,
      ...first.calls.map((call): Message => ({
        role: "tool_result",
        toolId: call.id,
        toolName: call.name,
        content: [{ type: "text", text: "result" }],
        isError: false,
      })),
      user("go on"),
    ];
    // As a session file holds them.
    await ask(asked, { messages: JSON.parse(JSON.stringify(messages)) as Message[] });
    return fake.requests[1]!.body;
  }, { model });
}

const start = { type: "message_start", message: { usage: { input_tokens: 1 } } };

Deno.test("anthropic: thinking goes back with its signature, redacted thinking as it came", async () => {
  const body = await nextRequest("anthropic", [
    start,
    { type: "content_block_start", index: 0, content_block: { type: "thinking", thinking: "" } },
    {
      type: "content_block_delta",
      index: 0,
      delta: { type: "thinking_delta", thinking: "let me " },
    },
    { type: "content_block_delta", index: 0, delta: { type: "thinking_delta", thinking: "see" } },
    {
      type: "content_block_delta",
      index: 0,
      delta: { type: "signature_delta", signature: "S+/=1" },
    },
    { type: "content_block_stop", index: 0 },
    {
      type: "content_block_start",
      index: 1,
      content_block: { type: "redacted_thinking", data: "R==" },
    },
    { type: "content_block_stop", index: 1 },
    { type: "content_block_start", index: 2, content_block: { type: "text", text: "" } },
    { type: "content_block_delta", index: 2, delta: { type: "text_delta", text: "I look." } },
    { type: "content_block_stop", index: 2 },
    {
      type: "content_block_start",
      index: 3,
      content_block: { type: "tool_use", id: "t1", name: "read", input: {} },
    },
    {
      type: "content_block_delta",
      index: 3,
      delta: { type: "input_json_delta", partial_json: '{"path":"a"}' },
    },
    { type: "content_block_stop", index: 3 },
    { type: "message_delta", delta: { stop_reason: "tool_use" }, usage: { output_tokens: 2 } },
    { type: "message_stop" },
  ]);
  const sent = (body.messages as JsonObject[])[1]!;
  assert.deepEqual(sent, {
    role: "assistant",
    content: [
      { type: "thinking", thinking: "let me see", signature: "S+/=1" },
      { type: "redacted_thinking", data: "R==" },
      { type: "text", text: "I look." },
      { type: "tool_use", id: "t1", name: "read", input: { path: "a" } },
    ],
  });
});

Deno.test("responses: a reasoning item goes back with its last encrypted content", async () => {
  const added = (output_index: number, item: JsonObject) => ({
    type: "response.output_item.added",
    output_index,
    item,
  });
  const done = (output_index: number, item: JsonObject) => ({
    type: "response.output_item.done",
    output_index,
    item,
  });
  const summary = (summary_index: number, text: string) => ({
    type: "response.reasoning_summary_text.delta",
    item_id: "rs_1",
    output_index: 0,
    summary_index,
    delta: text,
  });
  const call = { type: "function_call", id: "fc_1", call_id: "c1", name: "read" };
  const body = await nextRequest(
    "responses",
    [
      { type: "response.created", response: { id: "r", created_at: 1, model: "gpt-5.1" } },
      added(0, { type: "reasoning", id: "rs_1", encrypted_content: "early", summary: [] }),
      {
        type: "response.reasoning_summary_part.added",
        item_id: "rs_1",
        output_index: 0,
        summary_index: 0,
      },
      summary(0, "first"),
      {
        type: "response.reasoning_summary_part.added",
        item_id: "rs_1",
        output_index: 0,
        summary_index: 1,
      },
      summary(1, "second"),
      done(0, { type: "reasoning", id: "rs_1", encrypted_content: "gAAA+/==", summary: [] }),
      added(1, { type: "reasoning", id: "rs_2", encrypted_content: "only", summary: [] }),
      done(1, { type: "reasoning", id: "rs_2", encrypted_content: "only", summary: [] }),
      added(2, { ...call, arguments: "" }),
      done(2, { ...call, arguments: '{"path":"a"}' }),
      { type: "response.completed", response: {} },
    ],
    "openai",
    "gpt-5.1",
  );
  const reasoning = (body.input as JsonObject[]).filter((item) => item.type === "reasoning");
  assert.deepEqual(reasoning, [
    {
      type: "reasoning",
      id: "rs_1",
      encrypted_content: "gAAA+/==",
      summary: [
        { type: "summary_text", text: "first" },
        { type: "summary_text", text: "second" },
      ],
    },
    { type: "reasoning", id: "rs_2", encrypted_content: "only", summary: [] },
  ]);
  assert.equal(body.store, false);
  assert.deepEqual(body.include, ["reasoning.encrypted_content"]);
});

Deno.test("google: thought signatures go back on the parts that brought them", async () => {
  const body = await nextRequest("google", [
    { candidates: [{ content: { parts: [{ text: "thinking", thought: true }] } }] },
    {
      candidates: [{
        content: {
          parts: [
            { text: "I look.", thoughtSignature: "T1==" },
            { functionCall: { name: "read", args: { path: "a" } }, thoughtSignature: "C1==" },
            { functionCall: { name: "read", args: { path: "b" } } },
          ],
        },
      }],
    },
    {
      candidates: [{
        content: { parts: [{ text: "", thoughtSignature: "E1==" }] },
        finishReason: "STOP",
      }],
    },
  ]);
  const parts = (body.contents as JsonObject[])[1]!.parts as JsonObject[];
  const told = parts.map(({ text, functionCall, thoughtSignature }) => ({
    ...text === undefined ? {} : { text },
    ...functionCall === undefined ? {} : { args: (functionCall as JsonObject).args ?? null },
    ...thoughtSignature === undefined ? {} : { thoughtSignature },
  }));
  assert.deepEqual(told, [
    { text: "I look.", thoughtSignature: "T1==" },
    { args: { path: "a" }, thoughtSignature: "C1==" },
    { args: { path: "b" } },
    { text: "", thoughtSignature: "E1==" },
  ]);
});

Deno.test("chat: thinking goes back under the name it came with, to the same model only", async () => {
  for (const name of ["reasoning_content", "reasoning"]) {
    const events = [
      delta({ [name]: "let me " }),
      delta({ [name]: "see" }),
      pieces({ index: 0, id: "a", function: { name: "read", arguments: "{}" } }),
      delta({}, "tool_calls"),
    ];
    const body = await nextRequest("chat", events);
    assert.equal((body.messages as JsonObject[])[2]![name], "let me see");
    await withProvider(
      "openai-compatible",
      [streamAnswer("chat", events), textAnswer("chat", "ok")],
      async (model, fake) => {
        const { message } = await ask(model);
        await ask(model, { messages: [{ ...message, model: "another" }, user("go on")] });
        assert.equal((fake.requests[1]!.body.messages as JsonObject[])[1]![name], undefined);
      },
    );
  }
});

Deno.test("openrouter: reasoning details go back joined and whole", async () => {
  const body = await nextRequest("chat", [
    delta({
      reasoning: "let me ",
      reasoning_details: [{ type: "reasoning.text", index: 0, text: "let me ", signature: null }],
    }),
    delta({
      reasoning: "see",
      reasoning_details: [{ type: "reasoning.text", index: 0, text: "see" }],
    }),
    delta({
      reasoning_details: [{ type: "reasoning.text", index: 0, signature: "S==", format: "f" }],
    }),
    delta({
      reasoning_details: [{ type: "reasoning.encrypted", index: 1, data: "E==", id: "call" }],
    }),
    delta({ content: "ok" }),
    pieces({ index: 0, id: "a", function: { name: "read", arguments: "{}" } }),
    delta({}, "tool_calls"),
  ], "openrouter");
  const sent = (body.messages as JsonObject[])[2]!;
  assert.deepEqual(sent.reasoning_details, [
    { type: "reasoning.text", index: 0, text: "let me see", signature: "S==", format: "f" },
    { type: "reasoning.encrypted", index: 1, data: "E==", id: "call" },
  ]);
  assert.equal(sent.reasoning, undefined);
  assert.equal(sent.reasoning_content, undefined);
});

Deno.test("chat: a thought signature of a call goes back on it", async () => {
  const body = await nextRequest("chat", [
    pieces({
      index: 0,
      id: "a",
      function: { name: "read", arguments: "{}" },
      extra_content: { google: { thought_signature: "T==" } },
    }),
    delta({}, "tool_calls"),
  ]);
  const calls = (body.messages as JsonObject[])[2]!.tool_calls as JsonObject[];
  assert.deepEqual(calls[0]!.extra_content, { google: { thought_signature: "T==" } });
});

Deno.test("a conversation can go through every provider in turn", async () => {
  const wires: [string, FakeWire][] = [
    ["openai-compatible", "chat"],
    ["anthropic", "anthropic"],
    ["google", "google"],
    ["openai", "responses"],
    ["mistral", "chat"],
    ["openrouter", "chat"],
  ];
  let messages: Message[] = [user("hi")];
  for (const [provider, wire] of wires) {
    await withProvider(provider, [textAnswer(wire, `from ${provider}`)], async (model, fake) => {
      const { message } = await ask(model, { messages });
      const text = fake.requests[0]!.text;
      for (const earlier of messages.slice(1)) {
        if (earlier.role === "assistant") assert.ok(text.includes(`from ${earlier.provider}`));
      }
      messages = [...messages, message, user("go on")];
    });
  }
});

Deno.test("responses: a reasoning item without its content stays at home", async () => {
  const item = { type: "reasoning", id: "rs_1", summary: [] };
  const body = await nextRequest("responses", [
    { type: "response.output_item.added", output_index: 0, item },
    { type: "response.output_item.done", output_index: 0, item },
    { type: "response.output_text.delta", item_id: "m", output_index: 1, delta: "ok" },
    { type: "response.completed", response: {} },
  ]);
  assert.ok((body.input as JsonObject[]).every((sent) => sent.type !== "reasoning"));
});
