import assert from "node:assert/strict";
import { countsIn } from "../../scripts/test.ts";

Deno.test("the counts are those of the last summary line", () => {
  const of = (line: string) => countsIn(`x ... ok (1ms)\n\n${line}\n\nerror: Test failed\n`);
  assert.deepEqual(of("ok | 5 passed | 0 failed (12ms)"), { passed: 5, failed: 0, skipped: 0 });
  assert.deepEqual(of("\x1b[31mFAILED\x1b[0m | 52 passed | 1 failed \x1b[0m(3ms)\x1b[0m"), {
    passed: 52,
    failed: 1,
    skipped: 0,
  });
  assert.deepEqual(of("ok | 1 passed (3 steps) | 0 failed | 2 ignored | 4 filtered out (1ms)"), {
    passed: 1,
    failed: 0,
    skipped: 2,
  });
  assert.equal(of("ok | some test printed this"), undefined);
  assert.equal(countsIn(""), undefined);
});
