import assert from "node:assert/strict";
import { call, callAll, cassette, say } from "../support/cassette.ts";
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

Deno.test("what summaries and repeated answers cost counts as well, and an unknown cost bounds nothing", () =>
  withScratch(async ({ workspace, root }) => {
    const finish = (reason: string, cost_usd?: number) => ({
      type: "finish",
      reason,
      usage: { input_tokens: 1, ...cost_usd === undefined ? {} : { cost_usd } },
    });
    const read = (cost?: number) => [
      ...call("read", { path: "a.txt" }).slice(0, 1),
      finish("tool_calls", cost),
    ];
    await Deno.writeTextFile(`${workspace}/a.txt`, "word ".repeat(4000));
    const run = async (steps: Parameters<typeof cassette>[1], ...flags: string[]) => {
      const play = await cassette(`${root}/c.jsonl`, steps);
      const { code, stdout } = await runProgram(
        [...play, "--no-session", "--mode", "result", "--max-cost", "0.5", ...flags, "go"],
        { cwd: workspace },
      );
      return { code, ...JSON.parse(stdout) };
    };
    const small = [
      "agent.context_window=8000",
      "agent.reserve_tokens=1000",
      "agent.keep_recent_tokens=100",
    ].flatMap((text) => ["--set", text]);
    const summary = [{ type: "text", delta: "## Goal\nread on" }, finish("stop", 0.5)];
    const compacted = await run([read(0.01), read(0.01), summary, [...say("never")]], ...small);
    assert.deepEqual(
      [compacted.code, compacted.error?.code, compacted.cost_usd, compacted.steps],
      [3, "cost", 0.52, 2],
    );
    const empty = await run([[finish("stop", 0.6)], [...say("never")]]);
    assert.deepEqual([empty.code, empty.error?.code, empty.cost_usd], [3, "cost", 0.6]);
    const silent = await run([read(), [...say("never")]]);
    assert.deepEqual([silent.code, silent.steps], [1, 1]);
    assert.match(silent.error.message, /did not report .*, so --max-cost cannot bound the cost/);
    const atOnce = await run([say("done")]);
    assert.deepEqual([atOnce.code, atOnce.answer], [0, "done"]);
  }));

Deno.test("the same two calls of an answer, again and again, end the run as well", () =>
  withScratch(async ({ workspace, root }) => {
    const both = callAll(["glob", { pattern: "*.none" }], ["grep", { pattern: "none" }]);
    const play = await cassette(`${root}/c.jsonl`, Array.from({ length: 30 }, () => both));
    const { code, stdout } = await runProgram([...play, "--no-session", "--mode", "json", "go"], {
      cwd: workspace,
    });
    assert.equal(code, 3);
    assert.equal(only(checkedRecords(stdout), "tool_result").length, 20);
    assert.equal(only(checkedRecords(stdout), "error")[0]!.code, "repetition");
  }));
