import assert from "node:assert/strict";
import { boundedCheck } from "../../src/schemas/bounded_check.ts";
import type { Json, JsonObject } from "../../src/core/json.ts";

function check(schema: JsonObject, value: Json, signal?: AbortSignal) {
  return boundedCheck(schema, "2020-12").check(value, signal);
}

/** References of which each leads twice to the next: what fits takes 2 ** `levels` looks. */
function doubling(levels: number): JsonObject {
  const $defs: JsonObject = { a0: { type: "string" } };
  for (let at = 1; at <= levels; at++) {
    $defs[`a${at}`] = { anyOf: [{ $ref: `#/$defs/a${at - 1}` }, { $ref: `#/$defs/a${at - 1}` }] };
  }
  return { type: "object", properties: { a: { $ref: `#/$defs/a${levels}` } }, $defs };
}

Deno.test("verdicts are the same in the thread as without it", async () => {
  const list = { type: "array", items: { type: "integer" } };
  for (const extra of [{}, { uniqueItems: true, pattern: "(a|b)+" }]) {
    const { check } = boundedCheck({ ...list, ...extra }, "2020-12", "answer");
    assert.deepEqual(await check([1, 2]), { problems: [] });
    assert.deepEqual(await check([1, "2"]), {
      problems: ["1: expected integer, found string"],
    });
  }
  const deep = { $ref: "#/$defs/none", pattern: "(a|b)+" };
  assert.match(await boundedCheck(deep, "2020-12").fault() ?? "", /leads nowhere/);
  assert.match(JSON.stringify(await check(deep, {})), /"fault":.*leads nowhere/);
});

Deno.test("an abort ends a check that would go on for ever", async () => {
  const text = `${"a".repeat(60)}!`;
  const cases: [JsonObject, Json][] = [
    [{ patternProperties: { "^(a+)+$": { type: "number" } } }, { [text]: 1 }],
    [{ properties: { a: { pattern: "^(?=(a+)+$)a" } } }, { a: text }],
    [{ properties: { a: { format: "url" } } }, { a: `http://${"a".repeat(60)}` }],
  ];
  for (const [schema, value] of cases) {
    const reason = new Error("stopped");
    await assert.rejects(check(schema, value, AbortSignal.abort(reason)), reason);
    const stop = new AbortController();
    const answer = check(schema, value, stop.signal);
    setTimeout(() => stop.abort(reason), 200);
    await assert.rejects(answer, reason);
  }
});

Deno.test("a check that takes too long is ended, and says so", async () => {
  const limits = { seconds: 0.5, extraMebibytes: 128 };
  const long = boundedCheck(doubling(40), "2020-12", "arguments", limits);
  assert.deepEqual(await long.check({ a: "b" }), {
    problems: ["arguments: the check took more than 0.5 seconds and was ended"],
  });
  let schema: JsonObject = { type: "string" };
  for (let level = 0; level < 40; level++) schema = { $id: `a${level}`, properties: { a: schema } };
  assert.match(
    await boundedCheck(schema, "2020-12", "arguments", limits).fault() ?? "",
    /^takes more than (128 MiB of memory|0.5 seconds) to be read$/,
  );
});

Deno.test("a check that needs too much memory is ended, and says so", async () => {
  const before = Deno.memoryUsage().rss;
  let most = before;
  const watch = setInterval(() => most = Math.max(most, Deno.memoryUsage().rss), 10);
  const anyOf = Array.from({ length: 100 }, () => ({ type: "string" }));
  const verdict = await check({ items: { anyOf } }, Array.from({ length: 100_000 }, () => 1));
  clearInterval(watch);
  assert.deepEqual(verdict, {
    problems: ["arguments: the check took more than 128 MiB of memory and was ended"],
  });
  assert.ok(most - before < 256 * 2 ** 20, `${(most - before) / 2 ** 20} MiB`);
});
