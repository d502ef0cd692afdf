import assert from "node:assert/strict";
import { countsIn, failedIn, ignoredIn } from "../../scripts/test.ts";

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

Deno.test("ignored tests are found by name, with their reason", () => {
  const output = "running 3 tests from ./a_test.ts\n" +
    "x ... \x1b[0m\x1b[32mok\x1b[0m (1ms)\n" +
    "y z [ignored: it needs fish] ... \x1b[0m\x1b[33mignored\x1b[0m \x1b[38;5;245m(0ms)\x1b[0m\n" +
    "w ... FAILED (3ms)\n" +
    "  w ... ignored is what this test prints\n";
  assert.deepEqual(ignoredIn(output), ["y z [ignored: it needs fish]"]);
});

Deno.test("failed tests are told with the first lines of their errors", () => {
  const output = "x ... FAILED (3ms)\n\n ERRORS \n\n" +
    "\x1b[0m\x1b[1mx: of y\x1b[0m \x1b[38;5;245m=> ./a_test.ts:7:6\x1b[0m\nerror: AssertionError: 1 !== 2\n\n  at z\n\n" +
    `long => ./a_test.ts:9:6\nerror: 1\n${"  at w\n".repeat(20)}\n` +
    " FAILURES \n\nx: of y => ./a_test.ts:7:6\nlong => ./a_test.ts:9:6\n\nFAILED | 0 passed | 2 failed (4ms)\n";
  const told = failedIn(output);
  assert.equal(told.length, 2);
  assert.equal(
    told[0],
    "x: of y => ./a_test.ts:7:6\n    error: AssertionError: 1 !== 2\n    \n      at z",
  );
  assert.match(
    told[1]!,
    /^long => .*\n +error: 1\n(?: +at w\n){10} +\(10 more lines above\)$/,
  );
  assert.deepEqual(failedIn("ok | 1 passed | 0 failed (1ms)\n"), []);
});
