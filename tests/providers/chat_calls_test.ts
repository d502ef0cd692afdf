import assert from "node:assert/strict";
import type { JsonObject } from "../../src/core/json.ts";
import { answerTo, delta, failureTo, pieces, withProvider } from "./ask.ts";
import { eventPieces } from "../support/fake_provider.ts";

const done = delta({}, "tool_calls");
const fn = (name: string | undefined, text: string): JsonObject => ({
  function: { ...name === undefined ? {} : { name }, arguments: text },
});
const twoReads = [
  { name: "read", text: '{"path":"a"}' },
  { name: "read", text: '{"path":"b"}' },
];
const told = (calls: readonly { name: string; text: string }[]) =>
  calls.map(({ name, text }) => ({ name, text }));

for (const provider of ["openai-compatible", "mistral"]) {
  const read = (events: JsonObject[]) => answerTo("chat", [...events, done], provider);

  Deno.test(`${provider}: calls interleaved by index keep their own arguments`, async () => {
    const { calls } = await read([
      pieces({ index: 0, id: "a", ...fn("read", "") }),
      pieces({ index: 1, id: "b", ...fn("read", "") }),
      pieces({ index: 0, ...fn(undefined, '{"path"') }),
      pieces({ index: 1, ...fn(undefined, '{"path"') }),
      pieces({ index: 0, ...fn(undefined, ':"a"}') }),
      pieces({ index: 1, ...fn(undefined, ':"b"}') }),
    ]);
    assert.deepEqual(told(calls), twoReads);
    assert.deepEqual(calls.map((call) => call.id), ["a", "b"]);
  });

  Deno.test(`${provider}: two calls under one index are told apart by id`, async () => {
    const whole = await read([
      pieces({ index: 0, id: "a", ...fn("read", '{"path":"a"}') }),
      pieces({ index: 0, id: "b", ...fn("read", '{"path":"b"}') }),
    ]);
    assert.deepEqual(told(whole.calls), twoReads);
    const inPieces = await read([
      pieces({ index: 0, id: "a", ...fn("read", "") }),
      pieces({ index: 0, id: "b", ...fn("read", "") }),
      pieces({ index: 0, id: "a", ...fn(undefined, '{"path":"a"}') }),
      pieces({ index: 0, id: "b", ...fn(undefined, '{"path":"b"}') }),
    ]);
    assert.deepEqual(told(inPieces.calls), twoReads);
  });

  Deno.test(`${provider}: calls without any index are told apart`, async () => {
    const whole = await read([
      pieces({ id: "a", ...fn("read", '{"path":"a"}') }),
      pieces({ id: "b", ...fn("read", '{"path":"b"}') }),
    ]);
    assert.deepEqual(told(whole.calls), twoReads);
    const inOneDelta = await read([
      pieces({ ...fn("read", '{"path":"a"}') }, { ...fn("read", '{"path":"b"}') }),
    ]);
    assert.deepEqual(told(inOneDelta.calls), twoReads);
    const continued = await read([
      pieces({ id: "a", ...fn("read", '{"path"') }),
      pieces({ ...fn(undefined, ':"a"}') }),
      pieces({ id: "b", ...fn("read", '{"path"') }),
      pieces({ id: "b", ...fn(undefined, ':"b"}') }),
    ]);
    assert.deepEqual(told(continued.calls), twoReads);
  });

  Deno.test(`${provider}: an index as text, or one that starts at five, is one call`, async () => {
    for (const index of ["1", 5]) {
      const { calls } = await read([
        pieces({ index, id: "a", ...fn("read", '{"path"') }),
        pieces({ index, ...fn(undefined, ':"a"}') }),
      ]);
      assert.deepEqual(told(calls), twoReads.slice(0, 1));
    }
  });

  Deno.test(`${provider}: ids that rotate, repeat or are empty do not split a call`, async () => {
    const { calls } = await read([
      pieces({ index: 0, id: "a", ...fn("read", "") }),
      pieces({ index: 0, id: "", ...fn("", '{"pa') }),
      pieces({ index: 0, id: "zz", ...fn(undefined, 'th":') }),
      pieces({ index: 0, id: null, type: null, ...fn(undefined, '"a"}') }),
    ]);
    assert.deepEqual(told(calls), twoReads.slice(0, 1));
  });

  Deno.test(`${provider}: a name that comes after the arguments is theirs`, async () => {
    const { calls } = await read([
      pieces({ index: 0, id: "a", ...fn(undefined, '{"path"') }),
      pieces({ index: 0, ...fn("read", ':"a"}') }),
    ]);
    assert.deepEqual(told(calls), twoReads.slice(0, 1));
  });

  Deno.test(`${provider}: the same id twice in one answer is two calls`, async () => {
    const { calls } = await read([
      pieces({ index: 0, id: "bash:0", ...fn("read", '{"path":"a"}') }),
      pieces({ index: 1, id: "bash:0", ...fn("read", '{"path":"b"}') }),
    ]);
    assert.deepEqual(told(calls), twoReads);
  });

  Deno.test(`${provider}: calls without ids are calls of their own`, async () => {
    const { calls } = await read([
      pieces({ index: 0, ...fn("read", '{"path":"a"}') }),
      pieces({ index: 1, id: "", ...fn("read", '{"path":"b"}') }),
    ]);
    assert.deepEqual(told(calls), twoReads);
  });

  Deno.test(`${provider}: arguments may be empty, blank, null, absent or an object`, async () => {
    const { calls } = await read([
      pieces({ index: 0, id: "a", ...fn("git", "") }),
      pieces({ index: 1, id: "b", ...fn("git", "{}") }),
      pieces({ index: 2, id: "c", function: { name: "git", arguments: null } }),
      pieces({ index: 3, id: "d", function: { name: "git" } }),
      pieces({ index: 4, id: "e", ...fn("git", " ") }),
      pieces({ index: 5, id: "f", function: { name: "git", arguments: { path: "a" } } }),
      pieces({ index: 6, id: "g", ...fn("git", "null") }),
    ]);
    assert.deepEqual(calls.map((call) => call.text), [
      "",
      "{}",
      "",
      "",
      " ",
      '{"path":"a"}',
      "null",
    ]);
  });

  Deno.test(`${provider}: a call that never gets a name is a failure to try again`, async () => {
    const error = await failureTo("chat", [pieces({ index: 0, ...fn("", "{}") }), done], provider);
    assert.equal(error.kind, "protocol");
    assert.equal(error.details.retryable, true);
  });
}

