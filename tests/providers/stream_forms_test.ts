import assert from "node:assert/strict";
import type { Json, JsonObject } from "../../src/core/json.ts";
import { eventPieces, type FakeWire } from "../support/fake_provider.ts";
import {
  type Answer,
  answerTo,
  answerToPieces,
  ask,
  delta,
  failureOf,
  failureTo,
  pieces,
  providerOfWire,
  withProvider,
} from "./ask.ts";

/** One answer a wire, with text beyond ASCII, a call and usage. */
const streams: Record<FakeWire, Json[]> = {
  chat: [
    delta({ role: "assistant", content: "Grüße " }),
    delta({ content: "漢字 🙂" }),
    pieces({ index: 0, id: "c1", function: { name: "read", arguments: '{"path":' } }),
    pieces({ index: 0, function: { arguments: '"ä"}' } }),
    delta({}, "tool_calls"),
    { choices: [], usage: { prompt_tokens: 5, completion_tokens: 9, total_tokens: 14 } },
  ],
  responses: [
    { type: "response.created", response: { id: "r", created_at: 1, model: "m" } },
    {
      type: "response.output_item.added",
      output_index: 0,
      item: { type: "message", id: "m1", role: "assistant", content: [] },
    },
    { type: "response.output_text.delta", item_id: "m1", output_index: 0, delta: "Grüße " },
    { type: "response.output_text.delta", item_id: "m1", output_index: 0, delta: "漢字 🙂" },
    {
      type: "response.output_item.done",
      output_index: 0,
      item: { type: "message", id: "m1", role: "assistant", content: [] },
    },
    {
      type: "response.output_item.added",
      output_index: 1,
      item: { type: "function_call", id: "f1", call_id: "c1", name: "read", arguments: "" },
    },
    {
      type: "response.output_item.done",
      output_index: 1,
      item: {
        type: "function_call",
        id: "f1",
        call_id: "c1",
        name: "read",
        arguments: '{"path":"ä"}',
      },
    },
    {
      type: "response.completed",
      response: { usage: { input_tokens: 5, output_tokens: 9, total_tokens: 14 } },
    },
  ],
  anthropic: [
    {
      type: "message_start",
      message: { id: "m", model: "m", usage: { input_tokens: 5, output_tokens: 1 } },
    },
    { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
    { type: "ping" },
    {
      type: "content_block_delta",
      index: 0,
      delta: { type: "text_delta", text: "Grüße 漢字 🙂" },
    },
    { type: "content_block_stop", index: 0 },
    {
      type: "content_block_start",
      index: 1,
      content_block: { type: "tool_use", id: "c1", name: "read", input: {} },
    },
    {
      type: "content_block_delta",
      index: 1,
      delta: { type: "input_json_delta", partial_json: '{"path":"ä"}' },
    },
    { type: "content_block_stop", index: 1 },
    { type: "message_delta", delta: { stop_reason: "tool_use" }, usage: { output_tokens: 9 } },
    { type: "message_stop" },
  ],
  google: [
    { candidates: [{ content: { parts: [{ text: "Grüße " }] } }] },
    {
      candidates: [{
        content: {
          parts: [{ text: "漢字 🙂" }, { functionCall: { name: "read", args: { path: "ä" } } }],
        },
        finishReason: "STOP",
      }],
      usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 9 },
    },
  ],
};

function check(answer: Answer): void {
  assert.equal(answer.text, "Grüße 漢字 🙂");
  assert.deepEqual(answer.calls.map(({ name, text }) => [name, JSON.parse(text)]), [
    ["read", { path: "ä" }],
  ]);
  assert.equal(answer.finish.reason, "tool_calls");
  assert.deepEqual(answer.finish.usage, { input_tokens: 5, output_tokens: 9 });
}

const bytesOf = (text: string) => new TextEncoder().encode(text);

