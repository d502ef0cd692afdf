import assert from "node:assert/strict";
import type { Json, JsonObject } from "../../../../src/core/json.ts";
import { createAnswer } from "../../../../src/providers/wires/answer.ts";
import { reader } from "../../../../src/providers/wires/anthropic/reply.ts";
import { type Answer, answerTo, answerToPieces, ask, failureTo, withProvider } from "../../ask.ts";

const start = (index: number, content_block: Json): JsonObject => ({
  type: "content_block_start",
  index,
  content_block,
});
const delta = (index: number, value: JsonObject): JsonObject => ({
  type: "content_block_delta",
  index,
  delta: value,
});
const stop = (index: number): JsonObject => ({ type: "content_block_stop", index });
const end = (stop_reason: string): JsonObject[] => [
  { type: "message_delta", delta: { stop_reason } },
  { type: "message_stop" },
];
const text = (text: Json) => ({ type: "text_delta", text });
const thinking = (thinking: Json) => ({ type: "thinking_delta", thinking });
const signature = (signature: Json) => ({ type: "signature_delta", signature });
const json = (partial_json: Json) => ({ type: "input_json_delta", partial_json });
const tool = (id: Json, name: Json, input: Json = {}) => ({ type: "tool_use", id, name, input });

const read = (events: JsonObject[], reason = "end_turn") =>
  answerTo("anthropic", [...events, ...end(reason)]);
const callsOf = ({ calls }: Answer) => calls.map(({ name, text }) => [name, text]);

/** The parts that the loop would keep, calls by their names. */
const partsOf = ({ message }: Answer) =>
  message.content.map((part) => {
    if (part.type === "tool_use") return [part.type, part.name];
    return part.metadata === undefined
      ? [part.type, part.text]
      : [part.type, part.text, part.metadata];
  });

Deno.test("blocks that are never announced or closed are read by their deltas", async () => {
  const answer = await read([
    delta(0, thinking("hm")),
    delta(0, signature("S")),
    delta(1, text("Hello")),
    delta(1, text(" there")),
  ]);
  assert.deepEqual(partsOf(answer), [
    ["thinking", "hm", { signature: "S" }],
    ["text", "Hello there"],
  ]);
});

Deno.test("blocks that share an index stay apart, and none is lost", async () => {
  const answer = await read([
    start(0, { type: "text", text: "" }),
    delta(0, thinking("first")),
    delta(0, text("Let me look.")),
    start(0, tool("a", "read")),
    delta(0, json('{"path":"a"}')),
    delta(0, text("And")),
    delta(0, text(" again.")),
    start(0, tool("b", "read")),
    delta(0, json('{"path":"b"}')),
    stop(0),
    start(0, { type: "text", text: "Done." }),
    stop(0),
    delta(0, text("Late.")),
  ], "tool_use");
  assert.deepEqual(callsOf(answer), [["read", '{"path":"a"}'], ["read", '{"path":"b"}']]);
  assert.deepEqual(partsOf(answer), [
    ["thinking", "first"],
    ["text", "Let me look."],
    ["text", "And again."],
    ["tool_use", "read"],
    ["tool_use", "read"],
    ["text", "Done."],
    ["text", "Late."],
  ]);
});

