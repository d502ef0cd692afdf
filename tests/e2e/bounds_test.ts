/** The bounds of what others send: what is too much is refused with a sentence, and memory stays flat. */
import assert from "node:assert/strict";
import { startFakeProvider, textAnswer } from "../support/fake_provider.ts";
import { peakMiB } from "../support/peak_memory.ts";
import { pointAt } from "../support/pointed.ts";
import { withScratch } from "../support/program.ts";
import { startRpc } from "../support/rpc.ts";
import { linux, testWhere } from "../support/test_where.ts";

/** From source the runtime itself takes as much again. */
const mostMiB = Deno.env.get("NIMLET_BIN") ? 300 : 450;

const mib = 1024 * 1024;

Deno.test("what waits for a running prompt may have 16 MiB; more is refused, and nothing is lost", async () => {
  const over = Promise.withResolvers<void>();
  const provider = startFakeProvider([
    { before: over.promise, ...textAnswer("chat", "one") },
    (request) => textAnswer("chat", `taken in ${request.text.includes("zzzz")}`),
  ]);
  try {
    await withScratch(async ({ workspace, home }) => {
      const rpc = startRpc([...await pointAt(home, provider.url), "--no-session"], workspace);
      await rpc.ask("prompt", { message: "work" });
      const wait = (text: string) => rpc.ask("follow_up", { message: text });
      assert.equal((await wait("z".repeat(8 * mib))).ok, true);
      const refused = await wait("y".repeat(9 * mib));
      assert.equal(refused.ok, false);
      assert.match(
        String(refused.error),
        /^the queue is full: expected at most 16777216 bytes of input to wait, found 178\d{5}; /,
      );
      const { state } = await rpc.ask("get_state");
      assert.equal((state as { queue_depth: number }).queue_depth, 1);
      over.resolve();
      const final = await rpc.next("message", (record) => record.final === true);
      assert.equal(final.content, "taken in true");
      await rpc.ask("shutdown");
      assert.equal((await rpc.program.ended).code, 0);
    });
  } finally {
    over.resolve();
    await provider.close();
  }
});

Deno.test("a line beyond 20 MiB is refused, and the next one is read", async () => {
  await withScratch(async ({ workspace }) => {
    const rpc = startRpc(["--provider", "local", "--model", "m", "--no-session"], workspace);
    await rpc.send(`${"x".repeat(20 * mib + 1)}\n`);
    const refused = await rpc.next("response");
    assert.deepEqual([refused.ok, refused.id], [false, ""]);
    assert.equal((await rpc.ask("get_state")).ok, true);
    await rpc.ask("shutdown");
    await rpc.program.ended;
  });
});

testWhere(linux, "commands that come while the queue is full leave no memory behind", async () => {
  const over = Promise.withResolvers<void>();
  const provider = startFakeProvider([{ before: over.promise, body: "{}" }]);
  try {
    await withScratch(async ({ workspace, home }) => {
      const rpc = startRpc([...await pointAt(home, provider.url), "--no-session"], workspace);
      await rpc.ask("prompt", { message: "work" });
      const message = "y".repeat(60_000);
      for (let index = 0; index < 5000; index++) await rpc.ask("follow_up", { message });
      const peak = peakMiB(rpc.program.pid);
      rpc.program.kill("SIGKILL");
      await rpc.program.ended;
      assert.ok(peak <= mostMiB, `${peak} MiB`);
    });
  } finally {
    over.resolve();
    await provider.close();
  }
});