for (const wire of ["chat", "responses", "anthropic", "google"] as const) {
  const sent = eventPieces(wire, streams[wire]);
  const provider = providerOfWire[wire];
  const forms: Record<string, (string | Uint8Array)[]> = {
    "as it is": sent,
    "in one piece": [sent.join("")],
    "in single bytes": [...bytesOf(sent.join(""))].map((byte) => Uint8Array.of(byte)),
    "with CRLF": sent.map((piece) => piece.replaceAll("\n", "\r\n")),
    "with CR": sent.map((piece) => piece.replaceAll("\n", "\r")),
    "with comments between and before data": sent.map((piece) =>
      `: OPENROUTER PROCESSING\n\n:\n: glued\n${piece}`
    ),
    "with a comment stuck to the data": sent.map((piece) =>
      piece.replace("data: {", ": PROCESSINGdata: {")
    ),
    "with a comment behind the data": sent.map((piece) =>
      piece.replace("}\n\n", "}: OPENROUTER PROCESSING\n\n")
    ),
    "without a space after data:": sent.map((piece) => piece.replace("data: ", "data:")),
    "with empty data, pings, ids and retries": sent.map((piece) =>
      `data:\n\nevent: ping\ndata: {"type": "ping"}\n\nid: 7\nretry: 10\n${piece}`
    ),
    "with a byte order mark": ["\ufeff", ...sent],
    "with events over two data lines": sent.map((piece) =>
      piece.replace(/data: (.{9})/, "data: $1\ndata: ")
    ),
    "without event lines": sent.map((piece) => piece.replace(/^event: .*\n/m, "")),
    "without a last blank line": [sent.join("").trimEnd()],
    "without [DONE]": sent.filter((piece) => !piece.includes("[DONE]")),
    "with bytes after the end": [...sent, 'data: {"broken\n\ndata: <html>\n\n'].filter((_, at) =>
      wire !== "google" || at < sent.length
    ),
  };
  for (const [form, pieces] of Object.entries(forms)) {
    Deno.test(`${wire}: a stream ${form} reads the same`, async () => {
      check(await answerToPieces(provider, pieces));
    });
  }

  Deno.test(`${wire}: a stream that ends without its finish is a failure to try again`, async () => {
    for (const ending of ["close", "cut"] as const) {
      const cut = sent.slice(0, wire === "google" ? 1 : 2);
      await withProvider(provider, [{ pieces: cut, ending }], async (model) => {
        const error = await failureOf(model);
        assert.ok(error.kind === "protocol" || error.kind === "network", error.kind);
        assert.equal(error.details.retryable, true);
        assert.match(error.message, /ended before its finish|broke off/);
      });
    }
  });

  Deno.test(`${wire}: an answer that breaks off after its finish is whole`, async () => {
    const last = sent.filter((piece) => !piece.includes("[DONE]"));
    await withProvider(provider, [{ pieces: last, ending: "cut" }], async (model) => {
      check(await ask(model));
    });
  });

  Deno.test(`${wire}: an event that is broken JSON is a failure, not a gap`, async () => {
    const broken = [...sent.slice(0, 1), 'data: {"choices":[{"delta"\n\n', ...sent.slice(1)];
    await withProvider(provider, [{ pieces: broken }], async (model) => {
      const error = await failureOf(model);
      assert.equal(error.kind, "protocol");
      assert.match(error.message, /not valid JSON/);
    });
  });
}

Deno.test("chat: a connection that stays open after the finish is not waited for long", async () => {
  const sent = eventPieces("chat", streams.chat).filter((piece) => !piece.includes("[DONE]"));
  await withProvider("openai-compatible", [{ pieces: sent, ending: "hang" }], async (model) => {
    check(await ask(model));
  });
});

