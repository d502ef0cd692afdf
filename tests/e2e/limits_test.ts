import assert from "node:assert/strict";
import { call, cassette, say } from "../support/cassette.ts";
import { runProgram, withScratch } from "../support/program.ts";
import { checkedRecords, only } from "../support/records.ts";

Deno.test("a call that is made again and again ends the run, and the session goes on", () =>
  withScratch(async ({ workspace, root, home }) => {
    const steps = Array.from({ length: 30 }, () => call("glob", { pattern: "*.none" }));
    const play = await cassette(`${root}/c.jsonl`, steps);
    const { code, stdout } = await runProgram([...play, "--mode", "json", "go"], {
      cwd: workspace,
    });
    assert.equal(code, 3);
    const records = checkedRecords(stdout);
    const results = only(records, "tool_result");
    assert.equal(results.length, 10);
    assert.doesNotMatch(String(results[2]!.output), /in a row/);
    assert.match(String(results[3]!.output), /gave this result 4 times in a row/);
    const [error] = only(records, "error");
    assert.equal(error!.code, "repetition");
    const id = /go on with: nimlet --session (\S+)$/.exec(String(error!.message))![1]!;
    const more = await cassette(`${root}/more.jsonl`, [say("Enough.")]);
    const next = await runProgram([...more, "-p", "--session", id, "go on"], { cwd: workspace });
    assert.deepEqual([next.code, next.stdout], [0, "Enough.\n"], next.stderr);
    await Deno.writeTextFile(`${home}/.nimlet/config.json`, '{"agent":{"max_repeats":0}}');
    const free = await runProgram([...play, "--mode", "json", "--no-session", "go"], {
      cwd: workspace,
    });
    assert.equal(only(checkedRecords(free.stdout), "tool_result").length, 30);
  }));

Deno.test("no request begins beyond the cost, and without a price it is refused", () =>
  withScratch(async ({ workspace, root }) => {
    const priced = (pattern: string) => [
      ...call("glob", { pattern }).slice(0, 1),
      { type: "finish", reason: "tool_calls", usage: { input_tokens: 1, cost_usd: 0.02 } },
    ];
    const play = await cassette(`${root}/c.jsonl`, ["a", "b", "c", "d"].map(priced));
    const flags = [...play, "--no-session", "--mode", "json", "--max-cost", "0.03", "go"];
    const { code, stdout } = await runProgram(flags, { cwd: workspace });
    assert.equal(code, 3);
    const records = checkedRecords(stdout);
    assert.equal(only(records, "step_start").length, 2);
    const [error] = only(records, "error");
    assert.equal(error!.code, "cost");
    assert.match(String(error!.message), /^stopped as 0\.0400 dollars were spent of 0\.03/);
    const local = ["--provider", "local", "--model", "unheard-of", "-p", "--max-cost", "1", "go"];
    const refused = await runProgram(local, { cwd: workspace });
    assert.equal(refused.code, 2);
    assert.match(refused.stderr, /--max-cost: the price of unheard-of at local is not known/);
    const wrong = await runProgram(["--max-cost", "0", "go"], { cwd: workspace });
    assert.match(wrong.stderr, /--max-cost: expected a number of dollars above 0/);
  }));
