import assert from "node:assert/strict";
import type { Json, JsonObject } from "../../../../src/core/json.ts";
import type { ModelEvent } from "../../../../src/core/model.ts";
import { createAnswer } from "../../../../src/providers/wires/answer.ts";
import { reader } from "../../../../src/providers/wires/responses/reply.ts";
import { usageOf } from "../../../../src/providers/usage.ts";

interface Read {
  readonly events: ModelEvent[];
  readonly text: string;
  readonly thinking: string;
  readonly calls: (ModelEvent & { type: "tool_call" })[];
  readonly finish: ModelEvent & { type: "finish" };
}

function read(events: readonly JsonObject[], name = ""): Read {
  const answer = createAnswer();
  const reading = reader(answer);
  for (const event of events) if (!answer.ended) reading.take(event, name);
  return result(answer, reading.usage());
}

function readWhole(response: JsonObject): Read {
  const answer = createAnswer();
  const reading = reader(answer);
  assert.ok(reading.whole(response));
  return result(answer, reading.usage());
}

function result(
  answer: ReturnType<typeof createAnswer>,
  counts: Parameters<typeof usageOf>[0],
): Read {
  assert.equal(answer.fault, undefined);
  assert.ok(answer.ended);
  const events = answer.finish(usageOf(counts, undefined), (text) => text)!;
  const finish = events.at(-1);
  if (finish?.type !== "finish") throw new Error("no finish");
  const textOf = (type: "text" | "thinking") =>
    events.map((event) => event.type === type ? event.delta : "").join("");
  return {
    events,
    text: textOf("text"),
    thinking: textOf("thinking"),
    calls: events.filter((event) => event.type === "tool_call"),
    finish,
  };
}

function faultOf(...events: JsonObject[]) {
  const answer = createAnswer();
  const reading = reader(answer);
  for (const event of events) if (!answer.ended) reading.take(event, "");
  assert.ok(answer.ended);
  return answer.fault;
}

const added = (output_index: Json, item: JsonObject) => ({
  type: "response.output_item.added",
  output_index,
  item,
});
const done = (output_index: Json, item: JsonObject) => ({
  type: "response.output_item.done",
  output_index,
  item,
});
const text = (output_index: Json, delta: Json) => ({
  type: "response.output_text.delta",
  output_index,
  delta,
});
const input = (output_index: Json, delta: Json) => ({
  type: "response.function_call_arguments.delta",
  output_index,
  delta,
});
const call = (more: JsonObject = {}) => ({
  type: "function_call",
  id: "fc_1",
  call_id: "c1",
  name: "read",
  arguments: "",
  ...more,
});
const completed = (response: JsonObject = {}) => ({ type: "response.completed", response });

Deno.test("a call's odd fields are ignored, whatever their types", () => {
  const { calls } = read([
    added(0, call({ status: 7, namespace: 1, caller: "me", async: "no", id: null })),
    done(
      0,
      call({ arguments: '{"path":"a"}', status: "odd", namespace: {}, caller: [], async: 1 }),
    ),
    completed(),
  ]);
  assert.deepEqual(calls, [
    { type: "tool_call", id: "c1", name: "read", inputText: '{"path":"a"}' },
  ]);
});

Deno.test("a call without a name is refused, however it came", () => {
  const expected = { type: "protocol", problem: "asks for a tool without naming it" };
  for (const name of [null, "", 5]) {
    assert.deepEqual(faultOf(done(0, call({ name }))), expected);
    assert.deepEqual(faultOf(completed({ output: [call({ name })] })), expected);
    assert.deepEqual(faultOf(added(0, call({ name })), completed()), expected);
  }
  assert.deepEqual(faultOf(input(0, '{"path":"a"}'), completed()), expected);
});

Deno.test("a call's name and id are found in any of its events", () => {
  const { calls } = read([
    added(0, call({ call_id: "first" })),
    input(0, '{"path":"a"}'),
    done(0, { type: "function_call", id: "fc_9" }),
    added(1, { type: "function_call", id: "fc_2", name: "read" }),
    done(1, { arguments: { path: "b" } }),
    done(2, { type: "function_call", name: "read", arguments: '{"path":"c"}' }),
    completed(),
  ]);
  assert.deepEqual(calls.map(({ id, name, inputText }) => [id, name, inputText]), [
    ["first", "read", '{"path":"a"}'],
    ["fc_2", "read", '{"path":"b"}'],
    ["", "read", '{"path":"c"}'],
  ]);
});

