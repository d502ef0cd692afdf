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

Deno.test("a wait between two looks begins to count anew, a long time of the call itself does not", () => {
  const watch = repetitionWatch(4);
  const wait = { name: "bash", input: { command: "sleep 10" } };
  for (let times = 0; times < 20; times++) {
    assert.equal(watch.add(call, "pending", 1), "");
    assert.equal(watch.add(wait, "", 10_000), "");
  }
  for (let times = 1; times <= 4; times++) {
    assert.equal(watch.isOver(), false);
    watch.add(call, "a", 1);
    watch.add(call, "a", 6000);
  }
  assert.equal(watch.isOver(), true);
});

Deno.test("the same calls of one answer count together, in whatever order their results come", () => {
  const watch = repetitionWatch(10);
  const other = { name: "read", input: { path: "a" } };
  for (let times = 1; times <= 10; times++) {
    assert.equal(watch.isOver(), false);
    const both = times % 2 === 0 ? [call, other] : [other, call];
    const told = both.map((one) => watch.add(one, "same", 1));
    assert.ok(told.every((notice) => notice.includes(`${times} times in a row`) === times >= 4));
    watch.endStep();
  }
  assert.equal(watch.isOver(), true);
});

Deno.test("an answer with one other result, or with a wait, begins to count anew", () => {
  for (const [text, ms] of [["new", 1], ["same", 6000]] as const) {
    const watch = repetitionWatch(4);
    for (let times = 1; times <= 12; times++) {
      watch.add(call, "same", 1);
      watch.add(
        { name: "read", input: {} },
        times % 3 === 0 ? text : "same",
        times % 3 === 0 ? ms : 1,
      );
      watch.endStep();
      assert.equal(watch.isOver(), false);
    }
  }
});
