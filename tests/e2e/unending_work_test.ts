/** Work on what others wrote that would never end by itself: time limits and signals still end the program. */
import assert from "node:assert/strict";
import { call, cassette, say } from "../support/cassette.ts";
import { runProgram, startProgram, withScratch } from "../support/program.ts";
import { checkedRecords, only } from "../support/records.ts";

const endless = `${"a".repeat(60)}!`;

/** A tool whose schema takes for ever to check a key of many letters. */
async function addEndlessTool(home: string): Promise<void> {
  const folder = `${home}/.nimlet/tools/t`;
  await Deno.mkdir(folder, { recursive: true });
  const manifest = {
    name: "t",
    description: "Does nothing.",
    command: ["/bin/echo", "1"],
    input_schema: { type: "object", patternProperties: { "^(a+)+$": { type: "number" } } },
  };
  await Deno.writeTextFile(`${folder}/tool.json`, JSON.stringify(manifest));
}

Deno.test("a signal ends a check of arguments that takes for ever, and the records are closed", () =>
  withScratch(async ({ workspace, home, root }) => {
    await addEndlessTool(home);
    const play = await cassette(`${root}/c.jsonl`, [call("t", { [endless]: "x" }), say("done")]);
    const program = startProgram([...play, "--no-session", "--mode", "json", "x"], {
      cwd: workspace,
    });
    await program.waitFor((line) => line.includes('"tool_call"'));
    program.kill("SIGTERM");
    const { code, stdout } = await program.ended;
    assert.equal(code, 143);
    const records = checkedRecords(stdout);
    assert.match(String(only(records, "tool_result")[0]!.output), /interrupted by SIGTERM/);
    assert.equal(only(records, "run_end").length, 1);
  }));

Deno.test("the time limit ends a check of the answer that takes for ever", () =>
  withScratch(async ({ workspace, root }) => {
    const schema = { type: "object", properties: { a: { pattern: "^(?=(a+)+$)a" } } };
    await Deno.writeTextFile(`${workspace}/s.json`, JSON.stringify(schema));
    const play = await cassette(`${root}/c.jsonl`, [say(JSON.stringify({ a: endless }))]);
    const { code, stderr } = await runProgram(
      [...play, "--no-session", "--timeout", "3", "--output-schema", "s.json", "-p", "x"],
      { cwd: workspace },
    );
    assert.equal(code, 3, stderr);
    assert.match(stderr, /--timeout/);
  }));

Deno.test("a call without a model is checked as well, and gives up by itself", () =>
  withScratch(async ({ workspace, home }) => {
    await addEndlessTool(home);
    const { stdout } = await runProgram(
      ["--mode", "json", "--call-tool", "t", JSON.stringify({ [endless]: 1 })],
      { cwd: workspace },
    );
    const { output, is_error } = JSON.parse(stdout);
    assert.equal(is_error, true);
    assert.match(output, /arguments: the check took more than 10 seconds and was ended/);
  }));

Deno.test("ignore files of hundreds of thousands of brackets are read like any others", () =>
  withScratch(async ({ workspace, root }) => {
    const lines = ["[".repeat(200_000), "{".repeat(200_000), `${"[!".repeat(50_000)}]`, "*.log"];
    await Deno.writeTextFile(`${workspace}/.gitignore`, lines.join("\n"));
    await Deno.writeTextFile(`${workspace}/a.log`, "word\n");
    await Deno.writeTextFile(`${workspace}/b.txt`, "word\n");
    const play = await cassette(`${root}/c.jsonl`, [
      call("grep", { pattern: "word" }),
      say("done"),
    ]);
    const { code, stdout } = await runProgram(
      [...play, "--no-session", "--timeout", "60", "--mode", "json", "x"],
      { cwd: workspace },
    );
    assert.equal(code, 0, stdout.slice(-1000));
    const { output } = only(checkedRecords(stdout), "tool_result")[0]!;
    assert.match(String(output), /b\.txt/);
    assert.doesNotMatch(String(output), /a\.log/);
  }));
