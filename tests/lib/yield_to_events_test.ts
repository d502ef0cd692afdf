/** The tests of yielding in the middle of long work. */
import assert from "node:assert/strict";
import { yieldToEvents } from "../../src/lib/yield_to_events.ts";

function work(ms: number) {
  const untilMs = performance.now() + ms;
  while (performance.now() < untilMs);
}

Deno.test({
  name: "a pipe is heard in the middle of long work",
  ignore: Deno.build.os === "windows",
  async fn() {
    const child = new Deno.Command("cat", { stdin: "piped", stdout: "piped" }).spawn();
    const input = child.stdin.getWriter(), output = child.stdout.getReader();
    const slicesUntilHeard = async () => {
      let isHeard = false, slices = 0;
      const heard = output.read().then(() => isHeard = true);
      const written = input.write(new Uint8Array(1));
      for (; !isHeard && slices < 100; slices++) {
        work(6);
        await yieldToEvents();
      }
      await Promise.all([heard, written]);
      return slices;
    };
    try {
      // the runtime has just looked at pipes when it hears the first one
      await slicesUntilHeard();
      // on a busy machine the other program may take long itself
      let slices = Infinity;
      for (let round = 0; round < 5; round++) slices = Math.min(slices, await slicesUntilHeard());
      assert.ok(slices < 30, `heard after ${slices} slices of 6 ms`);
    } finally {
      await input.close();
      await output.cancel();
      await child.status;
    }
  },
});

Deno.test("work ends with the reason of a signal that has aborted", async () => {
  const stop = new AbortController();
  setTimeout(() => stop.abort(new Error("enough")), 0);
  await assert.rejects(
    async () => {
      for (let slice = 0; slice < 60; slice++) {
        work(6);
        await yieldToEvents(stop.signal);
      }
    },
    /enough/,
  );
});