for (const wire of ["chat", "anthropic", "google"] as const) {
  Deno.test(`${wire}: keep-alives after the finish do not keep the answer open`, async () => {
    const sent = eventPieces(wire, streams[wire]).filter((piece) =>
      !piece.includes("[DONE]") && !piece.includes("message_stop")
    );
    const keepAlive = wire === "anthropic" ? 'data: {"type":"ping"}\n\n' : ": still here\n\n";
    const answer = { pieces: sent, ending: "hang", keepAlive } as const;
    await withProvider(providerOfWire[wire], [answer], async (model) => {
      check(await ask(model, {}, AbortSignal.timeout(20_000)));
    });
  });
}

Deno.test("chat: usage may be null, absent, late, repeated, elsewhere, or beside the last text", async () => {
  const usage = (input: number, output: number) => ({
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
  });
  const cases: [JsonObject[], object][] = [
    [[{ ...delta({ content: "hi" }), usage: null }, { ...delta({}, "stop"), usage: null }], {}],
    [[delta({ content: "hi" }), delta({}, "stop")], {}],
    [
      [delta({ content: "hi" }), delta({}, "stop"), { choices: [], usage: usage(5, 9) }],
      { input_tokens: 5, output_tokens: 9 },
    ],
    [
      [
        { ...delta({ content: "h" }), usage: usage(5, 1) },
        { ...delta({ content: "i" }), usage: usage(5, 2) },
        { ...delta({}, "stop"), usage: usage(5, 2) },
      ],
      { input_tokens: 5, output_tokens: 2 },
    ],
    [
      [{ ...delta({ content: "hi" }, "stop"), usage: usage(5, 9) }],
      { input_tokens: 5, output_tokens: 9 },
    ],
    [
      [delta({ content: "hi" }), { ...delta({}, "stop"), x_groq: { usage: usage(5, 9) } }],
      { input_tokens: 5, output_tokens: 9 },
    ],
    [
      [delta({ content: "hi" }), {
        choices: [{ index: 0, delta: {}, finish_reason: "stop", usage: usage(5, 9) }],
      }],
      { input_tokens: 5, output_tokens: 9 },
    ],
  ];
  for (const provider of ["openai-compatible", "mistral"]) {
    for (const [events, expected] of cases) {
      const answer = await answerTo("chat", events, provider);
      assert.equal(answer.text, "hi");
      assert.deepEqual(answer.finish.usage, expected);
    }
  }
});

Deno.test("chat: null choices, deltas, contents and calls are skipped", async () => {
  for (const provider of ["openai-compatible", "mistral"]) {
    const answer = await answerTo("chat", [
      { choices: null },
      { choices: [] },
      { choices: [null] },
      { choices: [{ index: 0, delta: null, finish_reason: null }] },
      delta({ content: null, tool_calls: null, reasoning_content: null, refusal: null }),
      { id: null, object: null, ...delta({ content: "hi", role: null }) },
      { error: null, ...delta({}, "stop") },
    ], provider);
    assert.equal(answer.text, "hi");
    assert.equal(answer.finish.reason, "stop");
  }
});

Deno.test("chat: thinking comes under several names, and never twice", async () => {
  for (const name of ["reasoning_content", "reasoning", "reasoning_text"]) {
    const answer = await answerTo("chat", [
      delta({ [name]: "let " }),
      delta({ [name]: "me think" }),
      delta({ content: "ok" }, "stop"),
    ]);
    assert.equal(answer.thinking, "let me think");
    assert.equal(answer.text, "ok");
  }
  const both = await answerTo("chat", [
    delta({ reasoning: "once", reasoning_content: "once" }),
    delta({ content: "ok" }, "stop"),
  ]);
  assert.equal(both.thinking, "once");
});

Deno.test("chat: content as a list of parts keeps its order", async () => {
  for (const provider of ["openai-compatible", "mistral"]) {
    const answer = await answerTo("chat", [
      delta({
        content: [
          { type: "thinking", thinking: [{ type: "text", text: "hm" }] },
          { type: "text", text: "a" },
          { type: "reference", reference_ids: [1] },
          { type: "text", text: "b" },
        ],
      }),
      delta({ content: "c" }, "stop"),
    ], provider);
    assert.equal(answer.thinking, "hm");
    assert.equal(answer.text, "abc");
  }
});

