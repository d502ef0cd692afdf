import assert from "node:assert/strict";
import { uniqueIds } from "../../src/agent/unique_ids.ts";
import type { Message, ToolUsePart } from "../../src/core/message.ts";

const calls = (...ids: string[]): ToolUsePart[] =>
  ids.map((id) => ({ type: "tool_use", id, name: "read", input: {} }));
const idsOf = (parts: readonly unknown[]) => parts.map((part) => (part as ToolUsePart).id);
const answer = (content: ToolUsePart[]): Message => ({
  role: "assistant",
  provider: "p",
  model: "m",
  finish: "tool_calls",
  content,
});

Deno.test("ids that are empty, or taken in the answer or before it, are replaced", () => {
  const history = { messages: [answer(calls("bash:0", "call_2"))] };
  const first = uniqueIds(calls("bash:0", "bash:0", "", "", "new"), history);
  assert.deepEqual(idsOf(first), ["bash:0_2", "bash:0_3", "call_1", "call_3", "new"]);
  history.messages.push(answer(first as ToolUsePart[]));
  assert.deepEqual(idsOf(uniqueIds(calls("new", "", "bash:0"), history)), [
    "new_2",
    "call_4",
    "bash:0_4",
  ]);
});

Deno.test("ids stay unique after the history was shortened", () => {
  const history = { messages: [answer(calls("a")), answer(calls("b"))] };
  uniqueIds(calls("c"), history);
  history.messages = [answer(calls("b"))];
  assert.deepEqual(idsOf(uniqueIds(calls("a", "b", "c"), history)), ["a_2", "b_2", "c_2"]);
});

Deno.test("100,000 calls without ids take no long time", () => {
  const ids = idsOf(uniqueIds(calls(...Array(100_000).fill("")), { messages: [] }));
  assert.equal(new Set(ids).size, 100_000);
});
