import assert from "node:assert/strict";
import type { Json, JsonObject } from "../../../../src/core/json.ts";
import { createAnswer } from "../../../../src/providers/wires/answer.ts";
import { reader } from "../../../../src/providers/wires/google/reply.ts";
import { type Answer, answerTo, answerToPieces, ask, failureTo, withProvider } from "../../ask.ts";

const parts = (...parts: Json[]): JsonObject => ({ candidates: [{ content: { parts } }] });
const call = (functionCall: JsonObject, more: JsonObject = {}) => parts({ functionCall, ...more });
const end = (finishReason: string, more: JsonObject = {}): JsonObject => ({
  candidates: [{ finishReason, ...more }],
});
const read = (events: JsonObject[], reason = "STOP") =>
  answerTo("google", [...events, end(reason)]);
const callsOf = ({ calls }: Answer) => calls.map(({ name, text }) => [name, text]);

/** The parts that the loop would keep, calls by their names. */
const partsOf = ({ message }: Answer) =>
  message.content.map((part) => {
    const shown = part.type === "tool_use" ? part.name : part.text;
    return part.metadata === undefined
      ? [part.type, shown]
      : [part.type, shown, part.metadata.thought_signature];
  });

Deno.test("text and thoughts that follow one another are blocks, parted by calls and each other", async () => {
  const answer = await read([
    parts({ text: "a", thought: true }, { text: "b", thought: true }),
    parts({ text: "c" }),
    parts({ text: "" }, { text: "d", thought: false }),
    parts({ text: "e", thought: true }),
    call({ name: "git" }),
    parts({ text: "f" }),
  ]);
  assert.deepEqual(partsOf(answer), [
    ["thinking", "ab"],
    ["text", "cd"],
    ["thinking", "e"],
    ["tool_use", "git"],
    ["text", "f"],
  ]);
});

Deno.test("a signature belongs to its part, to the text before it, or to nothing but its place", async () => {
  const answer = await read([
    parts({ text: "a", thought: true, thoughtSignature: "A" }),
    parts({ text: "b" }),
    parts({ text: "", thoughtSignature: "B" }),
    call({ name: "read", args: {} }, { thoughtSignature: "C" }),
    parts({ text: "", thoughtSignature: "D" }),
    parts({ text: "e" }),
    parts({ text: "f", thought: true }),
    parts({ text: "", thought: true, thoughtSignature: "G" }),
    parts({ executableCode: { code: "1" }, thoughtSignature: "H" }),
  ]);
  assert.deepEqual(partsOf(answer), [
    ["thinking", "a", "A"],
    ["text", "b", "B"],
    ["tool_use", "read", "C"],
    ["text", "", "D"],
    ["text", "e"],
    ["thinking", "f"],
    ["thinking", "", "G"],
    ["text", "", "H"],
  ]);
});

Deno.test("arguments may come as an object, as text, in pieces, or not at all", async () => {
  const answer = await read([
    call({ id: "1", name: "read", args: { path: "a" } }),
    call({ name: "read", args: '{"path":"b"}' }),
    call({ name: "read", args: { path: "c" }, willContinue: true }),
    call({ id: 7, name: "git", args: null, willContinue: null }),
    call({}),
    call({ name: "read", partialArgs: [{ jsonPath: "$.path", stringValue: "d" }] }),
    call({ name: "git", partialArgs: [] }),
    call({ name: "read", args: {}, willContinue: true }, { thoughtSignature: "S" }),
    call({ willContinue: true }),
    call({
      partialArgs: [{ jsonPath: "$.path", stringValue: "e", willContinue: true }],
      willContinue: true,
    }),
    call({ partialArgs: [{ jsonPath: "$.path", stringValue: "f", willContinue: true }] }),
    call({ partialArgs: [{ jsonPath: "$.path", stringValue: "g" }] }),
    parts({ text: "then" }),
  ]);
  assert.deepEqual(callsOf(answer), [
    ["read", '{"path":"a"}'],
    ["read", '{"path":"b"}'],
    ["read", '{"path":"c"}'],
    ["git", "{}"],
    ["read", '{"path":"d"}'],
    ["git", "{}"],
    ["read", '{"path":"efg"}'],
  ]);
  assert.deepEqual(partsOf(answer).slice(-2), [["tool_use", "read", "S"], ["text", "then"]]);
});

