/** The tests of how records become a conversation again. */
import assert from "node:assert/strict";
import { messageOf } from "../../src/core/message_record.ts";
import type { SessionRecord } from "../../src/core/record.ts";
import { historyBuilder, unknownOutcome } from "../../src/session/history.ts";
import { brief, calls, header, result, says, user } from "./session_folder.ts";
import { transcribe } from "../../src/session/transcript.ts";
import { historyOf } from "./history_of.ts";

const rebuilt = (...records: SessionRecord[]) => {
  const history = historyOf(records);
  return { ...history, brief: history.messages.map(brief) };
};
const unknown = (id: string) => `result ${id}: ${unknownOutcome}`;

Deno.test("messages come back as they were, with metadata, images and finish", () => {
  const records: SessionRecord[] = [
    header("/w"),
    { kind: "user", content: [{ type: "image", media_type: "image/png", data: "AA==" }] },
    {
      kind: "assistant",
      content: [
        { type: "thinking", text: "hm", metadata: { anthropic: { signature: "s" } } },
        { type: "tool_use", id: "a", name: "read", input: { path: "x" }, invalid_text: "{" },
      ],
      provider: "anthropic",
      model: "m",
      finish: "tool_calls",
      usage: { input_tokens: 3 },
    },
    { ...result("a"), is_error: true } as SessionRecord,
  ];
  const { messages, usage, header: first } = historyOf(records);
  assert.equal(first?.workspace, "/w");
  assert.deepEqual(usage, { input_tokens: 3 });
  assert.deepEqual(messages, [
    { role: "user", content: [{ type: "image", mediaType: "image/png", data: "AA==" }] },
    {
      role: "assistant",
      content: [
        { type: "thinking", text: "hm", metadata: { anthropic: { signature: "s" } } },
        { type: "tool_use", id: "a", name: "read", input: { path: "x" }, invalidText: "{" },
      ],
      provider: "anthropic",
      model: "m",
      finish: "tool_calls",
    },
    {
      role: "tool_result",
      toolId: "a",
      toolName: "bash",
      content: [{ type: "text", text: "did a" }],
      isError: true,
    },
  ]);
});

Deno.test("a call without a result gets an error result that says the outcome is unknown", () => {
  const history = rebuilt(user("go"), calls("a", "b"), result("a"));
  assert.deepEqual(history.brief, [
    "user: go",
    "assistant: [a] [b]",
    "result a: did a",
    unknown("b"),
  ]);
  const last = history.messages.at(-1)!;
  assert.ok(last.role === "tool_result" && last.isError && last.toolName === "bash");
  assert.match(history.notices.join(), /^1 tool call has no recorded result/);
});

Deno.test("results recorded as their calls ended stand in the order of the calls", () => {
  const three = calls("a", "b", "c");
  const history = rebuilt(user("go"), three, result("c"), result("a"), result("b"), says("ok"));
  assert.deepEqual(history.brief.slice(2, 5), [
    "result a: did a",
    "result b: did b",
    "result c: did c",
  ]);
  assert.deepEqual(history.notices, []);
});

Deno.test("a made-up result stands in its call's place, and a late real one takes it", () => {
  const killed = [user("go"), calls("a", "b", "c"), result("c"), result("b")];
  assert.deepEqual(rebuilt(...killed).brief.slice(2), [
    unknown("a"),
    "result b: did b",
    "result c: did c",
  ]);
  assert.deepEqual(rebuilt(...killed, user("well?"), result("a")).brief.slice(2), [
    "result a: did a",
    "result b: did b",
    "result c: did c",
    "user: well?",
  ]);
});

Deno.test("open calls are closed before the conversation goes on", () => {
  const history = rebuilt(user("go"), calls("a"), user("well?"), says("hm"));
  assert.deepEqual(history.brief, [
    "user: go",
    "assistant: [a]",
    unknown("a"),
    "user: well?",
    "assistant: hm",
  ]);
});

Deno.test("a result that was recorded late takes the place of the made-up one", () => {
  const history = rebuilt(user("go"), calls("a"), user("well?"), result("a"));
  assert.deepEqual(history.brief, [
    "user: go",
    "assistant: [a]",
    "result a: did a",
    "user: well?",
  ]);
  assert.deepEqual(history.notices, []);
});

Deno.test("a result without its call is left out, of two results the first counts", () => {
  const history = rebuilt(user("go"), result("x"), calls("a"), result("a"), result("a", "again"));
  assert.deepEqual(history.brief, ["user: go", "assistant: [a]", "result a: did a"]);
  assert.match(history.notices.join("\n"), /1 tool result belongs to no call/);
  assert.match(history.notices.join("\n"), /1 tool result repeats an earlier one/);
});

Deno.test("an id that is used again belongs to the newer call", () => {
  const history = rebuilt(user("go"), calls("a"), result("a", "1"), calls("a"), result("a", "2"));
  assert.deepEqual(history.brief.slice(2), ["result a: 1", "assistant: [a]", "result a: 2"]);
  assert.deepEqual(history.notices, []);
});

