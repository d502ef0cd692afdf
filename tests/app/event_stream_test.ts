import assert from "node:assert/strict";
import { createEventStream } from "../../src/app/session/event_stream.ts";
import type { AgentEvent, EventIds } from "../../src/core/event.ts";

Deno.test("what is noticed before the first record comes after it", async () => {
  const seen: [string, EventIds][] = [];
  const wordOf = (event: AgentEvent) => event.type === "diagnostic" ? event.message : event.type;
  const stream = createEventStream((event, ids) =>
    Promise.resolve(void seen.push([wordOf(event), ids]))
  );
  stream.notify("warning", "early");
  stream.notify("info", "too");
  stream.ids = { session_id: "s" };
  await stream.emit({ type: "run_start", prompt: "" });
  assert.equal(seen.length, 1);
  await stream.release();
  stream.ids = { session_id: "s", run_id: "r" };
  stream.notify("warning", "late");
  await stream.release();
  assert.deepEqual(seen, [
    ["run_start", { session_id: "s" }],
    ["early", { session_id: "s" }],
    ["too", { session_id: "s" }],
    ["late", { session_id: "s", run_id: "r" }],
  ]);
});

Deno.test("a reader that has gone fails what is waited for, and nothing else", async () => {
  const stream = createEventStream(() => Promise.reject(new Error("gone")));
  await stream.release();
  stream.notify("warning", "nobody waits for this");
  await assert.rejects(stream.warn(["a"]), /gone/);
});