Deno.test("a call whose last event never comes counts as it was streamed", () => {
  const events = [added(0, call()), input(0, '{"path"'), input(0, ':"a"}')];
  assert.equal(read([...events, completed()]).calls[0]!.inputText, '{"path":"a"}');
  const ended = [
    added(0, call()),
    { type: "response.function_call_arguments.done", output_index: 0, arguments: '{"path":"b"}' },
    completed(),
  ];
  assert.equal(read(ended).calls[0]!.inputText, '{"path":"b"}');
  const cut = read([added(0, call()), input(0, '{"path"'), {
    type: "response.incomplete",
    response: { incomplete_details: { reason: "max_output_tokens" } },
  }]);
  assert.equal(cut.finish.reason, "length");
  assert.equal(cut.calls[0]!.inputText, '{"path"');
});

Deno.test("the text of a custom tool's call is a JSON string", () => {
  const { calls } = read([
    added(0, { type: "custom_tool_call", id: "x", call_id: "c", name: "sql", input: "" }),
    { type: "response.custom_tool_call_input.delta", output_index: 0, delta: 'a "b"' },
    done(0, { type: "custom_tool_call", id: "x", call_id: "c", name: "sql" }),
    completed(),
  ]);
  assert.deepEqual(calls.map((call) => call.inputText), [JSON.stringify('a "b"')]);
});

Deno.test("a call of `parallel` becomes the calls inside it", () => {
  const uses = [
    { recipient_name: "functions.read", parameters: { path: "a" } },
    { recipient_name: "functions.git", parameters: {} },
  ];
  const asked = (name: string, value: Json) =>
    read([done(0, call({ name, arguments: JSON.stringify(value) })), completed()]).calls
      .map(({ id, name, inputText }) => [id, name, inputText]);
  for (const name of ["parallel", "multi_tool_use.parallel"]) {
    assert.deepEqual(asked(name, { tool_uses: uses }), [
      ["c1_0", "read", '{"path":"a"}'],
      ["c1_1", "git", "{}"],
    ]);
  }
  // Anything else is a call of a tool of that name.
  const others: Json[] = [
    {},
    [],
    { tool_uses: [] },
    { tool_uses: "x" },
    { tool_uses: [...uses, null] },
    { tool_uses: [...uses, { recipient_name: "read", parameters: {} }] },
    { tool_uses: [...uses, { recipient_name: "functions.read", parameters: "{}" }] },
  ];
  for (const other of others) {
    assert.deepEqual(asked("parallel", other), [["c1", "parallel", JSON.stringify(other)]]);
  }
});

Deno.test("places may be text, missing or with gaps", () => {
  const answer = read([
    { type: "response.output_item.added", item: { type: "message", id: "m" } },
    { type: "response.output_text.delta", delta: "a" },
    { type: "response.output_item.added", item: call() },
    { type: "response.function_call_arguments.delta", delta: '{"path":"a"}' },
    { type: "response.output_text.delta", item_id: "m", delta: "b" },
    { type: "response.output_item.done", item: call() },
    text("7", "c"),
    added(9, call({ id: "fc_9", call_id: "c9" })),
    done("9", call({ id: "other", call_id: "c9", arguments: '{"path":"b"}' })),
    completed(),
  ]);
  assert.equal(answer.text, "abc");
  assert.deepEqual(answer.calls.map(({ id, inputText }) => [id, inputText]), [
    ["c1", '{"path":"a"}'],
    ["c9", '{"path":"b"}'],
  ]);
  const blocks = answer.events.flatMap((event) => event.type === "text" ? [event.block] : []);
  assert.deepEqual(blocks, ["0", "0", "7"]);
});

Deno.test("items of the last event are not read twice, though places differ", () => {
  const answer = read([
    added(0, { type: "message", id: "m" }),
    text(0, "hi"),
    done(0, { type: "message", id: "m", content: [{ type: "output_text", text: "hi" }] }),
    done(1, call({ arguments: '{"path":"a"}' })),
    completed({
      output: [
        { type: "web_search_call", id: "w" },
        { type: "message", id: "m", content: [{ type: "output_text", text: "hi" }] },
        call({ arguments: '{"path":"a"}' }),
      ],
    }),
  ]);
  assert.equal(answer.text, "hi");
  assert.equal(answer.calls.length, 1);
});

Deno.test("items of tools that the server runs are left out, but show that it works", () => {
  const answer = createAnswer();
  const reading = reader(answer);
  reading.take({ type: "response.created", response: {} }, "");
  assert.deepEqual(answer.drain(), []);
  const events = [
    added(0, { type: "mcp_call", id: "x", name: "far", arguments: "" }),
    { type: "response.mcp_call_arguments.delta", output_index: 0, delta: "{}" },
    { type: "response.web_search_call.searching", output_index: 1, item_id: "w" },
    input(0, '{"not":"ours"}'),
  ];
  for (const event of events) {
    reading.take(event, "");
    assert.deepEqual(answer.drain().map(({ type }) => type), ["progress"]);
  }
  reading.take(done(0, { type: "mcp_call", id: "x", name: "far", arguments: "{}" }), "");
  reading.take({ type: "response.code_interpreter_call.novelty", output_index: 3 }, "");
  reading.take(text(2, "done"), "");
  reading.take(completed({ output: [{ type: "novelty" }, null, 5] }), "");
  assert.deepEqual(answer.finish({}, (text) => text)!.filter(({ type }) => type !== "progress"), [
    { type: "text", block: "2", delta: "done" },
    { type: "finish", reason: "stop", rawReason: "completed", usage: {} },
  ]);
});

