import assert from "node:assert/strict";
import { liveOutput } from "../../src/agent/live_output.ts";

Deno.test("pieces arrive in order, joined while the reader is busy", async () => {
  const got: string[] = [];
  const gate = Promise.withResolvers<void>();
  const live = liveOutput(
    async (delta) => {
      got.push(delta);
      if (got.length === 1) await gate.promise;
    },
    1_000_000,
    () => {},
  );
  for (const piece of ["a", "b", "c"]) live.push(piece);
  gate.resolve();
  await live.drain();
  assert.deepEqual(got, ["a", "bc"]);
});

Deno.test("a slow reader and the whole bound cost a note, not memory", async () => {
  const got: string[] = [];
  const live = liveOutput((delta) => Promise.resolve(void got.push(delta)), 100, () => {});
  for (let i = 0; i < 50; i++) live.push("x".repeat(10));
  await live.drain();
  const all = got.join("");
  assert.equal(all.replace(/[^x]/g, "").length >= 100, true);
  assert.match(all, /\[\.\.\. 400 bytes of live output skipped \.\.\.\]/);
});

Deno.test("a failing reader is told to the tool and to the caller", async () => {
  const gone = new Error("gone");
  const seen: unknown[] = [];
  const live = liveOutput(() => Promise.reject(gone), 1000, (error) => seen.push(error));
  live.push("a");
  await assert.rejects(live.drain(), gone);
  assert.deepEqual(seen, [gone]);
});
