import assert from "node:assert/strict";
import { call, cassette, say } from "../support/cassette.ts";
import { errorAnswer, startFakeProvider } from "../support/fake_provider.ts";
import { runProgram, startProgram, withScratch } from "../support/program.ts";
import { checkedRecords, only } from "../support/records.ts";
import { until } from "../support/until.ts";

Deno.test("help and version go to stdout and end with 0", async () => {
  await withScratch(async ({ workspace }) => {
    const help = await runProgram(["--help"], { cwd: workspace });
    assert.equal(help.code, 0);
    assert.match(help.stdout, /--provider/);
    assert.ok(help.stdout.split("\n").every((line) => line.length <= 80));
    const version = await runProgram(["--version"], { cwd: workspace });
    assert.match(version.stdout, /^nimlet \d+\.\d+\.\d+\n$/);
    assert.equal(version.stderr + help.stderr, "");
  });
});

Deno.test("wrong usage and unusable settings end with 2 and one line on stderr", async () => {
  await withScratch(async ({ workspace, home, root }) => {
    await Deno.mkdir(`${home}/.nimlet`);
    const config = `${home}/.nimlet/config.json`;
    const play = ["--provider", "replay", "--model"];
    await Deno.writeTextFile(`${root}/bad.jsonl`, '[{"type":"text","delta":"x"}]\n{oops\n');
    const cases: [args: string[], stderr: RegExp, configText?: string][] = [
      [["--nope", "x"], /--nope.*--help/],
      [["--max-steps", "0", "x"], /--max-steps/],
      [["--timeout", "soon", "x"], /--timeout/],
      [["--provider"], /--provider/],
      [["--no-session", "--resume", "x"], /--no-session|--resume/],
      [["--tools", "raed", "-p", "x", ...play, "c"], /raed.*(did you mean read).*grep/],
      [["--provider", "opnai", "-p", "x"], /opnai.*openai/],
      [["-p"], /no prompt/],
      [["--cwd", "/nonexistent/x", "-p", "x"], /--cwd.*\/nonexistent\/x/],
      [["-p", "x"], /OPENROUTER_API_KEY/],
      [["--provider", "openai-compatible", "--model", "m", "-p", "x"], /endpoint/],
      [[...play, `${root}/none.jsonl`, "-p", "x"], /none\.jsonl/],
      [[...play, `${root}/bad.jsonl`, "-p", "x"], /bad\.jsonl.*2/],
      [
        ["-p", "x"],
        /config\.json.*agent\.max_tokens.*expected.*found/s,
        '{"agent":{"max_tokens":[]}}',
      ],
      [["-p", "x"], /config\.json/, '{"agent": }'],
      [
        ["-p", "x", "--provider", "openai-compatible", "--model", "m"],
        /endpoint.*expected/,
        '{"providers":{"openai-compatible":{"endpoint":"not a url"}}}',
      ],
    ];
    for (const [args, expected, configText] of cases) {
      if (configText === undefined) await Deno.remove(config).catch(() => {});
      else await Deno.writeTextFile(config, configText);
      const result = await runProgram(args, { cwd: workspace });
      const told = `${args.join(" ")} ${configText ?? ""}\n${JSON.stringify(result)}`;
      assert.equal(result.code, 2, told);
      assert.equal(result.stdout, "", told);
      assert.match(result.stderr, expected, told);
      assert.equal(result.stderr.trimEnd().split("\n").length, 1, told);
      assert.doesNotMatch(result.stderr, /\bat \S+:\d+:\d+|node:|file:\/\//, told);
    }
  });
});

Deno.test("in JSON mode a start that fails still gives closing records", async () => {
  await withScratch(async ({ workspace }) => {
    const result = await runProgram(["--mode", "json", "hi"], { cwd: workspace });
    assert.equal(result.code, 2);
    const records = checkedRecords(result.stdout);
    assert.deepEqual(records.map((record) => record.type), [
      "session_start",
      "error",
      "session_end",
    ]);
    assert.equal(records.at(-1)!.exit_code, 2);
    assert.equal(records.at(-1)!.success, false);
  });
});

Deno.test("a turn that fails ends with 1, and prints nothing on stdout", async () => {
  const provider = startFakeProvider([
    errorAnswer(401, "bad key sk-secret-1234567890"),
    errorAnswer(400, "no such field"),
    { status: 404, body: "<html><body><h1>Not here</h1></body></html>" },
  ]);
  try {
    await withScratch(async ({ workspace, home }) => {
      await Deno.mkdir(`${home}/.nimlet`);
      await Deno.writeTextFile(
        `${home}/.nimlet/config.json`,
        JSON.stringify({ providers: { "openai-compatible": { endpoint: provider.url } } }),
      );
      const flags = ["--provider", "openai-compatible", "--model", "m1"];
      for (const status of ["401", "400", "404"]) {
        const result = await runProgram([...flags, "-p", "hi"], { cwd: workspace });
        assert.equal(result.code, 1, status);
        assert.equal(result.stdout, "", status);
        assert.match(result.stderr, /openai-compatible/, status);
        assert.match(result.stderr, /m1/, status);
        assert.match(result.stderr, /127\.0\.0\.1/, status);
      }
      const json = await runProgram([...flags, "--mode", "json", "hi"], { cwd: workspace });
      const records = checkedRecords(json.stdout);
      const errors = only(records, "error");
      assert.equal(errors.length, 1);
      assert.deepEqual(records.at(-1)!.status, "failed");
      // the records may be kept for a program: whoever looks at stderr is told, too
      assert.equal(json.stderr, `nimlet: ${errors[0]!.message}\n`);
    });
  } finally {
    await provider.close();
  }
});

Deno.test("limits end with 3, and say which", async () => {
  await withScratch(async ({ workspace, root }) => {
    const play = await cassette(`${root}/c.jsonl`, [
      call("bash", { command: "true" }),
      call("bash", { command: "sleep 30" }),
      say("late"),
    ]);
    const steps = await runProgram([...play, "--max-steps", "1", "-p", "x"], { cwd: workspace });
    assert.equal(steps.code, 3);
    assert.match(steps.stderr, /--max-steps/);
    const time = await runProgram([...play, "--timeout", "1", "--mode", "json", "x"], {
      cwd: workspace,
    });
    assert.equal(time.code, 3);
    assert.match(
      time.stderr,
      /^nimlet: stopped after 1 s \(--timeout\); go on with: nimlet --session \S+\n$/,
    );
    const records = checkedRecords(time.stdout);
    assert.equal(records.at(-1)!.status, "limit");
    assert.equal(
      only(records, "tool_call").length,
      only(records, "tool_result").length,
      "each call has its result",
    );
  });
});

for (const [signal, code] of [["SIGINT", 130], ["SIGTERM", 143], ["SIGHUP", 129]] as const) {
  Deno.test(`${signal} in a tool ends with ${code}, closing records and no child left`, async () => {
    await withScratch(async ({ workspace, root }) => {
      const play = await cassette(`${root}/c.jsonl`, [
        call("bash", { command: "echo $$ > pid; echo started; sleep 300" }),
        say("late"),
      ]);
      const program = startProgram([...play, "--mode", "json", "x"], { cwd: workspace });
      await program.waitFor((line) => line.includes('"tool_output_delta"'));
      program.kill(signal);
      const result = await program.ended;
      assert.equal(result.code, code);
      assert.equal(result.stderr, `nimlet: interrupted by ${signal}\n`);
      const records = checkedRecords(result.stdout);
      assert.equal(records.at(-1)!.type, "session_end");
      assert.equal(records.at(-1)!.status, "interrupted");
      assert.equal(records.at(-1)!.exit_code, code);
      assert.equal(only(records, "tool_result").length, 1);
      const pid = Number(await Deno.readTextFile(`${workspace}/pid`));
      assert.throws(() => Deno.kill(pid, "SIGCONT"), "the shell is gone");
    });
  });
}

Deno.test("a single tool call that is stopped ends with the status of what stopped it", async () => {
  await withScratch(async ({ workspace }) => {
    const flags = ["--call-tool", "bash", '{"command":"sleep 300"}'];
    const late = await runProgram(["--timeout", "1", ...flags], { cwd: workspace });
    assert.deepEqual([late.code, /^INTERRUPTED .*--timeout/.test(late.stdout)], [3, true]);
    const program = startProgram([
      "--mode",
      "json",
      ...flags.slice(0, 2),
      '{"command":"touch begun; sleep 300"}',
    ], {
      cwd: workspace,
    });
    await until(() => exists(`${workspace}/begun`), "the command has begun", 20_000);
    program.kill("SIGTERM");
    const { code, stdout } = await program.ended;
    assert.deepEqual([code, JSON.parse(stdout).is_error], [143, true]);
  });
});

Deno.test("a reader of stdout that goes away ends the run quietly", async () => {
  await withScratch(async ({ workspace, root }) => {
    const play = await cassette(`${root}/c.jsonl`, [
      call("bash", { command: "echo $$ > pid; while :; do echo line; sleep 0.01; done" }),
      say("late"),
    ]);
    const program = startProgram([...play, "--mode", "json", "x"], { cwd: workspace });
    await program.waitFor((line) => line.includes('"tool_output_delta"'));
    await program.closeOutput();
    const result = await program.ended;
    assert.equal(result.stderr, "");
    assert.notEqual(result.code, null);
    const pid = Number(await Deno.readTextFile(`${workspace}/pid`));
    assert.throws(() => Deno.kill(pid, "SIGCONT"), "the shell is gone");
  });
});

function exists(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}
