import assert from "node:assert/strict";
import { watchedSink } from "../../src/app/session/watched_sink.ts";
import type { AgentEvent } from "../../src/core/event.ts";

/** When the watchdog is started by these events: ms, or 0 for at once. */
function startsOf(...events: AgentEvent[]): number[] {
  const starts: number[] = [];
  const watchdog = {
    plan() {},
    start: (inMs = 0) => void starts.push(inMs),
    endsByItself() {},
    release() {},
  };
  const sink = watchedSink(() => undefined, watchdog);
  for (const event of events) assert.equal(sink(event, {}), undefined);
  return starts;
}

const request: AgentEvent = { type: "step_start", step: 1, model: "m" };

function call(tool_name: string, input: Record<string, string>): AgentEvent {
  return { type: "tool_call", step: 1, tool_id: "1", tool_name, input };
}

Deno.test("the watchdog is started once soon after the first request", () => {
  assert.deepEqual(startsOf(request, request), [300]);
});

Deno.test("a call that might take long is watched from its start", () => {
  assert.deepEqual(startsOf(request, call("bash", { command: "ls" })), [300]);
  assert.deepEqual(startsOf(request, call("read", { path: "a" })), [300]);
  assert.deepEqual(startsOf(request, call("edit", { path: "a", old_text: "b" })), [300]);
  assert.deepEqual(startsOf(request, call("bash", { command: "ls ".repeat(500) })), [300, 0]);
  assert.deepEqual(startsOf(request, call("grep", { pattern: "(a*)*" })), [300, 0]);
  assert.deepEqual(startsOf(request, call("own_tool", {})), [300, 0]);
});

Deno.test("what the front end lets nobody wait for is not waited for", () => {
  const delta: AgentEvent = { type: "message_delta", step: 1, delta: "word", model: "m" };
  assert.deepEqual(startsOf(delta), []);
});