Deno.test("chat: a refusal is no answer, and its words are told", async () => {
  const answer = await answerTo("chat", [
    delta({ content: null, refusal: "" }),
    delta({ refusal: "I will " }),
    delta({ refusal: "not." }),
    delta({}, "stop"),
  ]);
  assert.equal(answer.text, "");
  assert.equal(answer.finish.reason, "content_filter");
  assert.equal(answer.finish.rawReason, "refusal: I will not.");
});

Deno.test("chat: a whole answer instead of a stream is read, too", async () => {
  const body = JSON.stringify({
    choices: [{
      index: 0,
      message: {
        role: "assistant",
        content: "hi",
        tool_calls: [{ id: "a", function: { name: "read", arguments: '{"path":"a"}' } }],
      },
      finish_reason: "tool_calls",
    }],
    usage: { prompt_tokens: 5, completion_tokens: 9 },
  });
  await withProvider("openai-compatible", [{ body }], async (model) => {
    const answer = await ask(model);
    assert.equal(answer.text, "hi");
    assert.equal(answer.calls.length, 1);
    assert.deepEqual(answer.finish.usage, { input_tokens: 5, output_tokens: 9 });
  });
});

Deno.test("chat: ends that are no success say which", async () => {
  const cases: [string, string][] = [
    ["length", "length"],
    ["model_length", "length"],
    ["content_filter", "content_filter"],
  ];
  for (const [raw, reason] of cases) {
    const answer = await answerTo("chat", [delta({ content: "half" }), delta({}, raw)]);
    assert.equal(answer.finish.reason, reason);
    assert.equal(answer.finish.rawReason, raw);
  }
  const error = await failureTo("chat", [
    delta({ content: "half" }),
    delta({}, "insufficient_system_resource"),
  ]);
  assert.equal(error.kind, "stopped");
  assert.equal(error.details.retryable, true);
  assert.match(error.message, /insufficient_system_resource/);
});

Deno.test("google: calls in chunks of their own, without ids, are two calls", async () => {
  const call = (path: string) => ({
    candidates: [{ content: { parts: [{ functionCall: { name: "read", args: { path } } }] } }],
  });
  const answer = await answerTo("google", [
    call("a"),
    call("b"),
    { candidates: [{ content: { parts: [{ text: "" }] }, finishReason: "STOP" }] },
  ]);
  assert.deepEqual(answer.calls.map((call) => call.text), ['{"path":"a"}', '{"path":"b"}']);
});

Deno.test("google: arguments in pieces are put together, also where nobody closes them", async () => {
  const part = (functionCall: JsonObject, more: JsonObject = {}) => ({
    candidates: [{ content: { parts: [{ functionCall }] }, ...more }],
  });
  const answer = await answerTo("google", [
    part({ name: "read", willContinue: true }),
    part({
      partialArgs: [{ jsonPath: "$.path", stringValue: "a/", willContinue: true }],
      willContinue: true,
    }),
    part({ partialArgs: [{ jsonPath: "$.path", stringValue: "b" }], willContinue: true }),
    { candidates: [{ finishReason: "STOP" }] },
  ]);
  assert.deepEqual(answer.calls.map((call) => JSON.parse(call.text)), [{ path: "a/b" }]);
});

Deno.test("google: calls without arguments and null fields do no harm", async () => {
  const answer = await answerTo("google", [
    { candidates: null, usageMetadata: null, promptFeedback: null },
    {
      candidates: [{
        content: {
          parts: [null, { executableCode: { code: "1" } }, { functionCall: { name: "git" } }],
        },
      }],
    },
    {
      candidates: [{
        content: { parts: [{ functionCall: { name: "git", args: null } }] },
        finishReason: "STOP",
      }],
    },
  ]);
  assert.deepEqual(answer.calls.map(({ name, text }) => [name, text]), [
    ["git", "{}"],
    ["git", "{}"],
  ]);
});

