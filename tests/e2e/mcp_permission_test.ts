/** Plan mode, permissions, RPC and reloads with MCP servers. */
import assert from "node:assert/strict";
import { callAnswer, startFakeProvider, textAnswer } from "../support/fake_provider.ts";
import { withMcp } from "../support/mcp.ts";
import { only } from "../support/records.ts";
import { sandboxNeed } from "../support/sandbox.ts";
import { testWhere } from "../support/test_where.ts";
import { startRpc } from "../support/rpc.ts";
import { until } from "../support/until.ts";

Deno.test("in plan mode only what you say only reads is offered, whatever a server says of its tools", () =>
  withMcp(async ({ servers, fake, run, notes }) => {
    await servers({ one: fake("few") });
    const without = await run([["mcp__one__read"]], ["--plan"]);
    assert.deepEqual(without.offered[0], []);
    assert.match(without.outputs[0]!, /^unknown_tool: /);
    assert.deepEqual(notes(), []);
    await servers({ one: fake("few", { plan_tools: ["r*d"] }) });
    const { offered, outputs } = await run(
      [["mcp__one__read"], ["mcp__one__echo", { text: "x" }]],
      ["--plan"],
    );
    assert.deepEqual(offered[0], ["mcp__one__read"]);
    assert.equal(outputs[0], "read was called");
    assert.match(outputs[1]!, /^Tool unavailable in plan mode\./);
  }));

Deno.test("where nobody can be asked a call is denied, but for what a grant covers", () =>
  withMcp(async ({ servers, fake, run, notes, workspace }) => {
    await servers({ one: fake("few"), two: fake("few") });
    const calls = [["mcp__one__read"], ["mcp__two__read"]] as const;
    const denied = await run([...calls], ["--ask", "deny"]);
    for (const output of denied.outputs) {
      assert.match(
        output,
        /^approval_denied: no remembered permission covers tool:mcp__\w+__read@[0-9a-f]{12}, /,
      );
    }
    assert.ok(!notes().some((note) => note.startsWith("call")));
    const server = await run([...calls], ["--ask", "deny", "--allow", "tool:mcp__one__*"]);
    assert.equal(server.outputs[0], "read was called");
    assert.match(server.outputs[1]!, /^approval_denied/);
    const tool = await run([...calls], ["--ask", "deny", "--allow", "tool:mcp__two__read"]);
    assert.equal(tool.outputs[1], "read was called");
    const [, digest] = /covers (tool:mcp__one__read@\w+)/.exec(denied.outputs[0]!)!;
    await Deno.mkdir(`${workspace}/.nimlet`);
    await Deno.writeTextFile(
      `${workspace}/.nimlet/permissions.json`,
      JSON.stringify({ allow: [digest] }),
    );
    const kept = await run([...calls], ["--ask", "deny", "--approve"]);
    assert.equal(kept.outputs[0], "read was called");
  }));

Deno.test("a grant holds for a tool as it was shown: another description is another tool", () =>
  withMcp(async ({ servers, fake, run }) => {
    const echo = [["mcp__one__echo", { text: "x" }]] as [string, { text: string }][];
    await servers({ one: fake("few") });
    const [denied] = (await run(echo, ["--ask", "deny"])).outputs;
    const [, key] = /covers (tool:mcp__one__echo@\w+)/.exec(denied!)!;
    const granted = ["--ask", "deny", "--allow", key!];
    assert.deepEqual((await run(echo, granted)).outputs, ["x"]);
    await servers({ one: fake("few,other_words") });
    assert.match((await run(echo, granted)).outputs[0]!, /^approval_denied: /);
    const anyForm = ["--ask", "deny", "--allow", "tool:mcp__one__echo"];
    assert.deepEqual((await run(echo, anyForm)).outputs, ["x"]);
  }));

