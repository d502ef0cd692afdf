import assert from "node:assert/strict";
import { call, cassette, say } from "../support/cassette.ts";
import { errorAnswer, eventPieces, startFakeProvider } from "../support/fake_provider.ts";
import { pointAt } from "../support/pointed.ts";
import {
  type ProgramResult,
  type RunningProgram,
  startProgram,
  startWithInput,
  withScratch,
} from "../support/program.ts";
import { checkedRecords, only } from "../support/records.ts";
import { installed, posix, testWhere } from "../support/test_where.ts";
import { isAlive, until } from "../support/until.ts";

const signals = [["SIGINT", 130], ["SIGTERM", 143], ["SIGHUP", 129]] as const;

/** The records end as documented, and every call and run in them is closed. */
function assertClosed({ stdout, code, stderr }: ProgramResult, exitCode: number): void {
  const records = checkedRecords(stdout);
  assert.equal(code, exitCode, stderr);
  assert.equal(records[0]!.type, "session_start");
  const last = records.at(-1)!;
  assert.deepEqual(
    [last.type, last.success, last.status, last.exit_code],
    ["session_end", false, "interrupted", exitCode],
  );
  assert.equal(only(records, "session_end").length, 1);
  assert.equal(only(records, "error").length, 1, stdout);
  assert.equal(only(records, "run_start").length, only(records, "run_end").length);
  for (const end of only(records, "run_end")) {
    assert.ok("model" in end, "the run came to its own end, and was not given up");
  }
  assert.equal(only(records, "tool_call").length, only(records, "tool_result").length);
  assert.doesNotMatch(stderr, /\bat .*:\d+:\d+|Uncaught/);
}

async function stopped(program: RunningProgram, signal: Deno.Signal): Promise<ProgramResult> {
  const startMs = Date.now();
  program.kill(signal);
  const result = await program.ended;
  assert.ok(Date.now() - startMs < 15_000, `ended after ${Date.now() - startMs} ms`);
  return result;
}

for (const [signal, exitCode] of signals) {
  Deno.test(`${signal} while stdin is waited for ends at once, with closing records`, async () => {
    await withScratch(async ({ workspace, root }) => {
      const play = await cassette(`${root}/c.jsonl`, [say("late")]);
      const program = startWithInput([...play, "--mode", "json", "x"], { cwd: workspace });
      await reading(program);
      assertClosed(await stopped(program, signal), exitCode);
    });
  });

  Deno.test(`${signal} while connecting, streaming or waiting to try again ends at once`, async () => {
    const [start] = eventPieces("chat", [
      { choices: [{ index: 0, delta: { role: "assistant", content: "begun" } }] },
    ]);
    const provider = startFakeProvider();
    try {
      await withScratch(async ({ workspace, home }) => {
        const flags = [...await pointAt(home, provider.url), "--mode", "json", "x"];
        const over = Promise.withResolvers<void>();
        provider.add({ before: over.promise, body: "{}" });
        const connecting = startProgram(flags, { cwd: workspace });
        await provider.waitFor(1);
        assertClosed(await stopped(connecting, signal), exitCode);
        over.resolve();

        provider.add({ pieces: [start!], ending: "hang" });
        const streaming = startProgram(flags, { cwd: workspace });
        await streaming.waitFor((line) => line.includes('"message_delta"'));
        const cut = await stopped(streaming, signal);
        assertClosed(cut, exitCode);

        provider.add(errorAnswer(503, "busy", { "retry-after": "30" }));
        const waiting = startProgram(flags, { cwd: workspace });
        await waiting.waitFor((line) => line.includes("trying again in 30 s"));
        assertClosed(await stopped(waiting, signal), exitCode);
      });
    } finally {
      await provider.close();
    }
  });

  Deno.test(`a second ${signal} leaves no stubborn child behind, and still closes the records`, async () => {
    await withScratch(async ({ workspace, root }) => {
      const stubborn =
        "trap '' TERM INT HUP; echo $$ > pid; echo started; while :; do sleep 1; done";
      const play = await cassette(`${root}/c.jsonl`, [
        call("bash", { command: stubborn }),
        say("late"),
      ]);
      const program = startProgram([...play, "--mode", "json", "x"], { cwd: workspace });
      await program.waitFor((line) => line.includes('"tool_output_delta"'));
      program.kill(signal);
      const result = await stopped(program, signal);
      assertClosed(result, exitCode);
      const pid = Number(await Deno.readTextFile(`${workspace}/pid`));
      await until(() => !isAlive(pid), "the stubborn child is gone", 3000);
    });
  });
}

Deno.test("--timeout counts while stdin is waited for", async () => {
  await withScratch(async ({ workspace, root }) => {
    const play = await cassette(`${root}/c.jsonl`, [say("late")]);
    const args = [...play, "--mode", "json", "--timeout", "0.3", "x"];
    const { code, stdout, stderr } = await startWithInput(args, { cwd: workspace }).ended;
    assert.equal(code, 3);
    assert.match(stderr, /^nimlet: stopped after 0\.3 s \(--timeout\)\n$/);
    const records = checkedRecords(stdout);
    assert.deepEqual(records.map(({ type }) => type), ["session_start", "error", "session_end"]);
    assert.equal(records.at(-1)!.status, "limit");
  });
});