Deno.test("the phase of a text is kept with it, at its first word or at its end", () => {
  const metadata = (first: Json, last: Json) =>
    read([
      added(0, { type: "message", id: "m", phase: first }),
      text(0, "a"),
      text(0, "b"),
      done(0, { type: "message", id: "m", phase: last }),
      completed(),
    ]).events.flatMap((event) => event.type === "text" ? [event.metadata] : []);
  const phase = (phase: string) => ({ phase });
  assert.deepEqual(metadata("commentary", "commentary"), [phase("commentary"), undefined]);
  assert.deepEqual(metadata(null, "final_answer"), [undefined, undefined, phase("final_answer")]);
  for (const odd of [null, "", "novelty", 5, {}]) {
    assert.deepEqual(metadata(odd, odd), [undefined, undefined]);
  }
});

Deno.test("reasoning is kept with its encrypted content, once; without one nothing is kept", () => {
  const summary = (summary_index: Json, delta: string) => ({
    type: "response.reasoning_summary_text.delta",
    output_index: 0,
    summary_index,
    delta,
  });
  const thoughts = (item: JsonObject) =>
    read([
      added(0, { type: "reasoning", id: "rs_1", encrypted_content: "early" }),
      summary(0, "a"),
      summary(1, "b"),
      done(0, { type: "reasoning", id: "rotated", ...item }),
      completed(),
    ]).events.flatMap((event) =>
      event.type === "thinking" ? [[event.block, event.delta, event.metadata]] : []
    );
  const words = [["0.0", "a", undefined], ["0.1", "b", undefined]];
  assert.deepEqual(thoughts({ encrypted_content: "E" }), [
    ...words,
    ["0.0", "", { item_id: "rs_1" }],
    ["0.1", "", { item_id: "rs_1", encrypted_content: "E" }],
  ]);
  for (const encrypted_content of [null, "", 5]) {
    assert.deepEqual(thoughts({ encrypted_content }), words);
  }
});

Deno.test("reasoning that comes only whole is read, be it a summary or an open model's text", () => {
  const part = (type: string, text: Json) => ({ type, text });
  const answer = read([
    done(0, {
      type: "reasoning",
      summary: [part("summary_text", "a"), null, part("summary_text", null)],
      content: [part("reasoning_text", "b")],
      encrypted_content: "E",
    }),
    done(1, { type: "reasoning", summary: null, content: "c", encrypted_content: "F" }),
    completed(),
  ]);
  assert.equal(answer.thinking, "ab");
  const kept = answer.events.flatMap((event) =>
    event.type === "thinking" && event.metadata ? [event.metadata] : []
  );
  assert.deepEqual(kept, [
    { item_id: "item_0" },
    { item_id: "item_0", encrypted_content: "E" },
    { item_id: "item_1", encrypted_content: "F" },
  ]);
});

Deno.test("a refusal is read once, from its deltas, its end or the whole message", () => {
  const delta = { type: "response.refusal.delta", output_index: 0, delta: "No." };
  const ended = { type: "response.refusal.done", output_index: 0, refusal: "No." };
  const whole = done(0, { type: "message", content: [{ type: "refusal", refusal: "No." }] });
  for (const events of [[delta], [ended], [whole], [delta, ended, whole], [ended, whole]]) {
    const { finish } = read([...events, completed()]);
    assert.equal(finish.reason, "content_filter");
    assert.equal(finish.rawReason, "refusal: No.");
  }
  const beside = read([text(0, "I"), whole, completed()]);
  assert.equal(beside.finish.reason, "content_filter");
});

