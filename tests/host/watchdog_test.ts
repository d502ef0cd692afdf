/** The tests of the watchdog, on a program that is too busy to hear anything itself. */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { checkedResult } from "../support/result.ts";
import { linux, testWhere } from "../support/test_where.ts";
import { isAlive, until } from "../support/until.ts";

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly children: readonly number[];
  readonly tookMs: number;
}

/** Starts the program, waits until it is busy, and sends the signal. */
async function endBusy(
  args: readonly string[],
  signal: Deno.Signal | undefined,
): Promise<Ended> {
  const script = fileURLToPath(new URL("./watchdog_program.ts", import.meta.url));
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", "--quiet", script, ...args],
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  let stderr = "";
  const reading = (async () => {
    for await (const text of child.stderr.pipeThrough(new TextDecoderStream())) stderr += text;
  })();
  await until(() => /^children \d+ \d+\n/.test(stderr), "the program is busy", 30_000);
  const startMs = performance.now();
  // again and again: its watchdog may still be starting
  const send = signal && setInterval(() => child.kill(signal), 400);
  const [stdout, status] = await Promise.all([new Response(child.stdout).text(), child.status]);
  clearInterval(send);
  await reading;
  return {
    code: status.code,
    stdout,
    stderr: stderr.replace(/^children .*\n/, ""),
    children: stderr.match(/\d+/g)!.slice(0, 2).map(Number),
    tookMs: performance.now() - startMs,
  };
}

for (const [signal, code] of [["SIGTERM", 143], ["SIGINT", 130], ["SIGHUP", 129]] as const) {
  testWhere(linux, `${signal} ends a program that is busy, and its children`, async () => {
    const ended = await endBusy(["none", "none"], signal);
    assert.equal(ended.code, code);
    assert.equal(ended.stdout, "");
    assert.equal(
      ended.stderr,
      `nimlet: interrupted by ${signal}; the program was busy and was ended\n`,
    );
    // far from two seconds only on a machine that is busy itself
    assert.ok(ended.tookMs < 10_000, `${ended.tookMs} ms`);
    for (const pid of ended.children) {
      await until(() => !isAlive(pid), `process ${pid} is gone`);
    }
  });
}

testWhere(linux, "a program that is busy ends with the object of result mode", async () => {
  const { code, stdout } = await endBusy(["none", "result"], "SIGTERM");
  const result = checkedResult(stdout);
  assert.deepEqual([code, result.exit_code, result.status], [143, 143, "interrupted"]);
  assert.match(result.error!.message, /^interrupted by SIGTERM; the program was busy/);
});

testWhere(linux, "the time limit ends a program that is busy, with closing records", async () => {
  const ended = await endBusy(["2500", "records"], undefined);
  assert.equal(ended.code, 3);
  const records = ended.stdout.trimEnd().split("\n").map((line) => JSON.parse(line));
  assert.deepEqual(records, [
    {
      version: 1,
      type: "error",
      message: "stopped after the limit; the program was busy and was ended",
      code: "limit",
    },
    { version: 1, type: "session_end", success: false, status: "limit", exit_code: 3 },
  ]);
});