Deno.test("a call in pieces is over where the next one begins, and its signature may come late", async () => {
  const piece = (path: string, more: JsonObject = {}) =>
    call({ partialArgs: [{ jsonPath: "$.path", stringValue: path }], willContinue: true }, more);
  const answer = await read([
    call({ name: "read", willContinue: true }),
    piece("a", { thoughtSignature: "A" }),
    call({ name: "read", willContinue: true }),
    piece("b"),
    call({ name: "git" }),
  ]);
  assert.deepEqual(callsOf(answer), [
    ["read", '{"path":"a"}'],
    ["read", '{"path":"b"}'],
    ["git", "{}"],
  ]);
  assert.equal(partsOf(answer)[0]![2], "A");
});

Deno.test("a call in pieces that was cut never runs; the model learns so where the cap cut it", async () => {
  const open = [
    call({ name: "write", willContinue: true }),
    call({ partialArgs: [{ jsonPath: "$.path", stringValue: "a" }], willContinue: true }),
  ];
  assert.deepEqual(callsOf(await read(open)), [["write", '{"path":"a"}']]);
  const cut = await read(open, "MAX_TOKENS");
  assert.equal(cut.finish.reason, "length");
  assert.deepEqual(callsOf(cut), [["write", '{"path":"a"']]);
  assert.deepEqual(callsOf(await read(open, "SAFETY")), []);
});

