/** The tests of giving a wait up. */
import assert from "node:assert/strict";
import { unlessAborted } from "../../src/lib/unless_aborted.ts";

Deno.test("a wait ends with what is waited for, or with the signal's reason, whichever comes first", async () => {
  const stop = new AbortController();
  assert.equal(await unlessAborted(Promise.resolve(1), stop.signal), 1);
  await assert.rejects(unlessAborted(Promise.reject(new Error("own")), stop.signal), /own/);
  const endless = unlessAborted(new Promise(() => {}), stop.signal);
  stop.abort(new Error("stopped"));
  await assert.rejects(endless, /stopped/);
  await assert.rejects(unlessAborted(Promise.resolve(1), stop.signal), /stopped/);
});

Deno.test("what fails after it was given up disturbs nobody", async () => {
  const late = Promise.withResolvers<never>();
  await assert.rejects(unlessAborted(late.promise, AbortSignal.abort(new Error("gone"))), /gone/);
  late.reject(new Error("nobody waits"));
  // an unhandled rejection would fail the test
  await new Promise((resolve) => setTimeout(resolve));
});