Deno.test("google: ends that are no answer are failures or say which", async () => {
  for (
    const [reason, retryable] of [
      ["MALFORMED_FUNCTION_CALL", true],
      ["UNEXPECTED_TOOL_CALL", true],
      ["OTHER", true],
    ] as const
  ) {
    const error = await failureTo("google", [
      { candidates: [{ content: {}, finishReason: reason, finishMessage: "print(read(" }] },
    ]);
    assert.equal(error.kind, "stopped");
    assert.equal(error.details.retryable, retryable);
    assert.match(error.message, new RegExp(reason));
  }
  for (const reason of ["SAFETY", "RECITATION", "PROHIBITED_CONTENT"]) {
    const answer = await answerTo("google", [{ candidates: [{ finishReason: reason }] }]);
    assert.equal(answer.finish.reason, "content_filter");
    assert.equal(answer.finish.rawReason, reason);
  }
  const cut = await answerTo("google", [
    { candidates: [{ content: { parts: [{ text: "half" }] }, finishReason: "MAX_TOKENS" }] },
  ]);
  assert.equal(cut.finish.reason, "length");
  assert.equal(cut.text, "half");
  const none = await failureTo("google", [{ usageMetadata: { promptTokenCount: 5 } }]);
  assert.equal(none.kind, "stopped");
  assert.equal(none.details.retryable, true);
  assert.match(none.message, /no candidates/);
  const blocked = await answerTo("google", [{ promptFeedback: { blockReason: "SAFETY" } }]);
  assert.equal(blocked.finish.reason, "content_filter");
});

Deno.test("anthropic: pings, unknown blocks and calls without arguments are read right", async () => {
  const answer = await answerTo("anthropic", [
    { type: "ping" },
    { type: "message_start", message: { usage: { input_tokens: 5, cache_read_input_tokens: 3 } } },
    { type: "content_block_start", index: 0, content_block: { type: "novelty", data: 1 } },
    { type: "content_block_delta", index: 0, delta: { type: "novelty_delta" } },
    { type: "content_block_stop", index: 0 },
    {
      type: "content_block_start",
      index: 1,
      content_block: { type: "tool_use", id: "a", name: "git", input: {} },
    },
    {
      type: "content_block_start",
      index: 2,
      content_block: { type: "tool_use", id: "b", name: "read", input: {} },
    },
    {
      type: "content_block_delta",
      index: 2,
      delta: { type: "input_json_delta", partial_json: '{"path"' },
    },
    {
      type: "content_block_delta",
      index: 1,
      delta: { type: "input_json_delta", partial_json: "" },
    },
    {
      type: "content_block_delta",
      index: 2,
      delta: { type: "input_json_delta", partial_json: ':"a"}' },
    },
    { type: "content_block_stop", index: 1 },
    { type: "content_block_stop", index: 2 },
    {
      type: "message_delta",
      delta: { stop_reason: "tool_use" },
      usage: { output_tokens: 9, input_tokens: null, cache_creation_input_tokens: 2 },
    },
    { type: "message_stop" },
  ]);
  assert.deepEqual(answer.calls.map(({ name, text }) => [name, JSON.parse(text)]), [
    ["git", {}],
    ["read", { path: "a" }],
  ]);
  assert.deepEqual(answer.finish.usage, {
    input_tokens: 10,
    output_tokens: 9,
    cache_read_tokens: 3,
    cache_write_tokens: 2,
  });
});

