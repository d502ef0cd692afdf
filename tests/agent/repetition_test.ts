import assert from "node:assert/strict";
import { repetitionWatch } from "../../src/agent/repetition.ts";

const call = { name: "bash", input: { command: "ls" } };

Deno.test("the model is told from the fourth time on, and the tenth is the last", () => {
  const watch = repetitionWatch(10);
  for (let times = 1; times <= 10; times++) {
    assert.equal(watch.isOver(), false);
    const notice = watch.add(call, `exit_code: 0\nduration_ms: ${times}\n`, times);
    assert.equal(notice.includes(`${times} times in a row`), times >= 4, notice);
  }
  assert.equal(watch.isOver(), true);
});

Deno.test("another result or another call begins to count anew, and waiting counts never", () => {
  const watch = repetitionWatch(4);
  for (const text of ["a", "a", "a", "b", "a", "a", "a"]) {
    assert.equal(watch.add(call, text, 1), "");
  }
  watch.add({ name: "bash", input: { command: "ls -l" } }, "a", 1);
  for (let times = 0; times < 3; times++) watch.add(call, "a", 1);
  for (let times = 0; times < 20; times++) assert.equal(watch.add(call, "a", 5000), "");
  assert.equal(watch.isOver(), false);
});

Deno.test("0 is no limit", () => {
  const watch = repetitionWatch(0);
  for (let times = 0; times < 100; times++) assert.equal(watch.add(call, "a", 1), "");
  assert.equal(watch.isOver(), false);
});
