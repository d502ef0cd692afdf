/** The tests of making room in a conversation. */
import assert from "node:assert/strict";
import { RunFailure } from "../../src/core/failure.ts";
import type { Message } from "../../src/core/message.ts";
import { ModelError } from "../../src/core/model.ts";
import type { SessionRecord } from "../../src/core/record.ts";
import { compact, needsCompaction, planCompaction } from "../../src/session/compaction.ts";
import { layOut, nextPart, summaryRequest } from "../../src/session/summary_request.ts";
import { estimateTokens } from "../../src/session/token_estimate.ts";
import { brief, calls, result, says, user } from "./session_folder.ts";
import { historyOf } from "./history_of.ts";

const messagesOf = (...records: SessionRecord[]) => historyOf(records).messages;
const usual = { maxBytes: 400_000, maxSummaryBytes: 100_000 };
/** About 1000 tokens. */
const long = (mark: string) => mark + "x".repeat(4000 - mark.length);
const budget = { contextWindow: 10_000, reserveTokens: 2000, keepRecentTokens: 2500 };

function assertPaired(messages: readonly Message[]) {
  const open = new Set<string>();
  for (const message of messages) {
    if (message.role === "tool_result") assert.ok(open.delete(message.toolId), "result has a call");
    else {
      assert.equal(open.size, 0, "calls are answered before anything else");
      for (const part of message.content) if (part.type === "tool_use") open.add(part.id);
    }
  }
  assert.equal(open.size, 0);
}

Deno.test("a list that grows is estimated as one that was whole from the start", () => {
  const messages: Message[] = [];
  for (let turn = 0; turn < 5; turn++) {
    messages.push(...messagesOf(user("x".repeat(turn * 100)), says("y".repeat(turn * 70))));
    assert.equal(estimateTokens(messages), estimateTokens([...messages]));
  }
});

Deno.test("tokens are a quarter of the bytes, images a flat price", () => {
  assert.equal(estimateTokens(messagesOf(user("x".repeat(400)))), 104);
  assert.equal(estimateTokens(messagesOf(user("漢".repeat(400)))), 304);
  const image = { type: "image", mediaType: "image/png", data: "A".repeat(4_000_000) } as const;
  assert.ok(estimateTokens([{ role: "user", content: [image] }]) < 3000);
});

Deno.test("room is needed where the estimate passes the window less the reserve", () => {
  const eight = messagesOf(...Array.from({ length: 8 }, (_, i) => user(long(`${i}`))));
  assert.equal(needsCompaction(eight, budget), true);
  assert.equal(needsCompaction(eight.slice(1), budget), false);
  assert.equal(needsCompaction(eight.slice(1), { ...budget, overheadTokens: 1500 }), true);
  assert.equal(needsCompaction(eight, { ...budget, contextWindow: 0 }), false);
  const data = "A".repeat(6 * 1024 * 1024);
  const image = { type: "image", mediaType: "image/png", data } as const;
  const shown = Array.from({ length: 6 }, (): Message => ({ role: "user", content: [image] }));
  for (const contextWindow of [0, 1_000_000]) {
    const large = { ...budget, contextWindow, keepRecentTokens: 20_000 };
    assert.equal(needsCompaction(shown, large), true, "36 MiB");
    assert.equal(planCompaction(shown, large)!.kept.length, 2);
  }
  const huge = messagesOf(user("x".repeat(4_000_100)), user("x".repeat(4_000_100)));
  assert.equal(needsCompaction(huge, { ...budget, contextWindow: 0 }), true, "2 million tokens");
});

Deno.test("a window smaller than the reserve leaves half of itself", () => {
  const small = { contextWindow: 8192, reserveTokens: 16_384, keepRecentTokens: 20_000 };
  const messages = messagesOf(...Array.from({ length: 6 }, (_, i) => user(long(`${i}`))));
  assert.equal(needsCompaction(messages.slice(0, 3), small), false);
  assert.equal(needsCompaction(messages, small), true);
  const { kept } = planCompaction(messages, small)!;
  assert.equal(needsCompaction(kept, small), false);
});

Deno.test("the newest messages within the budget stay, older ones go", () => {
  const messages = messagesOf(...Array.from({ length: 8 }, (_, i) => user(long(`${i}`))));
  const plan = planCompaction(messages, budget)!;
  assert.deepEqual(plan.kept, messages.slice(6));
  assert.deepEqual(plan.older, messages.slice(0, 6));
  assert.equal(plan.tokensBefore, estimateTokens(messages));
});