Deno.test("what the server calls incomplete is no complete answer, whatever the event", () => {
  const cut = { content: [{ type: "output_text", text: "half" }], type: "message" };
  for (
    const [response, reason, raw] of [
      [{ status: "incomplete" }, "length", "incomplete"],
      [{ status: "incomplete", incomplete_details: null }, "length", "incomplete"],
      [{ incomplete_details: { reason: "max_output_tokens" } }, "length", "max_output_tokens"],
      [{ incomplete_details: { reason: "content_filter" } }, "content_filter", "content_filter"],
    ] as [JsonObject, string, string][]
  ) {
    for (const type of ["response.completed", "response.done", "response.failed"]) {
      const { finish, text } = read([{ type, response: { ...response, output: [cut] } }]);
      assert.equal(finish.reason, reason);
      assert.equal(finish.rawReason, raw);
      assert.equal(text, "half");
    }
    assert.equal(readWhole({ ...response, output: [cut] }).finish.reason, reason);
  }
  assert.equal(read([{ type: "response.incomplete" }]).finish.reason, "length");
  // A status that some servers forget to change.
  assert.equal(read([text(0, "a"), completed({ status: "in_progress" })]).finish.reason, "stop");
});

Deno.test("errors are found wherever a server puts them", () => {
  const error = { code: "rate_limit_exceeded", message: "slow" };
  for (
    const event of [
      { type: "error", error },
      { type: "response.failed", response: { status: "failed", error } },
      { type: "response.completed", response: { error } },
      { type: "response.novelty", error },
      { error },
    ] as JsonObject[]
  ) {
    assert.deepEqual(faultOf(event), { type: "stream", error });
  }
  const flat = { type: "error", ...error };
  assert.deepEqual(faultOf(flat), { type: "stream", error: flat });
  assert.deepEqual(faultOf({ error: "slow" }), { type: "stream", error: "slow" });
  for (
    const [response, words] of [[{ error: null }, "failed"], [{ status: "cancelled" }, "cancelled"]]
  ) {
    const event = { type: "response.failed", response: response as JsonObject };
    assert.deepEqual(faultOf(event), { type: "stream", error: words });
  }
  assert.deepEqual(faultOf(completed({ status: "failed" })), { type: "stream", error: "failed" });
  assert.equal(faultOf({ type: "response.cancelled" })?.type, "stream");
});

Deno.test("the event's own field names its type where the data does not", () => {
  const answer = createAnswer();
  const reading = reader(answer);
  reading.take({ delta: "hi", output_index: 0 }, "response.output_text.delta");
  reading.take({ response: {} }, "response.completed");
  assert.ok(answer.ended);
  assert.deepEqual(answer.drain().map((event) => event.type), ["progress", "text"]);
});

Deno.test("deltas and values of wrong types are skipped", () => {
  const answer = read([
    text(0, null),
    text(0, 5),
    text(null, "a"),
    { type: "response.output_item.added", output_index: 1, item: null },
    { type: "response.output_item.done", output_index: 1, item: "x" },
    {
      type: "response.reasoning_summary_text.delta",
      output_index: 2,
      summary_index: null,
      delta: 1,
    },
    done(3, { type: null }),
    done(4, { type: "message", content: [5, { text: 5, refusal: 5 }, { text: "b" }] }),
    completed({ usage: [], output: "x" }),
  ]);
  assert.equal(answer.text, "ab");
  assert.equal(answer.thinking, "");
  assert.deepEqual(answer.finish.usage, {});
});

Deno.test("tokens may be numbers as text; a price that the server names counts", () => {
  const { finish } = read([completed({
    usage: {
      input_tokens: "5",
      output_tokens: 9,
      input_tokens_details: { cached_tokens: 2, cache_write_tokens: 0 },
      output_tokens_details: { reasoning_tokens: "x" },
      cost: 0.5,
    },
  })]);
  assert.deepEqual(finish.usage, {
    input_tokens: 5,
    output_tokens: 9,
    cache_read_tokens: 2,
    cost_usd: 0.5,
  });
});

Deno.test("a whole answer of another wire is refused", () => {
  const whole = (value: JsonObject) => {
    const answer = createAnswer();
    return [reader(answer).whole(value), answer.fault] as const;
  };
  const [taken, fault] = whole({ choices: [] });
  assert.ok(taken);
  assert.match(fault?.type === "protocol" ? fault.problem : "", /provider openai-compatible/);
  assert.deepEqual(whole({ message: "hello" }), [false, undefined]);
});

Deno.test("a hundred thousand calls side by side take time as their number does", () => {
  const numbers = Array.from({ length: 100_000 }, (_, at) => at);
  const started = performance.now();
  const { calls } = read([
    ...numbers.map((at) => added(at, call({ id: `f${at}`, call_id: `c${at}` }))),
    ...numbers.toReversed().map((at) =>
      done(at, call({ id: `f${at}`, call_id: `c${at}`, arguments: "{}" }))
    ),
    completed({ output: numbers.map((at) => call({ id: `f${at}` })) }),
  ]);
  assert.deepEqual(calls.map(({ id }) => id), numbers.map((at) => `c${at}`));
  // One of quadratic time takes minutes.
  assert.ok(performance.now() - started < 30_000);
});
