/** Pipes and devices where a file is meant: they are waited for, or refused, and nothing stands still. */
import assert from "node:assert/strict";
import { cassette, say } from "../support/cassette.ts";
import { startProgram, withScratch } from "../support/program.ts";
import { posix, testWhere } from "../support/test_where.ts";

/** Ends of itself, though nobody reads: the limit is far below that of the test. */
const limitMs = 20_000;

for (const flag of ["--output", "--record"]) {
  testWhere(
    posix,
    `${flag} to a pipe that nobody reads ends with --timeout and by signals`,
    async () => {
      await withScratch(async ({ workspace, root }) => {
        const play = await cassette(`${root}/c.jsonl`, [say("answer")]);
        await runCommand("mkfifo", [`${workspace}/p`]);
        const args = [...play, "--no-session", "-p", flag, "p", "x"];
        const timed = await startProgram([...args, "--timeout", "1"], { cwd: workspace, limitMs })
          .ended;
        assert.equal(timed.code, 3, timed.stderr);
        assert.match(timed.stderr, /stopped after 1 s \(--timeout\)/);
        for (const [signal, status] of [["SIGTERM", 143], ["SIGINT", 130]] as const) {
          const program = startProgram([...args, "--mode", "json"], { cwd: workspace, limitMs });
          await program.waitFor((line) => line.includes('"step_start"'));
          await new Promise((resolve) => setTimeout(resolve, 200));
          program.kill(signal);
          const { code, stdout } = await program.ended;
          assert.equal(code, status);
          assert.match(stdout.trimEnd().split("\n").at(-1)!, /"session_end"/);
        }
      });
    },
  );

  testWhere(posix, `${flag} to a pipe that is read late and slowly loses nothing`, async () => {
    await withScratch(async ({ workspace, root }) => {
      const text = "0123456789".repeat(50_000);
      const play = await cassette(`${root}/c.jsonl`, [say(text)]);
      await runCommand("mkfifo", [`${workspace}/p`]);
      const program = startProgram([...play, "--no-session", "-p", flag, "p", "x"], {
        cwd: workspace,
      });
      await new Promise((resolve) => setTimeout(resolve, 300));
      const reader = await runCommand("sh", ["-c", "(sleep 0.3; cat) < p"], workspace);
      const { code, stderr, stdout } = await program.ended;
      assert.equal(code, 0, stderr);
      const read = flag === "--output" ? reader.trimEnd() : JSON.parse(reader)[0].delta;
      // not compared by a check that would print them
      assert.ok(stdout === `${text}\n` && read === text, `${stdout.length}, ${read.length}`);
    });
  });
}

testWhere(posix, "a device takes the answer as it is", async () => {
  await withScratch(async ({ workspace, root }) => {
    const play = await cassette(`${root}/c.jsonl`, [say("answer")]);
    const args = [...play, "--no-session", "-p", "--output", "/dev/null", "x"];
    const { code, stdout } = await startProgram(args, { cwd: workspace }).ended;
    assert.deepEqual([code, stdout], [0, "answer\n"]);
  });
});

testWhere(
  posix,
  "a certificate file that is a pipe or device is refused, not waited for",
  async () => {
    await withScratch(async ({ workspace }) => {
      await runCommand("mkfifo", [`${workspace}/p`]);
      for (const [file, what] of [[`${workspace}/p`, "a pipe"], ["/dev/zero", "a device"]]) {
        const program = startProgram(
          ["--provider", "openai", "--api-key", "k", "--no-session", "-p", "x"],
          { cwd: workspace, limitMs, env: { NIMLET_CA_CERT: file! } },
        );
        const { code, stderr } = await program.ended;
        assert.notEqual(code, 0);
        assert.match(
          stderr,
          new RegExp(`NIMLET_CA_CERT: cannot use ${file}: it is ${what}, not a file`),
        );
      }
    });
  },
);

testWhere(posix, "a session that is a pipe is refused, not waited for", async () => {
  await withScratch(async ({ workspace, root, home }) => {
    const play = await cassette(`${root}/c.jsonl`, [say("answer")]);
    await Deno.mkdir(`${home}/.nimlet/sessions`, { recursive: true });
    await runCommand("mkfifo", [`${home}/.nimlet/sessions/20260131-235959999-k3f9x2ab.jsonl`]);
    const args = [...play, "--session", "20260131", "-p", "x"];
    const { code, stderr } = await startProgram(args, { cwd: workspace, limitMs }).ended;
    assert.equal(code, 1);
    assert.match(stderr, /cannot be read: it is a pipe, not a file/);
  });
});

/** What a command prints; it must end well. */
async function runCommand(file: string, args: string[], cwd?: string): Promise<string> {
  const { success, stdout } = await new Deno.Command(file, {
    args,
    ...(cwd === undefined ? {} : { cwd }),
    stderr: "inherit",
  }).output();
  assert.ok(success);
  return new TextDecoder().decode(stdout);
}