Deno.test("a finish of stop with calls counts as tool calls, and one of tool_calls without as stop", async () => {
  const asked = await answerTo("chat", [
    pieces({ index: 0, id: "a", ...fn("read", '{"path":"a"}') }),
    delta({}, "stop"),
  ]);
  assert.equal(asked.finish.reason, "tool_calls");
  const said = await answerTo("chat", [delta({ content: "hi" }), delta({}, "tool_calls")]);
  assert.equal(said.finish.reason, "stop");
});

Deno.test("at the output limit a cut call is no JSON, and one without arguments is left out", async () => {
  const cut = await answerTo("chat", [
    pieces({ index: 0, id: "a", ...fn("read", '{"path":"a"}') }),
    pieces({ index: 1, id: "b", ...fn("read", '{"pat') }),
    pieces({ index: 2, id: "c", ...fn("git", "") }),
    delta({}, "length"),
  ]);
  assert.equal(cut.finish.reason, "length");
  assert.deepEqual(told(cut.calls), [
    { name: "read", text: '{"path":"a"}' },
    { name: "read", text: '{"pat' },
  ]);
  const filtered = await answerTo("chat", [
    pieces({ index: 0, id: "a", ...fn("read", '{"pat') }),
    delta({}, "content_filter"),
  ]);
  assert.equal(filtered.finish.reason, "content_filter");
  assert.deepEqual(filtered.calls, []);
});

Deno.test("the first pieces do not wait for the last", async () => {
  // A server that streams and then stays silent: what came is seen.
  const [first] = eventPieces("chat", [delta({ content: "early" })]);
  await withProvider("openai-compatible", [{ pieces: [first!], ending: "hang" }], async (model) => {
    const stop = new AbortController();
    const reason = new Error("seen");
    await assert.rejects(async () => {
      for await (
        const batch of model.stream({
          system: "",
          messages: [],
          tools: [],
          maxOutputTokens: 10,
        }, stop.signal)
      ) {
        const early = batch.some((event) => event.type === "text" && event.delta === "early");
        if (early) stop.abort(reason);
      }
    }, reason);
  });
});

Deno.test("a function's name that comes in two pieces is one call's", async () => {
  const { calls } = await answerTo("chat", [
    pieces({ index: 0, id: "a", function: { name: "re", arguments: "" } }),
    pieces({ index: 0, function: { name: "ad", arguments: '{"path":"a"}' } }),
    delta({}, "tool_calls"),
  ]);
  assert.deepEqual(calls, [{ id: "a", name: "read", text: '{"path":"a"}' }]);
});

Deno.test("a name in pieces without index and id is one call's; two names are two calls", async () => {
  const named = (...names: string[]) => names.map((name) => pieces({ function: { name } }));
  const last = pieces({ function: { arguments: '{"path":"a"}' } });
  const read = async (...names: string[]) =>
    told((await answerTo("chat", [...named(...names), last, done])).calls);
  const [one] = twoReads;
  for (const names of [["re", "ad"], ["r", "e", "a", "d"], ["Re", "ad"], ["functions.", "read"]]) {
    assert.deepEqual(await read(...names), [{ ...one, name: names.join("") }], names.join("+"));
  }
  assert.deepEqual(await read("read", "read"), [{ name: "read", text: "" }, one]);
  assert.deepEqual(await read("write", "read"), [{ name: "write", text: "" }, one]);
});

Deno.test("100,000 calls in one event, and a call in 100,000 named pieces, take no long time", async () => {
  const many = Array.from({ length: 100_000 }, (_, index) => ({
    index,
    id: `c${index}`,
    function: { name: "read", arguments: "{}" },
  }));
  assert.equal(
    (await answerTo("chat", [pieces(...many), delta({}, "stop")])).calls.length,
    100_000,
  );
  const text = JSON.stringify({ path: "}".repeat(100_000) });
  const named = [...text].map((char) => ({ function: { name: "read", arguments: char } }));
  const { calls } = await answerTo("chat", [pieces(...named), delta({}, "tool_calls")]);
  assert.deepEqual(calls.map((call) => call.text), [text]);
});
