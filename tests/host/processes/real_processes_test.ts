import assert from "node:assert/strict";
import { type ProcessSpec, ProcessStartError } from "../../../src/core/host.ts";
import { realHost } from "../../../src/host/real_host.ts";

const { processes, env } = realHost();
const never = new AbortController().signal;

function spec(command: string, more: Partial<ProcessSpec> = {}): ProcessSpec {
  return {
    file: "bash",
    args: ["--norc", "--noprofile", "-c", command],
    cwd: Deno.realPathSync(Deno.env.get("TMPDIR") ?? "/tmp"),
    env: env.all(),
    maxOutputBytes: 100_000,
    ...more,
  };
}

Deno.test("megabytes in both directions do not wait for one another", async () => {
  const input = new Uint8Array(6_000_000).fill(65);
  const result = await processes.run(spec("cat; cat >&2", { input }), never);
  assert.equal(result.stdout.totalBytes, 6_000_000);
  assert.equal(result.end, "exited");
});

Deno.test("a child that does not read its input is no error", async () => {
  const input = new Uint8Array(6_000_000);
  for (
    const command of ["exit 3", "exec <&-; sleep 0.05; exit 3", "head -c 1 >/dev/null; exit 3"]
  ) {
    assert.equal((await processes.run(spec(command, { input }), never)).exitCode, 3);
  }
});

Deno.test("the environment is the one given, and the child leads a session of its own", async () => {
  const command = "echo $A; ps -o sid= -p $$ 2>/dev/null || echo $$; echo $$";
  const result = await processes.run(
    spec(command, { env: { A: "x", PATH: env.get("PATH")! } }),
    never,
  );
  const [a, session, pid] = result.stdout.text.trim().split(/\s+/);
  assert.equal(a, "x");
  assert.equal(session, pid);
});

Deno.test("live output comes in whole characters, and all of it", async () => {
  const deltas: string[] = [];
  const command = "for i in 1 2 3; do printf '\\xf0\\x9f'; sleep 0.02; printf '\\x98\\x80'; done";
  await processes.run(spec(command, { onOutput: (_, delta) => deltas.push(delta) }), never);
  assert.equal(deltas.join(""), "😀😀😀");
  assert.ok(deltas.every((delta) => delta.isWellFormed() && !delta.includes("\ufffd")));
});

Deno.test("too much stdout ends the program", async () => {
  const result = await processes.run(
    spec("yes", { stdoutLimitBytes: 1_000_000, maxOutputBytes: 1000 }),
    never,
  );
  assert.equal(result.end, "overflow");
  assert.ok(result.stdout.totalBytes > 1_000_000);
  assert.ok(result.stdout.text.length < 1100);
});

Deno.test("output without end is kept in bounded memory", async () => {
  const before = Deno.memoryUsage().rss;
  let heard = 0, most = 0;
  const result = await processes.run(
    spec("head -c 300000000 /dev/zero | tr '\\0' x", {
      onOutput: (_, delta) => {
        heard += delta.length;
        if (heard % 64 === 0) most = Math.max(most, Deno.memoryUsage().rss);
      },
    }),
    never,
  );
  assert.equal(heard, 300_000_000);
  assert.equal(result.stdout.omittedBytes, 300_000_000 - 100_000);
  assert.ok(most - before < 60_000_000, `${most - before} bytes more`);
});

Deno.test("what cannot be started says why", async () => {
  const reason = async (more: Partial<ProcessSpec>) => {
    try {
      await processes.run(spec("", more), never);
    } catch (error) {
      assert.ok(error instanceof ProcessStartError);
      return error.reason;
    }
    return undefined;
  };
  assert.equal(await reason({ file: "no-such-program-here" }), "not_found");
  const plain = await Deno.makeTempFile();
  assert.equal(await reason({ file: plain, args: [] }), "not_executable");
  await Deno.remove(plain);
  assert.equal(await reason({ args: ["-c", "x".repeat(3_000_000)] }), "too_long");
  assert.equal(await reason({ cwd: "/no/such/folder" }), "other");
});

Deno.test("a run that was stopped before its start starts nothing", async () => {
  const result = await processes.run(spec("echo hi"), AbortSignal.abort());
  assert.equal(result.end, "aborted");
  assert.equal(result.stdout.totalBytes, 0);
});

Deno.test("a child gets the time to end itself before it is killed", async () => {
  const command = "trap 'echo bye; exit 5' TERM; echo begun; while :; do sleep 0.01; done";
  const stop = new AbortController();
  const onOutput = () => stop.abort();
  const result = await processes.run(spec(command, { onOutput }), stop.signal);
  assert.equal(result.end, "aborted");
  assert.equal(result.exitCode, 5);
  assert.equal(result.stdout.text, "begun\nbye\n");
});

Deno.test("endAll ends every program that runs", async () => {
  const host = realHost();
  let begun = 0;
  const ready = Promise.withResolvers<void>();
  const onOutput = () => ++begun === 2 ? ready.resolve() : undefined;
  const runs = [1, 2].map(() =>
    host.processes.run(
      spec("trap '' TERM; echo x; sleep 65.5", { onOutput, killGraceMs: 100 }),
      never,
    )
  );
  await ready.promise;
  await host.processes.endAll();
  for (const run of runs) assert.equal((await run).end, "aborted");
});

Deno.test("output of a process substitution that ends soon is waited for", async () => {
  const result = await processes.run(spec("echo hi > >(sleep 0.05; cat)"), never);
  assert.equal(result.stdout.text, "hi\n");
  assert.equal(result.leftover, undefined);
});

Deno.test("two streams share one limit, and each is sure of half of it", async () => {
  const share = async (out: number, err: number) => {
    const command =
      `head -c ${out} /dev/zero | tr '\\0' x; head -c ${err} /dev/zero | tr '\\0' y >&2`;
    const result = await processes.run(
      spec(command, { maxOutputBytes: 1000, maxTotalBytes: 1000 }),
      never,
    );
    const { stdout, stderr } = result;
    return [stdout.totalBytes - stdout.omittedBytes, stderr.totalBytes - stderr.omittedBytes];
  };
  assert.deepEqual(await share(900, 100), [900, 100]);
  assert.deepEqual(await share(5000, 100), [900, 100]);
  assert.deepEqual(await share(100, 5000), [100, 900]);
  assert.deepEqual(await share(5000, 5000), [500, 500]);
});