Deno.test("an index may be missing or come as text, a type stand in the event line", async () => {
  const events: [string, JsonObject][] = [
    ["content_block_start", { content_block: { type: "text", text: "a" } }],
    ["content_block_delta", { delta: text("b") }],
    ["content_block_stop", {}],
    ["content_block_start", { content_block: tool("x", "read") }],
    ["content_block_delta", { delta: json("{}") }],
    ["content_block_stop", {}],
    ["content_block_start", { index: "7", content_block: { type: "text", text: "c" } }],
    ["content_block_delta", { index: 7, delta: text("d") }],
    ["message_delta", { delta: { stop_reason: "tool_use" } }],
    ["message_stop", {}],
  ];
  const pieces = events.map(([name, data]) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`);
  const answer = await answerToPieces("anthropic", pieces);
  assert.deepEqual(partsOf(answer), [["text", "ab"], ["tool_use", "read"], ["text", "cd"]]);
});

Deno.test("arguments may come whole, parsed, as text, in pieces, or not at all", async () => {
  const answer = await read([
    start(0, tool("a", "read", { path: "whole" })),
    stop(0),
    start(1, tool("b", "read", '{"path":"text"}')),
    stop(1),
    start(2, tool("c", "read", { path: "overridden" })),
    delta(2, json('{"path":')),
    delta(2, json('"pieces"}')),
    stop(2),
    start(3, tool("d", "read", null)),
    delta(3, json({ path: "parsed" })),
    stop(3),
    start(4, tool("e", "read")),
    start(4, tool("e", "read")),
    delta(4, json("")),
    delta(4, json(null)),
    stop(4),
    delta(4, json("late")),
  ], "tool_use");
  assert.deepEqual(callsOf(answer), [
    ["read", '{"path":"whole"}'],
    ["read", '{"path":"text"}'],
    ["read", '{"path":"pieces"}'],
    ["read", '{"path":"parsed"}'],
    ["read", "{}"],
  ]);
});

Deno.test("a call that is never closed runs only where the end says that it is whole", async () => {
  const open = (...pieces: string[]) => [
    start(0, tool("a", "read")),
    ...pieces.map((piece) => delta(0, json(piece))),
  ];
  assert.deepEqual(callsOf(await read(open("{}"), "tool_use")), [["read", "{}"]]);
  assert.deepEqual(callsOf(await read(open(), "tool_use")), [["read", ""]]);
  assert.deepEqual(callsOf(await read(open(), "end_turn")), [["read", ""]]);
  assert.deepEqual(callsOf(await read(open(), "max_tokens")), []);
  assert.deepEqual(callsOf(await read(open('{"pa'), "max_tokens")), [["read", '{"pa']]);
  assert.deepEqual(callsOf(await read(open('{"pa'), "refusal")), []);
});

Deno.test("a signature belongs to its thinking, whenever it comes", async () => {
  const answer = await read([
    start(0, { type: "thinking", thinking: "a", signature: "" }),
    delta(0, thinking("b")),
    delta(0, signature("early")),
    stop(0),
    delta(0, signature("last")),
    start(1, { type: "thinking", thinking: "", signature: "hidden" }),
    stop(1),
    start(2, { type: "redacted_thinking", data: "R" }),
    stop(2),
    start(3, { type: "redacted_thinking", data: null }),
    stop(3),
    start(4, { type: "text", text: "" }),
    delta(4, signature("of no thinking")),
    delta(4, text("ok")),
  ]);
  assert.deepEqual(partsOf(answer), [
    ["thinking", "ab", { signature: "last" }],
    ["thinking", "", { signature: "hidden" }],
    ["thinking", "", { redacted_data: "R" }],
    ["text", "ok"],
  ]);
});

Deno.test("what a server runs itself is no call, and what nobody knows is skipped", async () => {
  const answer = await read([
    { type: "news", delta: text("no") },
    start(0, { type: "server_tool_use", id: "s", name: "web_search", input: {} }),
    delta(0, json('{"query":"q"}')),
    stop(0),
    start(1, { type: "web_search_tool_result", tool_use_id: "s", content: [{ title: 1 }] }),
    stop(1),
    start(2, null),
    delta(2, text("of an unknown block")),
    stop(2),
    start(3, { type: "text", text: null }),
    delta(3, { type: "citations_delta", citation: { type: "novelty" } }),
    delta(3, text("found")),
    delta(3, text(null)),
    { type: "content_block_delta", index: 3, delta: null },
    stop(3),
    stop(9),
    { type: "message_delta", delta: null },
    { type: "message_start", message: null },
  ]);
  assert.deepEqual(answer.calls, []);
  assert.deepEqual(partsOf(answer), [["text", "found"]]);
});

Deno.test("what would be lost or sent back in a wrong form is refused", async () => {
  let deep: Json = 1;
  for (let level = 0; level < 101; level++) deep = { 0: deep };
  const cases: [JsonObject[], RegExp][] = [
    [[start(0, tool("a", "read", deep))], /arguments that nest more than 100 levels deep/],
    [[start(0, { type: "text", text: 5 })], /text that is not a string/],
    [[delta(0, text(["a"]))], /text that is not a string/],
    [[start(0, { type: "thinking", thinking: {} })], /thinking that is not a string/],
    [[delta(0, thinking(1))], /thinking that is not a string/],
    [[delta(0, thinking("a")), delta(0, signature(7))], /a signature that is not a string/],
    [[start(0, { type: "redacted_thinking", data: 7 })], /redacted thinking that is not a string/],
    [[start(0, tool("a", 5))], /the name of a tool that is not a string/],
    [[start(0, tool("a", null))], /asks for a tool without naming it/],
    [[start(0, tool("a", " "))], /asks for a tool without naming it/],
    [[delta(0, json('{"path":"a"}'))], /arguments of no call/],
    [[start(0, { type: "text", text: "" }), delta(0, json("{}"))], /arguments of no call/],
    [
      [{ type: "message_start", message: { content: [tool("a", "")] } }],
      /asks for a tool without naming it/,
    ],
  ];
  for (const [events, problem] of cases) {
    const error = await failureTo("anthropic", [...events, ...end("tool_use")]);
    assert.equal(error.kind, "protocol", String(problem));
    assert.match(error.message, problem);
  }
});

Deno.test("an id that is no string counts as none", async () => {
  for (const id of [undefined, null, 7]) {
    const named = { type: "tool_use", name: "read", input: {}, ...id === undefined ? {} : { id } };
    const answer = await read([start(0, named), stop(0)], "tool_use");
    assert.deepEqual(callsOf(answer), [["read", "{}"]]);
  }
});

Deno.test("an error is one under any type, and in any form", async () => {
  const cases: [JsonObject, string][] = [
    [{ type: "error", error: { type: "overloaded_error", message: "Busy" } }, "overload"],
    [{ error: { type: "rate_limit_error", message: "Slow" } }, "quota"],
    [{ type: "news", error: "Overloaded" }, "overload"],
    [{ type: "error", message: "Overloaded" }, "overload"],
  ];
  for (const [event, kind] of cases) {
    assert.equal((await failureTo("anthropic", [event])).kind, kind, JSON.stringify(event));
  }
});

Deno.test("usage is added up from every place, whatever its numbers look like", async () => {
  const answer = await answerTo("anthropic", [
    {
      type: "message_start",
      message: { usage: { input_tokens: "5", cache_read_input_tokens: 3, output_tokens: 1 } },
    },
    delta(0, text("ok")),
    {
      type: "message_delta",
      delta: { stop_reason: "end_turn" },
      usage: { input_tokens: null, output_tokens: 9, output_tokens_details: null },
    },
    {
      type: "message_stop",
      usage: { output_tokens_details: { thinking_tokens: 4 }, cache_creation_input_tokens: 2 },
    },
  ]);
  assert.deepEqual(answer.finish.usage, {
    input_tokens: 10,
    output_tokens: 9,
    cache_read_tokens: 3,
    cache_write_tokens: 2,
    reasoning_tokens: 4,
  });
});

Deno.test("an answer that came whole is read like a stream", async () => {
  const body = JSON.stringify({
    type: "message",
    content: [
      { type: "thinking", thinking: "hm", signature: "S" },
      { type: "redacted_thinking", data: "R" },
      null,
      { type: "text", text: "I look." },
      { type: "text", text: "Twice." },
      tool("a", "read", { path: "a" }),
      tool("b", "git", {}),
    ],
    stop_reason: "tool_use",
    usage: { input_tokens: 5, output_tokens: 9 },
  });
  await withProvider("anthropic", [{ body }], async (model) => {
    const answer = await ask(model);
    assert.deepEqual(partsOf(answer), [
      ["thinking", "hm", { signature: "S" }],
      ["thinking", "", { redacted_data: "R" }],
      ["text", "I look."],
      ["text", "Twice."],
      ["tool_use", "read"],
      ["tool_use", "git"],
    ]);
    assert.deepEqual(callsOf(answer), [["read", '{"path":"a"}'], ["git", "{}"]]);
    assert.deepEqual(answer.finish.usage, { input_tokens: 5, output_tokens: 9 });
  });
});

Deno.test("a refusal's explanation counts once, and calls of a second start do, too", async () => {
  const held = {
    type: "message_start",
    message: { content: [tool("a", "read"), { type: "text" }] },
  };
  const answer = await read([held, held], "tool_use");
  assert.deepEqual(callsOf(answer), [["read", "{}"]]);
  const refusal = {
    type: "message_delta",
    delta: { stop_reason: "refusal", stop_details: { explanation: "Not that." } },
  };
  const refused = await answerTo("anthropic", [refusal, refusal, { type: "message_stop" }]);
  assert.equal(refused.finish.reason, "content_filter");
  assert.equal(refused.finish.rawReason, "refusal: Not that.");
  const silent = await answerTo("anthropic", end("refusal"));
  assert.equal(silent.finish.reason, "content_filter");
  assert.equal(silent.finish.rawReason, "refusal");
});

Deno.test("time grows with the number of deltas, blocks and calls alone", () => {
  const many = 100_000;
  const answer = createAnswer();
  const { take, end } = reader(answer);
  const began = performance.now();
  for (let at = 0; at < many; at++) {
    take(delta(0, at % 2 === 0 ? text("a") : thinking("b")), "");
    take(start(at + 1, tool(`call-${at}`, "read")), "");
  }
  for (let at = many; at > 0; at--) {
    take(delta(at, json("{}")), "");
    take(stop(at), "");
  }
  take(start(many + 1, tool("last", "write")), "");
  for (let at = 0; at < many; at++) take(delta(many + 1, json("[")), "");
  take({ type: "message_delta", delta: { stop_reason: "tool_use" } }, "");
  end!();
  const calls = answer.finish({}, (text) => text)!.filter(({ type }) => type === "tool_call");
  assert.equal(calls.length, many + 1);
  // Steps that look at all that came before would take minutes.
  assert.ok(performance.now() - began < 20_000);
});