Deno.test("anthropic: a refusal says why, and a call cut at the limit is no JSON", async () => {
  const refused = await answerTo("anthropic", [
    { type: "message_start", message: { usage: { input_tokens: 5 } } },
    {
      type: "message_delta",
      delta: { stop_reason: "refusal", stop_details: { explanation: "Not that." } },
      usage: { output_tokens: 1 },
    },
    { type: "message_stop" },
  ]);
  assert.equal(refused.finish.reason, "content_filter");
  assert.equal(refused.finish.rawReason, "refusal: Not that.");
  const cut = await answerTo("anthropic", [
    { type: "message_start", message: { usage: { input_tokens: 5 } } },
    {
      type: "content_block_start",
      index: 0,
      content_block: { type: "tool_use", id: "a", name: "write", input: {} },
    },
    {
      type: "content_block_delta",
      index: 0,
      delta: { type: "input_json_delta", partial_json: '{"path":"a","con' },
    },
    { type: "message_delta", delta: { stop_reason: "max_tokens" }, usage: { output_tokens: 9 } },
    { type: "message_stop" },
  ]);
  assert.equal(cut.finish.reason, "length");
  assert.throws(() => JSON.parse(cut.calls[0]!.text));
  const empty = await answerTo("anthropic", [
    { type: "message_start", message: { usage: { input_tokens: 5 } } },
    {
      type: "content_block_start",
      index: 0,
      content_block: { type: "tool_use", id: "a", name: "git", input: {} },
    },
    { type: "message_delta", delta: { stop_reason: "max_tokens" }, usage: { output_tokens: 9 } },
    { type: "message_stop" },
  ]);
  assert.deepEqual(empty.calls, []);
});

Deno.test("responses: items are told apart by their place, whatever their ids", async () => {
  const added = (output_index: number, item: JsonObject) => ({
    type: "response.output_item.added",
    output_index,
    item,
  });
  const call = (id: string, path: string) => ({
    type: "function_call",
    id,
    call_id: `call_${path}`,
    name: "read",
    arguments: "",
  });
  const args = (output_index: number, item_id: string, text: string) => ({
    type: "response.function_call_arguments.delta",
    output_index,
    item_id,
    delta: text,
  });
  const done = (output_index: number, item: JsonObject) => ({
    type: "response.output_item.done",
    output_index,
    item,
  });
  const answer = await answerTo("responses", [
    added(0, call("1", "a")),
    added(1, call("2", "b")),
    args(0, "x", '{"path"'),
    args(1, "y", '{"path"'),
    args(0, "z", ':"a"}'),
    args(1, "w", ':"b"}'),
    // One server gives the arguments in the last event, the other only in pieces.
    done(0, { ...call("8", "a"), arguments: '{"path":"a"}' }),
    done(1, call("9", "b")),
    { type: "response.completed", response: { usage: null } },
  ]);
  assert.deepEqual(answer.calls.map((call) => call.text), ['{"path":"a"}', '{"path":"b"}']);
  assert.equal(answer.finish.reason, "tool_calls");
});

Deno.test("responses: text and calls that come only whole are not lost", async () => {
  const answer = await answerTo("responses", [
    { type: "response.created", response: {} },
    {
      type: "response.completed",
      response: {
        output: [
          { type: "web_search_call", id: "w" },
          { type: "message", id: "m", content: [{ type: "output_text", text: "hi" }] },
          {
            type: "function_call",
            id: "f",
            call_id: "c",
            name: "read",
            arguments: '{"path":"a"}',
          },
        ],
        usage: { input_tokens: 5, output_tokens: 9 },
      },
    },
  ]);
  assert.equal(answer.text, "hi");
  assert.deepEqual(answer.calls.map((call) => call.text), ['{"path":"a"}']);
});

