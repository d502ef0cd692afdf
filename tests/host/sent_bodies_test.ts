/** The tests of when sent bodies are collected. */
import assert from "node:assert/strict";
import { staysOpen } from "../support/stays_open.ts";
import { bodyWasSent } from "../../src/host/sent_bodies.ts";

Deno.test(
  "what was sent is collected every 4 MB, where the runtime can be asked to",
  staysOpen,
  () => {
    const scope = globalThis as { gc?: (options: unknown) => void };
    const before = scope.gc;
    let collected = 0;
    const megabyte = 1024 * 1024;
    try {
      scope.gc = () => void collected++;
      // whatever other tests have sent
      bodyWasSent(4 * megabyte);
      collected = 0;
      for (let sent = 0; sent < 3; sent++) bodyWasSent(megabyte);
      assert.equal(collected, 0);
      bodyWasSent(megabyte);
      assert.equal(collected, 1);
      bodyWasSent(20 * megabyte);
      assert.equal(collected, 2);
      delete scope.gc;
      bodyWasSent(4 * megabyte);
      assert.equal(collected, 2);
    } finally {
      if (before === undefined) delete scope.gc;
      else scope.gc = before;
    }
  },
);
