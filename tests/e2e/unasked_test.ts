import assert from "node:assert/strict";
import { call, cassette, say } from "../support/cassette.ts";
import { runProgram, withScratch } from "../support/program.ts";
import { checkedRecords, only } from "../support/records.ts";
import { startRpc } from "../support/rpc.ts";
import { sandboxNeed } from "../support/sandbox.ts";
import { testWhere } from "../support/test_where.ts";

const removals = [
  call("bash", { command: "grep -c rm /dev/null; echo 'rm is only a word here'" }),
  call("bash", { command: "r''m -f one\n" }),
  call("bash", { command: "rm -f two" }),
  say("done"),
];
const notice =
  /^nimlet: bash runs rm without approval, as nobody can be asked in this mode: r''m -f one \(.*--ask deny.*\)$/;

Deno.test("a headless run says once on stderr that a listed command ran unasked", async () => {
  await withScratch(async ({ workspace, root }) => {
    const play = await cassette(`${root}/c.jsonl`, removals);
    for (const mode of [["-p"], ["--mode", "json"], ["--mode", "result"], ["-p", "--yolo"]]) {
      await Deno.writeTextFile(`${workspace}/one`, "");
      const { code, stderr } = await runProgram([...play, ...mode, "x"], { cwd: workspace });
      assert.equal(code, 0, stderr);
      const lines = stderr.trimEnd().split("\n");
      assert.equal(lines.length, 1, stderr);
      assert.match(lines[0]!, notice);
      assert.throws(() => Deno.statSync(`${workspace}/one`), "the command ran all the same");
    }
  });
});

Deno.test("nothing is said of commands that are not listed, or were denied", async () => {
  await withScratch(async ({ workspace, root }) => {
    const harmless = await cassette(`${root}/c.jsonl`, [
      call("bash", { command: "echo 'rm -rf /'; chmods() { :; }; git status --short || true" }),
      say("done"),
    ]);
    const quiet = await runProgram([...harmless, "-p", "x"], { cwd: workspace });
    assert.deepEqual([quiet.code, quiet.stderr], [0, ""]);
    const play = await cassette(`${root}/d.jsonl`, removals);
    const denied = await runProgram([...play, "-p", "--ask", "deny", "x"], { cwd: workspace });
    assert.doesNotMatch(denied.stderr, /without approval/);
  });
});

Deno.test("RPC says it once a process, and not where the client approved", async () => {
  await withScratch(async ({ workspace, root }) => {
    const remove = call("bash", { command: "rm -f two" });
    const play = await cassette(`${root}/c.jsonl`, [
      remove,
      say("a"),
      remove,
      say("b"),
    ]);
    const rpc = startRpc(play, workspace);
    for (const message of ["one", "two"]) {
      await rpc.ask("prompt", { message });
      await rpc.next("run_end");
    }
    await rpc.ask("shutdown");
    const { stdout } = await rpc.program.ended;
    assert.equal(only(checkedRecords(stdout), "diagnostic").length, 1);

    const asking = startRpc(await cassette(`${root}/d.jsonl`, [remove, say("a")]), workspace);
    await asking.ask("prompt", { message: "x", permissions: "ask" });
    const { request_id } = await asking.next("approval_required");
    await asking.ask("approve", { request_id, answer: "once" });
    await asking.next("run_end");
    await asking.ask("shutdown");
    await asking.program.ended;
    assert.deepEqual(only(asking.seen, "diagnostic"), []);
  });
});

testWhere(sandboxNeed, "nothing is said of commands in a sandbox", async () => {
  await withScratch(async ({ workspace, root }) => {
    const play = await cassette(`${root}/c.jsonl`, [
      call("bash", { command: "rm -f one" }),
      say("done"),
    ]);
    await Deno.writeTextFile(`${workspace}/one`, "");
    const { code, stderr } = await runProgram([...play, "--sandbox", "workspace", "-p", "x"], {
      cwd: workspace,
    });
    assert.equal(code, 0, stderr);
    assert.doesNotMatch(stderr, /without approval/);
    assert.throws(() => Deno.statSync(`${workspace}/one`));
  });
});