Deno.test("a compaction leaves the summary and the newest messages", () => {
  const compaction = (kept: number): SessionRecord => ({
    kind: "compaction",
    summary: "we talked",
    kept,
    tokens_before: 9,
  });
  const past = [user("one"), calls("a"), result("a"), says("two")];
  const kept2 = rebuilt(...past, compaction(1), user("three"));
  assert.equal(kept2.brief.length, 3);
  assert.match(kept2.brief[0]!, /^user: Summary of the conversation so far.*\n\nwe talked$/);
  assert.deepEqual(kept2.brief.slice(1), ["assistant: two", "user: three"]);
  assert.equal(rebuilt(...past, compaction(0)).brief.length, 1);
  assert.equal(rebuilt(...past, compaction(99)).brief.length, 5);
  assert.deepEqual(rebuilt(...past, compaction(3)).brief.slice(1), [
    "assistant: [a]",
    "result a: did a",
    "assistant: two",
  ]);
  assert.deepEqual(
    rebuilt(...past, compaction(2)).brief.slice(1),
    ["assistant: two"],
    "a result never stands without its call",
  );
  const twice = rebuilt(...past, compaction(2), user("x"), says("y"), compaction(1));
  assert.equal(twice.brief.length, 2);
  assert.deepEqual(twice.usage, { input_tokens: 20, output_tokens: 4 });
});

Deno.test("the last name and the last word on each setting count", () => {
  const history = rebuilt(
    { kind: "name", name: "first" },
    { kind: "selection", provider: "local", model: "a" },
    { kind: "extension", name: "todo", data: { items: 1 } },
    { kind: "name", name: "second" },
    { kind: "selection", model: "b", mode: "plan" },
  );
  assert.equal(history.name, "second");
  assert.deepEqual(history.selection, { provider: "local", model: "b", mode: "plan" });
  assert.deepEqual(history.extensions, [{ name: "todo", data: { items: 1 } }]);
  assert.deepEqual(history.messages, []);
});

Deno.test("a conversation whose start was lost still begins with a person's message", () => {
  const history = rebuilt(says("so"), user("next"));
  assert.equal(history.messages[0]!.role, "user");
  assert.deepEqual(history.brief.slice(1), ["assistant: so", "user: next"]);
});

Deno.test("of a conversation far larger than a request the older messages are held shortened", () => {
  const mib = 1024 * 1024;
  const original: SessionRecord[] = [user("do it"), {
    kind: "user",
    content: [{ type: "image", media_type: "image/png", data: "A".repeat(4 * mib) }],
  }];
  for (let at = 0; at < 150; at++) {
    const input = { command: "c".repeat(at % 3 * 1000) };
    const content = [
      { type: "thinking", text: "hm".repeat(2000) } as const,
      { type: "text", text: `step ${at} ${"word ".repeat(2500)}` } as const,
      { type: "tool_use", id: `a${at}`, name: "bash", input } as const,
    ];
    original.push({ ...calls() as SessionRecord & { kind: "assistant" }, content });
    original.push(result(`a${at}`, `${at} ${"é".repeat(mib / 2)} end`));
  }
  const { messages } = historyOf(original);
  assert.equal(messages.length, original.length);
  const bytes = messages.reduce((sum, message) => sum + JSON.stringify(message).length, 0);
  assert.ok(bytes < 40 * mib, `${bytes} characters`);
  const last = messages.at(-1)!.content[0]!;
  assert.ok(last.type === "text" && last.text.length > mib / 2, "the newest are whole");
  assert.deepEqual(messages.slice(0, 2).map(brief), ["user: do it", "user: (an image, image/png)"]);
  for (const at of [1, 2, 3, 5, 7, 41]) {
    const before = messageOf(original[at] as Parameters<typeof messageOf>[0]);
    assert.equal(transcribe(messages[at]!), transcribe(before), `message ${at}`);
  }
  assert.ok(JSON.stringify(messages[41]).length < 20_000);
});

Deno.test("very many results in any order, and very many summaries, are put in order at once", () => {
  const ids = Array.from({ length: 100_000 }, (_, at) => `c${at}`);
  const builder = historyBuilder();
  builder.add(user("go"));
  builder.add(user("on"));
  builder.add(calls(...ids, "lost 1", "lost 2"));
  for (const id of ids.toReversed()) builder.add(result(id, "x"));
  for (let at = 0; at < 20_000; at++) {
    builder.add({ kind: "compaction", summary: "s", kept: 2_000_000, tokens_before: 1 });
  }
  const { messages, notices } = builder.finish();
  const order = messages.flatMap((one) => one.role === "tool_result" ? [one.toolId] : []);
  assert.deepEqual(order, [...ids, "lost 1", "lost 2"]);
  assert.match(notices[0]!, /^2 tool calls have no recorded result/);
});

Deno.test("a conversation of very many small messages is held in bounded memory, calls with results", () => {
  const count = 160_000;
  const records = [user("the very first")];
  for (let at = 0; at < count; at++) records.push(calls(`a${at}`), result(`a${at}`, `did ${at}`));
  const { messages, notices } = historyOf(records);
  assert.deepEqual(notices, []);
  assert.ok(messages.length < 2 * count, `${messages.length} messages`);
  const first = messages[0]!.content[0]!;
  assert.ok(first.type === "text" && first.text.length < 70_000);
  assert.match(first.text, /^Summary of the conversation so far[^]*\[user\]\nthe very first/);
  assert.equal(messages[1]!.role, "assistant");
  for (let at = 1; at < messages.length; at += 2) {
    const number = count - (messages.length - at) / 2;
    assert.equal(brief(messages[at]!), `assistant: [a${number}]`);
    assert.equal(brief(messages[at + 1]!), `result a${number}: did ${number}`);
  }
});
