import assert from "node:assert/strict";
import { type Silence, watchedStream } from "../../src/lib/watched_stream.ts";

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Keep-alives every 0.4 s, then one item. */
async function* slow(keepAlives: number): AsyncGenerator<string> {
  for (let n = 0; n < keepAlives; n++) {
    await pause(400);
    yield "";
  }
  yield "item";
}

function watch(keepAlives: number, isKeepAlive?: (item: string) => boolean) {
  let silence: Silence | undefined;
  const stream = watchedStream(slow(keepAlives), {
    idleMs: 1000,
    signal: new AbortController().signal,
    ...isKeepAlive === undefined ? {} : { isKeepAlive },
    onIdle: (found) => {
      silence = found;
      return new Error("silent");
    },
  });
  return { stream, silence: () => silence };
}

const isKeepAlive = (item: string) => item === "";

Deno.test("keep-alives hold a stream open beyond the limit, and are not passed on", async () => {
  const items = await Array.fromAsync(watch(4, isKeepAlive).stream);
  assert.deepEqual(items, ["item"]);
});

Deno.test("keep-alives hold a stream open for three times the limit at the most", async () => {
  const { stream, silence } = watch(20, isKeepAlive);
  await assert.rejects(Array.fromAsync(stream), /silent/);
  assert.ok(silence()!.keptAlive);
  // Beyond the limit of silence alone, which a slow machine may already have lengthened.
  assert.ok(silence()!.ms > 1500, `${silence()!.ms} ms`);
  // the source is not waited for, and sleeps on
  await pause(500);
});