Deno.test("what would be lost or sent back in a wrong form is refused", async () => {
  const piece = (piece: Json) => call({ name: "read", partialArgs: [piece] });
  const at = (jsonPath: string) => piece({ jsonPath, stringValue: "a" });
  let deep: Json = 1;
  for (let level = 0; level < 101; level++) deep = { 0: deep };
  const cases: [JsonObject, RegExp][] = [
    [parts({ text: 5 }), /text that is not a string/],
    [parts({ text: "a", thoughtSignature: 5 }), /a thought signature that is not a string/],
    [call({ name: 5 }), /the name of a tool that is not a string/],
    [call({ args: { path: "a" } }), /asks for a tool without naming it/],
    [call({ name: "", args: { path: "a" } }), /asks for a tool without naming it/],
    [call({ name: "read", args: deep }), /nest more than 100 levels deep/],
    [call({ partialArgs: [{ jsonPath: "$.a", stringValue: "a" }] }), /arguments of no call/],
    [piece(null), /a part of a call's arguments without a path/],
    [piece({ stringValue: "a" }), /a part of a call's arguments without a path/],
    [at("$.a["), /a part of a call's arguments without a path/],
    [at("$.a[-1]"), /a part of a call's arguments without a path/],
    [at("$" + ".a".repeat(101)), /nest more than 100 levels deep/],
    [at("$.list[1]"), /do not fit together at \$\.list\[1\]/],
    [piece({ jsonPath: "$.a", stringValue: 5 }), /a value of the wrong type at \$\.a/],
    [piece({ jsonPath: "$.a", numberValue: "five" }), /a value of the wrong type at \$\.a/],
    [piece({ jsonPath: "$.a", boolValue: "yes" }), /a value of the wrong type at \$\.a/],
  ];
  for (const [event, problem] of cases) {
    const error = await failureTo("google", [event, end("STOP")]);
    assert.equal(error.kind, "protocol", String(problem));
    assert.match(error.message, problem);
  }
});

Deno.test("what means nothing here is skipped", async () => {
  const answer = await read([
    {},
    { candidates: null, promptFeedback: null, usageMetadata: null, error: null },
    { candidates: [] },
    { candidates: [null] },
    { candidates: [{ content: null, finishReason: null }] },
    { candidates: [{ content: { parts: null } }] },
    { candidates: [{ content: { parts: "no" }, finishReason: "FINISH_REASON_UNSPECIFIED" }] },
    { promptFeedback: { blockReason: "BLOCK_REASON_UNSPECIFIED" } },
    parts(null, "no", 1, {}, { text: null }, { functionCall: null }),
    parts({ executableCode: { code: "1" } }, { codeExecutionResult: { output: "1" } }),
    parts({ inlineData: { mimeType: "image/png", data: "AA==" } }, { toolCall: { id: "x" } }),
    parts({ text: "ok", thoughtSignature: null }),
  ]);
  assert.deepEqual(partsOf(answer), [["text", "ok"]]);
  assert.equal(answer.finish.reason, "stop");
});

Deno.test("ends keep the server's own names, known or not", async () => {
  const unknown = await read([parts({ text: "a" })], "SOMETHING_NEW");
  assert.equal(unknown.finish.reason, "other");
  assert.equal(unknown.finish.rawReason, "SOMETHING_NEW");
  const late = await answerTo("google", [
    { promptFeedback: { blockReason: "SAFETY" } },
    { usageMetadata: { promptTokenCount: 5 } },
  ]);
  assert.equal(late.finish.rawReason, "SAFETY");
  assert.deepEqual(late.finish.usage, { input_tokens: 5 });
  const signature = await failureTo("google", [end("MISSING_THOUGHT_SIGNATURE")]);
  assert.equal(signature.kind, "stopped");
  assert.equal(signature.details.retryable, false);
});

Deno.test("an answer that ends in mid-call or mid-text without its reason is a failure", async () => {
  for (const begun of [parts({ text: "half" }), call({ name: "git", willContinue: true })]) {
    const error = await failureTo("google", [begun]);
    assert.equal(error.kind, "protocol");
    assert.match(error.message, /ended before its finish/);
  }
});

Deno.test("usage counts thoughts with the answer, and its numbers may be text", async () => {
  const answer = await answerTo("google", [
    { ...parts({ text: "a" }), usageMetadata: { promptTokenCount: "5", thoughtsTokenCount: 3 } },
    { ...end("STOP"), usageMetadata: { candidatesTokenCount: 4, cachedContentTokenCount: 2 } },
  ]);
  assert.deepEqual(answer.finish.usage, {
    input_tokens: 5,
    output_tokens: 7,
    cache_read_tokens: 2,
    reasoning_tokens: 3,
  });
});

Deno.test("an error is one by its field or by the name of its event", async () => {
  const named = `event: error\ndata: ${
    JSON.stringify({ message: "The model is overloaded." })
  }\n\n`;
  await assert.rejects(answerToPieces("google", [named]), { kind: "overload" });
  const limited = { error: { code: 429, message: "Slow down." } };
  assert.equal((await failureTo("google", [parts({ text: "a" }), limited])).kind, "quota");
  assert.equal((await failureTo("google", [{ error: "Overloaded" }])).kind, "overload");
});

Deno.test("an answer that came whole is read like a stream", async () => {
  const content = { parts: [{ text: "hm", thought: true }, { text: "I look." }] };
  const body = JSON.stringify({
    candidates: [{ content, finishReason: "STOP" }],
    usageMetadata: { promptTokenCount: 5 },
  });
  const blocked = JSON.stringify({ promptFeedback: { blockReason: "PROHIBITED_CONTENT" } });
  await withProvider("google", [{ body }, { body: blocked }], async (model) => {
    const answer = await ask(model);
    assert.deepEqual(partsOf(answer), [["thinking", "hm"], ["text", "I look."]]);
    assert.deepEqual(answer.finish.usage, { input_tokens: 5 });
    assert.equal((await ask(model)).finish.reason, "content_filter");
  });
});

Deno.test("time grows with the number of deltas, calls and pieces alone", () => {
  const many = 100_000;
  const numbers = Array.from({ length: many }, (_, at) => at);
  const answer = createAnswer();
  const { take, end: over } = reader(answer);
  const began = performance.now();
  for (const at of numbers) take(parts({ text: "a", thought: at % 2 === 0 }), "");
  take(parts(...numbers.map((at): Json => ({ functionCall: { name: "read", args: { at } } }))), "");
  take(call({ name: "write", willContinue: true }), "");
  for (const at of numbers) {
    const text = { jsonPath: "$.text", stringValue: "a", willContinue: true };
    const item = { jsonPath: `$.list[${at}]`, numberValue: at };
    take(call({ partialArgs: [text, item], willContinue: true }), "");
  }
  take(end("STOP"), "");
  over!();
  const events = answer.finish({}, (text) => text)!;
  const calls = events.filter((event) => event.type === "tool_call");
  assert.equal(calls.length, many + 1);
  const { text, list } = JSON.parse(calls.at(-1)!.inputText) as { text: string; list: Json[] };
  assert.equal(text.length, many);
  assert.deepEqual(list, numbers);
  // Steps that look at all that came before would take minutes.
  assert.ok(performance.now() - began < 20_000);
});