Deno.test("responses: open models' reasoning, refusals and incomplete ends are read", async () => {
  const thought = await answerTo("responses", [
    {
      type: "response.reasoning_text.delta",
      item_id: "r",
      output_index: 0,
      content_index: 0,
      delta: "hm",
    },
    { type: "response.output_text.delta", item_id: "m", output_index: 1, delta: "ok" },
    { type: "response.completed", response: {} },
  ]);
  assert.equal(thought.thinking, "hm");
  assert.equal(thought.text, "ok");
  const refused = await answerTo("responses", [
    { type: "response.refusal.delta", item_id: "m", output_index: 0, delta: "No." },
    { type: "response.completed", response: {} },
  ]);
  assert.equal(refused.finish.reason, "content_filter");
  assert.equal(refused.finish.rawReason, "refusal: No.");
  for (
    const [reason, expected] of [
      ["max_output_tokens", "length"],
      ["content_filter", "content_filter"],
    ] as const
  ) {
    const answer = await answerTo("responses", [
      { type: "response.output_text.delta", item_id: "m", output_index: 0, delta: "half" },
      { type: "response.incomplete", response: { incomplete_details: { reason } } },
    ]);
    assert.equal(answer.finish.reason, expected);
    assert.equal(answer.finish.rawReason, reason);
  }
});

Deno.test("deltas that come in one piece stay apart, around all else in their order", async () => {
  const many = Array.from({ length: 50 }, (_, at) => `${at} 🙂 `);
  const chat = [
    delta({ reasoning: "hm" }),
    ...many.map((text) => delta({ content: text })),
    delta({ reasoning: "hm again" }),
    ...many.map((text) => delta({ content: text })),
    delta({}, "stop"),
  ];
  const anthropic = [
    { type: "message_start", message: { usage: { input_tokens: 1 } } },
    ...[0, 1].flatMap((index): Json[] => [
      { type: "content_block_start", index, content_block: { type: "text", text: "" } },
      ...many.map((text) => ({
        type: "content_block_delta",
        index,
        delta: { type: "text_delta", text },
      })),
      { type: "content_block_stop", index },
    ]),
    { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 1 } },
    { type: "message_stop" },
  ];
  const responses = [
    ...[0, 1].flatMap((output_index) =>
      many.map((text) => ({
        type: "response.output_text.delta",
        item_id: `m${output_index}`,
        output_index,
        delta: text,
      }))
    ),
    { type: "response.completed", response: {} },
  ];
  const google = [
    ...[...many, ...many].map((text) => ({ candidates: [{ content: { parts: [{ text }] } }] })),
    { candidates: [{ finishReason: "STOP" }] },
  ];
  for (
    const [wire, events] of Object.entries({ chat, anthropic, responses, google }) as [
      FakeWire,
      Json[],
    ][]
  ) {
    const piece = eventPieces(wire, events).join("");
    const answer = await answerToPieces(providerOfWire[wire], [piece]);
    const deltas = answer.events.flatMap((event) => event.type === "text" ? [event.delta] : []);
    assert.deepEqual(deltas.filter((text) => text !== ""), [...many, ...many], wire);
  }
});

Deno.test("google: argument pieces may be numbers, truths, nothing, and lie deep", async () => {
  const piece = (...partialArgs: JsonObject[]) => ({
    candidates: [{ content: { parts: [{ functionCall: { partialArgs, willContinue: true } }] } }],
  });
  const answer = await answerTo("google", [
    {
      candidates: [{
        content: { parts: [{ functionCall: { name: "edit", willContinue: true } }] },
      }],
    },
    piece({ jsonPath: "$.path", stringValue: 'a "b"', willContinue: true }),
    piece({ jsonPath: "$.path", stringValue: "\n\\c 漢" }),
    piece({ jsonPath: "$.count", numberValue: 3 }, { jsonPath: "$.all", boolValue: false }),
    piece({ jsonPath: "$.hunks[0].old_text", stringValue: "x" }),
    piece({ jsonPath: "$.hunks[0].new_text", stringValue: "" }),
    piece({ jsonPath: "$.hunks[1].old_text", stringValue: "y" }),
    piece({ jsonPath: "$.none", nullValue: null }),
    { candidates: [{ content: { parts: [{ functionCall: {} }] }, finishReason: "STOP" }] },
  ]);
  assert.deepEqual(answer.calls.map((call) => JSON.parse(call.text)), [{
    path: 'a "b"\n\\c 漢',
    count: 3,
    all: false,
    hunks: [{ old_text: "x", new_text: "" }, { old_text: "y" }],
    none: null,
  }]);
});