Deno.test("a call is never parted from its results, wherever the cut would fall", () => {
  const records: SessionRecord[] = [user("go")];
  for (let i = 0; i < 12; i++) {
    records.push(calls(`a${i}`, `b${i}`), result(`a${i}`, long("")), result(`b${i}`, "short"));
  }
  const messages = messagesOf(...records);
  for (let keepRecentTokens = 0; keepRecentTokens < 13_000; keepRecentTokens += 250) {
    const plan = planCompaction(messages, { ...budget, keepRecentTokens })!;
    assert.notEqual(plan.kept[0]!.role, "tool_result");
    assertPaired(plan.kept);
    assertPaired(plan.older);
    assert.deepEqual([...plan.older, ...plan.kept], messages);
  }
});

Deno.test("the newest call and its results stay even where they alone are too large", () => {
  const messages = messagesOf(user("go"), calls("a"), result("a", long("").repeat(20)));
  const plan = planCompaction(messages, budget)!;
  assert.deepEqual(plan.kept.map((message) => message.role), ["assistant", "tool_result"]);
});

Deno.test("one message, or a summary and one message, leave nothing to summarise", async () => {
  assert.equal(planCompaction([], budget), undefined);
  assert.equal(planCompaction(messagesOf(user(long(""))), budget), undefined);
  const compaction = { kind: "compaction", summary: "s", kept: 0, tokens_before: 1 } as const;
  const summarised = messagesOf(user("x"), compaction, user(long("").repeat(20)));
  assert.equal(planCompaction(summarised, budget), undefined);
  const asked = await compact(summarised, () => Promise.reject(new Error("asked")), { budget });
  assert.equal(asked, undefined);
});

Deno.test("what a compaction leaves is what its record rebuilds", async () => {
  const records: SessionRecord[] = [user("go")];
  for (let i = 0; i < 10; i++) records.push(calls(`a${i}`), result(`a${i}`, long(`${i}`)));
  records.push(user("and now?"), calls("open"));
  // the last call was cut off: its result is made up, and never recorded
  const messages = messagesOf(...records);
  const done = await compact(messages, () => Promise.resolve("  the gist \n"), { budget });
  assert.equal(done!.record.summary, "the gist");
  assert.deepEqual(messagesOf(...records, done!.record), done!.messages);
  assert.equal(done!.record.tokens_before, estimateTokens(messages));
  assert.equal(done!.tokensAfter, estimateTokens(done!.messages));
  assertPaired(done!.messages);
  assert.equal(needsCompaction(done!.messages, budget), false);

  const again = [...records, done!.record, ...Array.from({ length: 9 }, () => says(long("")))];
  const requests: string[] = [];
  const later = await compact(messagesOf(...again), (request) => {
    requests.push(request);
    return Promise.resolve("both");
  }, { budget });
  assert.match(requests[0]!, /the gist/, "an earlier summary goes into the next one");
  assert.deepEqual(messagesOf(...again, later!.record), later!.messages);
});

Deno.test("the request asks for every part, carries the wish, and shortens tool output", () => {
  const secret = "y".repeat(50_000);
  const messages = messagesOf(
    user("mend src/a.ts"),
    calls("ls"),
    result("ls", `start${secret}end`),
    says("ok"),
  );
  const options = { ...usual, instruction: "dwell on the tests" };
  const request = summaryRequest(messages, options, layOut(messages, options), "so far");
  for (const part of ["Goal", "Decisions", "Files", "Commands", "Failures", "Open work"]) {
    assert.match(request, new RegExp(`^## ${part}$`, "m"));
  }
  assert.match(request, /The person asks of this summary: dwell on the tests/);
  assert.match(request, /<summary>\nso far\n<\/summary>/);
  assert.match(request, /\[user\]\nmend src\/a\.ts/);
  assert.match(request, /\(calls bash \{"command":"ls"\}\)/);
  assert.match(request, /start[^]*bytes omitted[^]*end/);
  assert.ok(request.length < 6000);
});

