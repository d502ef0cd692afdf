/** After every way of ending no process of a server is left. */
import assert from "node:assert/strict";
import { type McpGround, withMcp } from "../support/mcp.ts";
import { type RpcClient, startRpc } from "../support/rpc.ts";
import { sandboxNeed } from "../support/sandbox.ts";
import { linux, testWhere } from "../support/test_where.ts";
import { isAlive, marked, until } from "../support/until.ts";

/** Servers that end by themselves, by TERM, and by nothing but KILL; one leaves its session. */
async function hard({ servers, fake }: McpGround): Promise<void> {
  await servers({
    usual: fake("grandchild"),
    stray: fake("stray"),
    deaf: fake("deaf,grandchild"),
  });
}

const processes = 6;

testWhere(linux, "after an answer, nothing is left", () =>
  withMcp(async (ground) => {
    await hard(ground);
    const { code } = await ground.run([["mcp__usual__echo", { text: "x" }]]);
    assert.equal(code, 0);
    assert.equal(ground.pids().length, processes);
    assert.ok(!ground.pids().some(isAlive));
  }));

for (
  const [name, end, status] of [
    ["SIGTERM", (program) => program.kill("SIGTERM"), 143],
    ["SIGINT", (program) => program.kill("SIGINT"), 130],
    ["SIGHUP", (program) => program.kill("SIGHUP"), 129],
    ["a closed stdout", (program) => void program.closeOutput(), undefined],
  ] satisfies [
    string,
    (program: Awaited<ReturnType<McpGround["start"]>>) => void,
    number | undefined,
  ][]
) {
  testWhere(linux, `after ${name} in a call, nothing is left`, () =>
    withMcp(async (ground) => {
      await hard(ground);
      const program = await ground.start([["mcp__deaf__slow"]]);
      await program.waitFor((line) => line.includes('"tool_output_delta"'));
      end(program);
      const { code } = await program.ended;
      if (status !== undefined) assert.equal(code, status);
      assert.equal(ground.pids().length, processes);
      assert.ok(!ground.pids().some(isAlive));
    }));
}

testWhere(
  linux,
  "after the time limit, and while a server starts, nothing is left",
  () =>
    withMcp(async (ground) => {
      await hard(ground);
      const { code } = await ground.run([["mcp__deaf__slow"]], ["--timeout", "2"]);
      assert.equal(code, 3);
      assert.ok(!ground.pids().some(isAlive));
      const before = ground.pids().length;
      await ground.servers({ hangs: ground.fake("hang,grandchild") });
      const program = await ground.start([]);
      await until(() => ground.pids().length === before + 2, "the start of the server");
      program.kill("SIGTERM");
      assert.equal((await program.ended).code, 143);
      assert.ok(!ground.pids().some(isAlive));
    }),
);

for (
  const [name, end] of [
    ["shutdown", (rpc) => rpc.ask("shutdown").then(() => {})],
    ["the end of stdin", (rpc) => rpc.program.closeInput()],
  ] satisfies [string, (rpc: RpcClient) => Promise<void>][]
) {
  testWhere(linux, `RPC: after ${name}, nothing is left`, () =>
    withMcp(async (ground) => {
      await hard(ground);
      const rpc = startRpc(["--provider", "openai-compatible", "--model", "m1"], ground.workspace);
      await rpc.next("session_start");
      await until(() => ground.pids().length === processes, "the start of all servers");
      const start = performance.now();
      await end(rpc);
      assert.equal((await rpc.program.ended).code, 0);
      assert.ok(!ground.pids().some(isAlive));
      // one of them is deaf to all but KILL
      assert.ok(performance.now() - start < 5000);
    }));
}

testWhere(
  linux,
  "a server that is killed fails its call, and what it has started ends with it",
  () =>
    withMcp(async (ground) => {
      await ground.servers({ one: ground.fake("grandchild") });
      const program = await ground.start([["mcp__one__slow"]]);
      await program.waitFor((line) => line.includes('"tool_output_delta"'));
      const [server, grandchild] = ground.pids();
      Deno.kill(server!, "SIGKILL");
      const line = await program.waitFor((line) => line.includes('"tool_result"'));
      assert.match(
        line,
        /one was ended by SIGKILL during the call; whether it took effect is not known\./,
      );
      assert.equal((await program.ended).code, 0);
      assert.ok(!isAlive(grandchild!));
    }),
);

testWhere(
  linux,
  "when nimlet itself is killed, the end of stdin ends a server",
  () =>
    withMcp(async (ground) => {
      await ground.servers({ one: ground.fake() });
      const program = await ground.start([["mcp__one__slow"]]);
      await program.waitFor((line) => line.includes('"tool_output_delta"'));
      program.kill("SIGKILL");
      await program.ended;
      await ground.assertNothingLeft();
    }),
);

testWhere(linux, "lists and single calls leave nothing either", () =>
  withMcp(async (ground) => {
    await ground.servers({ one: ground.fake("grandchild"), two: ground.fake("deaf") });
    await ground.program(["--list-tools"]);
    assert.equal(ground.pids().length, 3);
    assert.ok(!ground.pids().some(isAlive));
    await ground.call("mcp__one__echo", { text: "x" });
    // the other one was not started
    assert.equal(ground.pids().length, 5);
    assert.ok(!ground.pids().some(isAlive));
  }));

testWhere(
  [linux, sandboxNeed],
  "in a sandbox nothing is left either",
  () =>
    withMcp(async ({ servers, fake, start, root }) => {
      const { command } = fake("deaf,grandchild") as { command: string[] };
      const env = { DENO_DIR: "/tmp/deno", NIMLET_TEST_MARK: root };
      await servers({ one: { command, env } });
      const mark = `NIMLET_TEST_MARK=${root}`;
      const program = await start([["mcp__one__slow"]], ["--sandbox", "workspace"]);
      await program.waitFor((line) => line.includes('"tool_output_delta"'));
      assert.ok(marked(mark).length >= 3);
      program.kill("SIGTERM");
      await program.ended;
      assert.deepEqual(marked(mark), []);
    }),
);
