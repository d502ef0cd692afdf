import assert from "node:assert/strict";
import { type OpenProcessSpec, ProcessStartError } from "../../../src/core/host.ts";
import { findProgram } from "../../../src/host/find_program.ts";
import { realHost } from "../../../src/host/real_host.ts";
import { linux, testWhere } from "../../support/test_where.ts";
import { isAlive, until } from "../../support/until.ts";

const host = realHost();
const never = new AbortController().signal;
const bash = findProgram(host, "bash") ?? "bash";

function opened(command: string, more: Partial<OpenProcessSpec> = {}, signal = never, on = host) {
  const decoder = new TextDecoder();
  let output = "";
  const child = on.processes.open({
    file: bash,
    args: ["--norc", "--noprofile", "-c", command],
    cwd: Deno.realPathSync(Deno.env.get("TMPDIR") ?? "/tmp"),
    env: host.env.all(),
    onOutput: (bytes) => void (output += decoder.decode(bytes, { stream: true })),
    maxErrorBytes: 1000,
    ...more,
  }, signal);
  return { child, output: () => output };
}

const bytes = (text: string) => new TextEncoder().encode(text);

Deno.test("a program that stays is written to, answers, and ends with its stdin", async () => {
  const { child, output } = opened('while read line; do echo "got $line"; done; exit 4', {
    inputGraceMs: 60_000,
  });
  await child.write(bytes("one\n"));
  await until(() => output() === "got one\n", "the first answer");
  await child.write(bytes("two\n"));
  await until(() => output() === "got one\ngot two\n", "the second");
  await child.end();
  assert.deepEqual(await child.exited, { exitCode: 4 });
  assert.equal(host.processes.running, 0);
});

Deno.test("a program that ends by itself says how, with all of its output and its stderr's end", async () => {
  const { child, output } = opened(
    "head -c 5000 /dev/zero | tr '\\0' x >&2; echo last >&2; seq 9999; exit 7",
  );
  assert.deepEqual(await child.exited, { exitCode: 7 });
  assert.ok(output().endsWith("\n9999\n"));
  assert.equal(child.errorText, `${"x".repeat(995)}last\n`);
  await assert.rejects(child.write(bytes("x")));
  await child.end();
});

Deno.test("a program that a signal ended says which", async () => {
  const { child } = opened("kill -9 $$");
  assert.deepEqual(await child.exited, { exitCode: 137, signal: "SIGKILL" });
});

Deno.test("a program that does not start is an error with a reason", () => {
  assert.throws(
    () => opened("", { file: "/nowhere/program" }),
    (error) => error instanceof ProcessStartError && error.reason === "not_found",
  );
});

testWhere(
  linux,
  "what ignores the end of its stdin and TERM is killed, with what it has started",
  async () => {
    const { child, output } = opened(
      "trap '' TERM; setsid sleep 301 & echo $!; (trap '' TERM; sleep 302) & echo $!; " +
        "while :; do sleep 0.1; done",
      { inputGraceMs: 20, killGraceMs: 50 },
    );
    await until(() => /^\d+\n\d+\n$/.test(output()), "the numbers");
    const pids = output().trim().split("\n").map(Number);
    await until(() => pids.every(isAlive), "their start");
    await child.end();
    assert.equal((await child.exited).signal, "SIGKILL");
    assert.deepEqual(pids.filter(isAlive), []);
  },
);

testWhere(
  linux,
  "what a program that has ended leaves behind is ended, though it holds the pipes",
  async () => {
    const { child, output } = opened("sleep 303 & echo $!; exit 1", { inputGraceMs: 20 });
    assert.equal((await child.exited).exitCode, 1);
    await child.end();
    assert.equal(isAlive(Number(output())), false);
  },
);

Deno.test("endAll and an abort end it, too", async () => {
  const other = realHost();
  const { child } = opened("sleep 304", { inputGraceMs: 20 }, never, other);
  await other.processes.endAll();
  assert.equal((await child.exited).exitCode, 143);
  const stop = new AbortController();
  const second = opened("sleep 305", { inputGraceMs: 20 }, stop.signal);
  stop.abort();
  assert.equal((await second.child.exited).exitCode, 143);
  await second.child.end();
  assert.throws(() => opened("true", {}, stop.signal));
});

Deno.test("a slow reader of its output slows the program", async () => {
  const held = Promise.withResolvers<void>();
  let size = 0;
  const { child } = opened("head -c 10000000 /dev/zero", {
    onOutput: (piece) => {
      size += piece.length;
      return held.promise;
    },
  });
  await until(() => size > 0, "the first piece");
  assert.ok(size <= 65536);
  held.resolve();
  await child.exited;
  assert.equal(size, 10_000_000);
});