Deno.test("anthropic: calls that come whole in the first event are read", async () => {
  const answer = await answerTo("anthropic", [
    {
      type: "message_start",
      message: {
        usage: { input_tokens: 1 },
        content: [{ type: "tool_use", id: "a", name: "read", input: { path: "a" } }],
      },
    },
    { type: "message_delta", delta: { stop_reason: "tool_use" }, usage: { output_tokens: 1 } },
    { type: "message_stop" },
  ]);
  assert.deepEqual(answer.calls, [{ id: "a", name: "read", text: '{"path":"a"}' }]);
});

Deno.test("what an answer is shows in its first character, not in its content type", async () => {
  const stream = eventPieces("chat", streams.chat).join("");
  for (const type of ["application/json", "text/html", "text/plain", "application/octet-stream"]) {
    const answer = { pieces: ["\n", stream], headers: { "content-type": type } };
    await withProvider("openai-compatible", [answer], async (model) => check(await ask(model)));
  }
  const list = JSON.stringify(streams.google);
  const whole = { pieces: ["", list.slice(0, 9), list.slice(9)] };
  await withProvider("google", [whole], async (model) => check(await ask(model)));
  for (const body of ['[{"error":{"code":429,"message":"slow"}}]', '{"error":{"code":429}}']) {
    await withProvider("google", [{ pieces: [body] }], async (model) => {
      assert.equal((await failureOf(model)).kind, "quota");
    });
  }
  await withProvider("openai", [{ pieces: ["{ torn"] }], async (model) => {
    assert.match((await failureOf(model)).message, /neither a stream nor JSON/);
  });
  await withProvider("openai", [{ pieces: ["<html><title>In</title>"] }], async (model) => {
    assert.match((await failureOf(model)).message, /a web page \("In"\)/);
  });
});

Deno.test("calls side by side keep the order in which they began, whichever is whole first", async () => {
  const started = (index: number) => ({
    type: "content_block_start",
    index,
    content_block: { type: "tool_use", id: `t${index}`, name: "read", input: {} },
  });
  const args = (index: number, partial_json: string) => ({
    type: "content_block_delta",
    index,
    delta: { type: "input_json_delta", partial_json },
  });
  const stopped = (index: number) => ({ type: "content_block_stop", index });
  const anthropic = await answerTo("anthropic", [
    { type: "message_start", message: { usage: { input_tokens: 1 } } },
    started(0),
    started(1),
    args(0, '{"path":'),
    args(1, '{"path":"b"}'),
    stopped(1),
    args(0, '"a"}'),
    stopped(0),
    { type: "message_delta", delta: { stop_reason: "tool_use" }, usage: { output_tokens: 1 } },
    { type: "message_stop" },
  ]);
  const item = (index: number, text: string) => ({
    type: "function_call",
    id: `fc_${index}`,
    call_id: `t${index}`,
    name: "read",
    arguments: text,
  });
  const responses = await answerTo("responses", [
    { type: "response.output_item.added", output_index: 0, item: item(0, "") },
    { type: "response.output_item.added", output_index: 1, item: item(1, "") },
    { type: "response.output_item.done", output_index: 1, item: item(1, '{"path":"b"}') },
    { type: "response.output_item.done", output_index: 0, item: item(0, '{"path":"a"}') },
    { type: "response.completed", response: {} },
  ]);
  for (const { calls } of [anthropic, responses]) {
    assert.deepEqual(calls.map(({ id, text }) => [id, JSON.parse(text).path]), [
      ["t0", "a"],
      ["t1", "b"],
    ]);
  }
});
