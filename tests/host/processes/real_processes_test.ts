import assert from "node:assert/strict";
import { type ProcessSpec, ProcessStartError } from "../../../src/core/host.ts";
import { findProgram } from "../../../src/host/find_program.ts";
import { realHost } from "../../../src/host/real_host.ts";
import { installed, linux, testWhere } from "../../support/test_where.ts";

const { processes, env } = realHost();
const never = new AbortController().signal;

/** By its path, as tools name a shell: where there is `setsid` it is started through that. */
const bash = findProgram(realHost(), "bash") ?? "bash";

function spec(command: string, more: Partial<ProcessSpec> = {}): ProcessSpec {
  return {
    file: bash,
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

for (const file of [bash, "bash"]) {
  Deno.test(`the environment is the one given, and ${file} leads a session of its own`, async () => {
    const command = "echo $A; ps -o sid= -p $$ 2>/dev/null || echo $$; echo $$";
    const result = await processes.run(
      spec(command, { file, env: { A: "x", PATH: env.get("PATH")! } }),
      never,
    );
    const [a, session, pid] = result.stdout.text.trim().split(/\s+/);
    assert.equal(a, "x");
    assert.equal(session, pid);
  });
}

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
  const folder = await Deno.makeTempDir();
  const made = async (name: string, content: string | Uint8Array, mode: number) => {
    const file = `${folder}/${name}`;
    await Deno.writeFile(file, typeof content === "string" ? encode(content) : content);
    await Deno.chmod(file, mode);
    return { file, args: [] };
  };
  assert.equal(await reason({ file: "no-such-program-here" }), "not_found");
  assert.equal(await reason({ file: `${folder}/none` }), "not_found");
  assert.equal(await reason(await made("plain", "", 0o644)), "not_executable");
  assert.equal(await reason(await made("script", "#!/no/such/shell\n", 0o755)), "not_found");
  assert.equal(await reason(await made("good", "#!/bin/sh\n", 0o755)), undefined);
  assert.equal(await reason({ args: ["-c", "x".repeat(3_000_000)] }), "too_long");
  assert.equal(await reason({ cwd: "/no/such/folder" }), "other");
  await Deno.remove(folder, { recursive: true });
});

const encode = (text: string) => new TextEncoder().encode(text);

testWhere(linux, "a program without its loader is refused by its own name", async () => {
  const folder = await Deno.makeTempDir();
  const program = Deno.readFileSync(bash);
  const at = new TextDecoder("latin1").decode(program.subarray(0, 4096)).indexOf("/ld-");
  assert.ok(at > 0, "the shell of this machine has no loader");
  program[at + 1] = "x".charCodeAt(0);
  const file = `${folder}/unloadable`;
  await Deno.writeFile(file, program, { mode: 0o755 });
  await assert.rejects(
    processes.run(spec("", { file }), never),
    (error: Error) => error instanceof ProcessStartError && error.message.startsWith(`${file} `),
  );
  await Deno.remove(folder, { recursive: true });
});

testWhere(
  [linux, installed("setsid")],
  "a process of many threads that is left behind counts once",
  async () => {
    const script = "console.log(1); setTimeout(() => {}, 30000)";
    const command =
      `exec 3< <(setsid ${Deno.execPath()} eval '${script}' 2>/dev/null); read -r line <&3`;
    const result = await processes.run(spec(command), never);
    assert.equal(result.running?.length, 1);
    Deno.kill(result.running[0]!, "SIGKILL");
  },
);

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
