/** Result mode: one object on every path, and what -v reports beside it. */
import assert from "node:assert/strict";
import { call, callAll, cassette, say } from "../support/cassette.ts";
import { runProgram, startProgram, withScratch } from "../support/program.ts";
import { checkedRecords, only } from "../support/records.ts";
import { checkedResult } from "../support/result.ts";

Deno.test("result mode says in one object what run_end says, and what edit and write changed", async () => {
  await withScratch(async ({ workspace, root }) => {
    await Deno.writeTextFile(`${workspace}/a.txt`, "one\n");
    const steps = [
      callAll(
        ["edit", { path: "a.txt", old_text: "one", new_text: "two" }],
        ["write", { path: "sub/b:1.txt", content: "b" }],
        ["write", { path: "a.txt", content: "not allowed to replace" }],
      ),
      callAll(
        ["write", { path: "same.txt", content: "s" }],
        ["edit", { path: "a.txt", old_text: "two", new_text: "two" }],
        ["bash", { command: "echo x > by_command.txt" }],
      ),
      call("write", { path: "same.txt", content: "s", overwrite: true }),
      say("all done\n"),
    ];
    const play = await cassette(`${root}/c.jsonl`, steps);
    const options = { cwd: workspace };
    const ran = await runProgram([...play, "--mode", "result", "--name", "n", "go"], options);
    assert.deepEqual([ran.code, ran.stderr], [0, ""]);
    const result = checkedResult(ran.stdout);
    const { session_id, duration_ms, ...rest } = result;
    assert.deepEqual(rest, {
      version: 1,
      type: "result",
      answer: "all done\n",
      status: "done",
      exit_code: 0,
      error: null,
      provider: "replay",
      model: play[3],
      usage: { input_tokens: 40, output_tokens: 20 },
      cost_usd: null,
      steps: 4,
      denials: 0,
      files_changed: ["a.txt", "same.txt", "sub/b:1.txt"],
    });
    assert.match(session_id!, /^\d{8}-\d{9}-\w{8}$/);
    assert.ok(duration_ms >= 0);
    await Deno.remove(`${workspace}/sub`, { recursive: true });
    await Deno.remove(`${workspace}/same.txt`);
    await Deno.writeTextFile(`${workspace}/a.txt`, "one\n");
    const json = await runProgram([...play, "--mode", "json", "go"], options);
    const [end] = only(checkedRecords(json.stdout), "run_end");
    for (const [key, value] of Object.entries(rest)) {
      if (["version", "type"].includes(key) || value === null) continue;
      assert.deepEqual(end![key], value, key);
    }
    const changed = only(checkedRecords(json.stdout), "tool_result")
      .map(({ files_changed }) => files_changed);
    assert.deepEqual(changed, [
      ["a.txt"],
      ["sub/b:1.txt"],
      undefined,
      ["same.txt"],
      [],
      undefined,
      [],
    ]);
  });
});

Deno.test("result mode has its object where a run fails, is stopped, or cannot begin", async () => {
  await withScratch(async ({ workspace, root }) => {
    const play = await cassette(`${root}/c.jsonl`, [
      call("write", { path: "a", content: "x" }),
      call("bash", { command: "touch begun; sleep 300" }),
      say("late"),
    ]);
    const mode = ["--mode", "result"];
    const cases: [args: string[], code: number, error: string, status: string, says: RegExp][] = [
      [[...play, ...mode, "--max-steps", "1", "x"], 3, "limit", "limit", /--session/],
      [[...play, ...mode, "--sesion", "x"], 2, "usage", "failed", /unknown flag/],
      [[...play, "--mode=result", "--plan"], 2, "usage", "failed", /no prompt/],
      [[...play, ...mode, "--session", "nope", "x"], 1, "session", "failed", /no session/],
      [
        ["--provider", "replay", "--model", "none.jsonl", ...mode, "x"],
        2,
        "config",
        "failed",
        /none/,
      ],
    ];
    for (const [args, code, error, status, says] of cases) {
      const ran = await runProgram(args, { cwd: workspace });
      const result = checkedResult(ran.stdout);
      assert.deepEqual(
        [ran.code, result.exit_code, result.status, result.error!.code, result.answer],
        [code, code, status, error, null],
        ran.stderr,
      );
      assert.match(result.error!.message, says);
      assert.equal(ran.stderr, `nimlet: ${result.error!.message}\n`);
    }
    await Deno.remove(`${workspace}/a`);
    const stopped = startProgram([...play, ...mode, "-v", "x"], { cwd: workspace });
    while (!await Deno.stat(`${workspace}/begun`).catch(() => undefined)) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    stopped.kill("SIGTERM");
    const { code, stdout } = await stopped.ended;
    const result = checkedResult(stdout);
    assert.deepEqual(
      [code, result.exit_code, result.status, result.error!.code, result.steps],
      [143, 143, "interrupted", "interrupted", 2],
    );
    assert.deepEqual(result.files_changed, ["a"]);
    assert.notEqual(result.session_id, null);
  });
});

Deno.test("an answer that --output cannot take is in the result, with what went wrong", async () => {
  await withScratch(async ({ workspace, root }) => {
    const play = await cassette(`${root}/c.jsonl`, [
      call("bash", { command: "mkdir o" }),
      say("the answer"),
    ]);
    const ran = await runProgram([...play, "--mode", "result", "--output", "o", "x"], {
      cwd: workspace,
    });
    const { answer, status, exit_code, error, steps } = checkedResult(ran.stdout);
    assert.deepEqual([ran.code, exit_code, status, error!.code], [1, 1, "failed", "output"]);
    assert.deepEqual([answer, steps], ["the answer", 2]);
  });
});

Deno.test("-v reports session, steps, calls and results on stderr; stdout stays the answer", async () => {
  await withScratch(async ({ workspace, root }) => {
    const play = await cassette(`${root}/c.jsonl`, [
      callAll(["read", { path: "none" }], ["bash", { command: "echo 'a\u202e'; exit 3" }]),
      say("done"),
    ]);
    const { code, stdout, stderr } = await runProgram([...play, "-pv", "--name", "n", "x"], {
      cwd: workspace,
    });
    assert.deepEqual([code, stdout], [0, "done\n"]);
    const lines = stderr.split("\n").map((line) => line.replace(/[\d.]+ (ms|s|k?B)/g, "_"));
    assert.match(lines[0]!, /^nimlet: session \d{8}-\d{9}-\w{8}$/);
    assert.deepEqual(lines.slice(1), [
      `nimlet: step 1, ${play[3]}`,
      "nimlet: ● read none",
      "nimlet: ● read none ✗ not found: none (_, _)",
      "nimlet: ● bash echo 'a\\u202e'; exit 3",
      "nimlet: ● bash echo 'a\\u202e'; exit 3 ✗ exit_code: 3 (_, _)",
      `nimlet: step 2, ${play[3]}`,
      "",
    ]);
    const resumed = await runProgram([...play, "-p", "-v", "-c", "x"], { cwd: workspace });
    assert.match(resumed.stderr, /^nimlet: session \S+, resumed\n/);
    const json = await runProgram([...play, "--mode", "json", "-v", "x"], { cwd: workspace });
    assert.match(json.stderr, /^nimlet: session .*\nnimlet: step 1, /);
    checkedRecords(json.stdout);
  });
});