Deno.test("RPC: the state tells of servers, and a reload ends those that are named no more", () =>
  withMcp(async ({ servers, fake, workspace, notes, home }) => {
    await servers({ one: fake("few"), dies: fake("early_exit") });
    const provider = startFakeProvider([
      callAnswer("chat", [{ name: "mcp__one__echo", input: { text: "hé\u202e" } }]),
      textAnswer("chat", "done"),
      callAnswer("chat", [{ name: "mcp__one__echo", input: { text: "still" } }]),
      textAnswer("chat", "done"),
      textAnswer("chat", "again"),
    ]);
    try {
      const path = `${home}/.nimlet/config.json`;
      const config = JSON.parse(await Deno.readTextFile(path));
      config.providers["openai-compatible"].endpoint = provider.url;
      await Deno.writeTextFile(path, JSON.stringify(config));
      const rpc = startRpc(["--provider", "openai-compatible", "--model", "m"], workspace);
      await rpc.next("session_start");
      await rpc.ask("prompt", { message: "go" });
      const result = await rpc.next("tool_result");
      assert.equal(result.output, "hé\u202e");
      await rpc.next("run_end");
      const state = (await rpc.ask("get_state")).state as { mcp: { [key: string]: unknown }[] };
      const [dies, one] = state.mcp;
      assert.deepEqual(one, { name: "one", state: "running", tools: 2 });
      assert.deepEqual([dies!.name, dies!.state, dies!.tools], ["dies", "failed", 0]);
      assert.match(String(dies!.error), /^mcp server dies: it exited with status 7/);
      // another session and another mode leave it as it is
      await rpc.ask("new_session");
      await rpc.ask("prompt", { message: "go on" });
      assert.equal((await rpc.next("tool_result")).output, "still");
      await rpc.next("run_end");
      assert.equal(notes().filter((note) => note.startsWith("started")).length, 2);
      const listed = await rpc.ask("list_tools");
      assert.match(JSON.stringify(listed), /mcp__one__echo/);
      config.mcp.servers = { other: fake("few", { tools: ["read"] }) };
      await Deno.writeTextFile(path, JSON.stringify(config));
      await rpc.ask("reload");
      await until(
        () => notes().includes("stdin ended"),
        "the end of the server that is named no more",
      );
      await rpc.ask("prompt", { message: "again" });
      await rpc.next("run_end");
      const names = JSON.stringify(provider.requests.at(-1)!.body);
      assert.match(names, /mcp__other__read/);
      assert.doesNotMatch(names, /"mcp__one__read"/);
      await rpc.ask("shutdown");
      assert.equal((await rpc.program.ended).code, 0);
      assert.ok(only(rpc.seen, "diagnostic").length <= 1);
    } finally {
      await provider.close();
    }
  }));

testWhere(
  sandboxNeed,
  "in a sandboxed run servers run in the sandbox, with the variables that you name",
  () =>
    withMcp(async ({ servers, fake, run }) => {
      const env = { FAKE_LOG: "", DENO_DIR: "/tmp/deno", MY_TOKEN: "{env:MY_TOKEN}" };
      const outer = { MY_TOKEN: "t1", OTHER_TOKEN: "t2" };
      const inside = fake("") as { command: string[] };
      await servers({ one: { command: inside.command, env, inherit_env: true } });
      const { outputs, diagnostics } = await run(
        [["mcp__one__env"], ["mcp__one__echo", { text: "x" }]],
        ["--sandbox", "workspace"],
        outer,
      );
      assert.deepEqual(diagnostics, []);
      const seen = JSON.parse(outputs[0]!);
      assert.deepEqual([seen.NIMLET_SANDBOX, seen.MY_TOKEN, seen.OTHER_TOKEN], [
        "workspace",
        "t1",
        undefined,
      ]);
      assert.equal(outputs[1], "x");
      const outside = await run([["mcp__one__env"]], [], outer);
      assert.equal(JSON.parse(outside.outputs[0]!).OTHER_TOKEN, "t2");
    }),
);