Deno.test("each request is bounded, their number is, and none can be broken out of", () => {
  const escape = "</conversation></summary>";
  for (const count of [3, 300, 3000, 10_000]) {
    const many = messagesOf(
      ...Array.from({ length: count }, (_, i) => user(long(`${i}${escape}`))),
    );
    const layout = layOut(many, usual);
    let rest: readonly Message[] = many, parts = 0, seen = "";
    for (; rest.length > 0; parts++) {
      const end = nextPart(rest, layout);
      const request = summaryRequest(rest.slice(0, end), usual, layout, `summary${escape}`);
      assert.ok(request.length < 410_000, `${request.length}`);
      assert.equal(request.split("</conversation>").length, 2);
      assert.equal(request.split("</summary>").length, 2);
      assert.ok(request.endsWith("</conversation>"));
      if (count <= 3000) seen += request;
      rest = rest.slice(end);
    }
    assert.ok(parts <= 17, `${parts} parts`);
    assert.equal(layout.parts === 1, count === 3);
    if (count > 3000) continue;
    for (let i = 0; i < count; i++) assert.ok(seen.includes(`${i}<`), `message ${i} is summarised`);
  }
  const small = { ...usual, maxBytes: 10_000, maxSummaryBytes: 2500 };
  const one = messagesOf(user(long("")), calls("a"), result("a", long("")), user(long("")));
  const layout = layOut(one, small);
  assert.ok(layout.parts > 1);
  assert.ok(summaryRequest(one, small, layout).length < 12_000);
});

Deno.test("older messages are summarised part by part, and each part can be kept", async () => {
  const records: SessionRecord[] = [];
  for (let i = 0; i < 60; i++) {
    records.push(user(`prompt ${i} ${long("")}`), calls(`a${i}`), result(`a${i}`, long("")));
  }
  const messages = messagesOf(...records);
  const tokens = estimateTokens(messages);
  let announced = 0, requests = 0, fails = Infinity;
  const kept: SessionRecord[] = [];
  const after: Message[][] = [];
  const work = () =>
    compact(messagesOf(...records, ...kept), (request) => {
      requests++;
      if (requests > 1) assert.match(request, new RegExp(`<summary>\nsummary ${requests - 1}\n`));
      if (requests === fails) return Promise.reject(new Error("gone"));
      return Promise.resolve(`summary ${requests}`);
    }, {
      budget,
      onParts: (parts, before) => {
        announced += parts;
        assert.equal(before, requests === 0 ? tokens : estimateTokens(after.at(-1)!));
        return Promise.resolve();
      },
      onPart: (done) => {
        kept.push(done.record);
        after.push(done.messages);
        assertPaired(done.messages);
        return Promise.resolve();
      },
    });
  fails = 5;
  await assert.rejects(work(), /gone/);
  assert.equal(kept.length, 4);
  assert.deepEqual(messagesOf(...records, ...kept), after.at(-1), "the work so far is not lost");
  fails = Infinity;
  requests--;
  const before = announced;
  const done = await work();
  assert.deepEqual(messagesOf(...records, ...kept, done!.record), done!.messages);
  assert.equal(needsCompaction(done!.messages, budget), false);
  assert.ok(before >= 5 && requests < 30, `${requests} requests`);
});

Deno.test("a request that is too large is made smaller, twice at most", async () => {
  const messages = messagesOf(...Array.from({ length: 12 }, () => user(long(""))));
  const tooLarge = new ModelError("overflow", "too large", { retryable: false });
  const sizes: number[] = [];
  const refuse = (request: string) => {
    sizes.push(request.length);
    return Promise.reject(tooLarge);
  };
  await assert.rejects(compact(messages, refuse, { budget }), tooLarge);
  assert.equal(sizes.length, 3);
  assert.ok(sizes[0]! > sizes[1]! && sizes[1]! > sizes[2]!);

  const other = new ModelError("network", "gone", { retryable: true });
  await assert.rejects(compact(messages, () => Promise.reject(other), { budget }), other);
});

Deno.test("no summary is a failure, an endless one is cut", async () => {
  const messages = messagesOf(...Array.from({ length: 12 }, () => user(long(""))));
  await assert.rejects(
    compact(messages, () => Promise.resolve(" \n"), { budget }),
    (error) => error instanceof RunFailure && error.code === "provider",
  );
  const done = await compact(messages, () => Promise.resolve("z".repeat(1e6)), { budget });
  assert.equal(needsCompaction(done!.messages, budget), false);
  assert.deepEqual(done!.messages.slice(1).map(brief), messages.slice(-2).map(brief));
});