Deno.test("a stop in print mode prints nothing on stdout and one line on stderr", async () => {
  const provider = startFakeProvider([
    {
      pieces: eventPieces("chat", [{ choices: [{ delta: { content: "half" } }] }]).slice(0, 1),
      ending: "hang",
    },
  ]);
  try {
    await withScratch(async ({ workspace, home }) => {
      const flags = await pointAt(home, provider.url);
      const program = startProgram([...flags, "-p", "x"], { cwd: workspace });
      await provider.waitFor(1);
      const { code, stdout, stderr } = await stopped(program, "SIGTERM");
      assert.deepEqual([code, stdout], [143, ""]);
      assert.match(stderr, /^nimlet: [^\n]*SIGTERM[^\n]*\n$/);
    });
  } finally {
    await provider.close();
  }
});

Deno.test("a run stopped in a tool can be gone on with", async () => {
  await withScratch(async ({ workspace, root }) => {
    const play = await cassette(`${root}/c.jsonl`, [
      call("bash", { command: "echo started; sleep 300" }),
      say("late"),
    ]);
    const program = startProgram([...play, "--mode", "json", "x"], { cwd: workspace });
    await program.waitFor((line) => line.includes('"tool_output_delta"'));
    const { stdout } = await stopped(program, "SIGINT");
    const id = String(checkedRecords(stdout)[0]!.session_id);
    const again = await cassette(`${root}/d.jsonl`, [say("on")]);
    const next = startProgram([...again, "--session", id, "-p", "go on"], { cwd: workspace });
    assert.deepEqual(await next.ended, { code: 0, signal: null, stdout: "on\n", stderr: "" });
  });
});

for (const [signal] of signals) {
  const name = signal.slice(3);
  testWhere(posix, `a ${signal} that was ignored at the start stays ignored`, async () => {
    await withScratch(async ({ workspace, root }) => {
      const play = await cassette(`${root}/c.jsonl`, [
        call("bash", { command: "echo started; while [ ! -e go ]; do sleep 0.02; done" }),
        say("end"),
      ]);
      const start = () =>
        startProgram([...play, "--mode", "json", "x"], {
          cwd: workspace,
          shell: `trap '' ${name}; exec "$@"`,
        });
      const program = start();
      await program.waitFor((line) => line.includes('"tool_output_delta"'));
      for (let times = 0; times < 3; times++) program.kill(signal);
      await Deno.writeTextFile(`${workspace}/go`, "");
      const { code, stdout, stderr } = await program.ended;
      assert.equal(code, 0, stderr);
      assert.equal(only(checkedRecords(stdout), "message").at(-1)!.content, "end");

      await Deno.remove(`${workspace}/go`);
      const [other, exitCode] = signals.find(([one]) => one !== signal)!;
      const ended = start();
      await ended.waitFor((line) => line.includes('"tool_output_delta"'));
      assertClosed(await stopped(ended, other), exitCode);
    });
  });
}

testWhere(
  installed("prlimit"),
  "a limit on file sizes fails a write, and does not end the run",
  async () => {
    await withScratch(async ({ workspace, root }) => {
      const play = await cassette(`${root}/c.jsonl`, [
        // set while the program runs: the runtime has files of its own to write before
        call("bash", { command: "prlimit --pid $PPID --fsize=51200; ulimit -f; kill -XFSZ $$" }),
        call("write", { path: "big", content: "x".repeat(300_000) }),
        call("write", { path: "small", content: "fits" }),
        say("done"),
      ]);
      const program = startProgram([...play, "--mode", "json", "x"], { cwd: workspace });
      const { code, stdout, stderr } = await program.ended;
      assert.equal(code, 0, stderr);
      const records = checkedRecords(stdout);
      const [limited, big, small] = only(records, "tool_result").map(({ output }) =>
        String(output)
      );
      assert.match(limited!, /ended_by: signal 25 \(SIGXFSZ\)/, "commands end by it, as usual");
      assert.equal(big, "file too large for the file system or a limit: cannot write big");
      assert.match(small!, /^path: small\n/);
      assert.equal(records.at(-1)!.type, "session_end");
      const warned = only(records, "diagnostic").map(({ message }) => String(message));
      assert.match(warned.join("\n"), /^session \S+ cannot be saved in .*too large/im);
      assert.deepEqual([...Deno.readDirSync(workspace)].map((entry) => entry.name), ["small"]);
    });
  },
);

/** Resolves when the program reads its stdin: more than a pipe holds has gone into it. */
async function reading(program: RunningProgram): Promise<void> {
  await program.write("text ".repeat(100_000));
}
