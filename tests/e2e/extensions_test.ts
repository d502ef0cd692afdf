/** Extensions through the program: what they offer, what they are told, and how they end. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { call, callAll, say } from "../support/cassette.ts";
import { assertFits, withExtensions } from "../support/extensions.ts";
import { startProgram } from "../support/program.ts";
import { only } from "../support/records.ts";
import { startRpc } from "../support/rpc.ts";
import { isAlive, until } from "../support/until.ts";

const shout = {
  name: "shout",
  description: "Shouts.",
  input_schema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
};
const shouts = `if (m.type === "tool") {
  say({ type: "tool_update", id: m.id, content: "working\\n" });
  answer(m, { content: [{ type: "text", text: m.arguments.text.toUpperCase() }] });
}`;

Deno.test("a tool of an extension is offered, called, and shows how far it is", () =>
  withExtensions(
    { register: { version: 1, tools: [shout] }, on: shouts },
    [call("shout", { text: "abc" }), say("ok")],
    async ({ run, heard }) => {
      const { code, records, outputs } = await run("-p", "go", "--mode", "json");
      assert.equal(code, 0);
      assert.deepEqual(outputs, ["ABC"]);
      assert.equal(only(records, "tool_output_delta")[0]?.delta, "working\n");
      const [first, called, last, end] = await heard();
      assert.equal(first?.type, "initialize");
      assert.equal(first?.front, "json");
      assert.equal(called?.context.tool_id, only(records, "tool_call")[0]?.tool_id);
      assert.equal(called?.context.run_id, records.find(({ run_id }) => run_id)?.run_id);
      assert.deepEqual(last, { type: "shutdown", reason: "end" });
      assert.equal(end, "end of stdin");
    },
  ));

Deno.test("arguments that do not fit the schema never reach the extension", () =>
  withExtensions(
    { register: { tools: [shout] }, on: shouts },
    [call("shout", { txt: 1 }), say("ok")],
    async ({ run, heard }) => {
      const { outputs } = await run("-p", "go", "--mode", "json");
      assert.match(outputs[0]!, /^invalid_arguments: .*text/);
      assert.ok(!(await heard()).some(({ type }) => type === "tool"));
    },
  ));

Deno.test("a tool that is no reading one needs approval, and is not there in plan mode", () =>
  withExtensions(
    {
      register: { tools: [shout, { ...shout, name: "look", capabilities: ["read"] }] },
      on: shouts,
    },
    [callAll(["shout", { text: "a" }], ["look", { text: "b" }]), say("ok")],
    async ({ run }) => {
      const denied = await run("-p", "go", "--mode", "json", "--ask", "deny");
      assert.match(
        denied.outputs[0]!,
        /^approval_denied: no remembered permission covers tool:shout@[0-9a-f]{12}/,
      );
      const allowed = await run(
        "-p",
        "go",
        "--mode",
        "json",
        "--ask",
        "deny",
        "--allow",
        "tool:shout",
        "--allow",
        "tool:look",
      );
      assert.deepEqual(allowed.outputs, ["A", "B"]);
      const planned = await run("-p", "go", "--mode", "json", "--plan");
      assert.match(planned.outputs[0]!, /plan mode/);
      assert.equal(planned.outputs[1], "B");
    },
  ));

Deno.test("lists, single calls and --tools know the tools of extensions", () =>
  withExtensions(
    { register: { tools: [shout] }, on: shouts },
    [say("ok")],
    async ({ run, workspace, folder }) => {
      const list = await run("--list-tools");
      assert.match(list.stdout, /shout +\(write, shell, network\) +extension x/);
      const json = JSON.parse((await run("--list-tools", "--mode", "json")).stdout);
      const tool = json.tools.find(({ name }: { name: string }) => name === "shout");
      assert.deepEqual(tool.origin, {
        kind: "extension",
        scope: "global",
        name: "x",
        folder: folder(),
      });
      assert.equal((await run("--call-tool", "shout", '{"text":"abc"}')).stdout, "ABC\n");
      const unknown = await run("-p", "go", "--tools", "read,shuot");
      assert.equal(unknown.code, 2);
      assert.match(unknown.stderr, /did you mean shout\?/);
      assert.equal((await run("-p", "go", "--tools", "shout")).stdout, "ok\n");
      assert.ok(workspace);
    },
  ));

Deno.test("names of built-in tools and of servers are refused, others replace with a notice", () =>
  withExtensions(
    [
      {
        name: "a",
        register: { tools: [{ ...shout, name: "Bash" }, { ...shout, name: "mcp__a__b" }, shout] },
        on: shouts,
      },
      {
        name: "b",
        register: { tools: [{ ...shout, name: "SHOUT", description: "b" }] },
        on: shouts,
      },
    ],
    [say("ok")],
    async ({ run }) => {
      const { stdout, stderr } = await run("--list-tools");
      assert.match(
        stderr,
        /the tool Bash of the extension a is skipped: it is the name of a built-in tool/,
      );
      assert.match(stderr, /the tool mcp__a__b of the extension a is skipped/);
      assert.match(
        stderr,
        /the tool SHOUT of the extension b replaces the tool shout of the extension a/,
      );
      assert.match(stdout, /SHOUT .*extension b/);
      assert.doesNotMatch(stdout, /shout|mcp__/);
    },
  ));

Deno.test("events carry what happens, and an answer denies, changes and adds", () =>
  withExtensions(
    {
      register: {
        events: [
          "session_start",
          "turn_start",
          { event: "tool_call", matcher: "Bash" },
          "tool_result",
          "turn_end",
          "session_end",
          "no_such_event",
        ],
      },
      on: `if (m.event === "tool_call") {
        const { command } = m.payload.arguments;
        if (command.includes("bad")) return answer(m, { allow: false, reason: "not that" });
        return answer(m, { arguments: { command: "echo changed" }, context: "mind this" });
      }
      if (m.event === "tool_result" && m.payload.name === "read") {
        return answer(m, { output: "hidden", is_error: true });
      }`,
    },
    [
      callAll(["bash", { command: "bad" }], ["bash", { command: "echo one" }], ["read", {
        path: "f",
      }]),
      say("done"),
    ],
    async ({ run, heard, workspace }) => {
      await Deno.writeTextFile(join(workspace, "f"), "secret\n");
      const { outputs, records } = await run("-p", "go", "--mode", "json");
      assert.equal(outputs[0], "approval_denied: extension x: not that");
      assert.match(outputs[1]!, /changed\n[^]*\[extension x: mind this\]/);
      assert.equal(outputs[2], "hidden");
      assert.deepEqual(only(records, "tool_result")[1]?.input, { command: "echo changed" });
      assert.equal(only(records, "tool_result")[2]?.is_error, true);
      const events = (await heard()).filter(({ type }) => type === "event");
      assert.deepEqual(events.map(({ event }) => event), [
        "session_start",
        "turn_start",
        "tool_call",
        "tool_call",
        "tool_result",
        "tool_result",
        "turn_end",
        "session_end",
      ]);
      const [start, turn] = events;
      assert.equal(start?.payload.reason, "startup");
      assert.equal(turn?.payload.prompt, "go");
      assert.equal(turn?.payload.source, "flag");
      const end = events.at(-2)!.payload;
      assert.equal(end.status, "done");
      assert.equal(end.text, "done");
      assert.equal(end.steps, 2);
      assert.equal(end.interrupted, false);
    },
  ));

Deno.test("an extension that wants no answer is told, and not waited for", () =>
  withExtensions(
    { register: { events: [{ event: "tool_call", answers: false }] } },
    [call("bash", { command: "echo a" }), say("ok")],
    async ({ run, heard }) => {
      assert.equal((await run("-p", "go")).code, 0);
      const told = (await heard()).find(({ event }) => event === "tool_call");
      assert.equal(told?.id, undefined);
    },
  ));

Deno.test("a project's extension needs trust, and may not approve", async () => {
  const approves = {
    inProject: true,
    register: { events: ["tool_call"] },
    on: `if (m.event === "tool_call") return answer(m, { approve: true });`,
  };
  await withExtensions(
    approves,
    [call("bash", { command: "echo a" }), say("ok")],
    async ({ run, starts }) => {
      const untrusted = await run("-p", "go");
      assert.match(untrusted.stderr, /skipped \.nimlet\/extensions\/x: this folder is not trusted/);
      assert.deepEqual(await starts(), []);
      const { outputs } = await run("-p", "go", "--mode", "json", "--approve", "--ask", "deny");
      assert.match(outputs[0]!, /^approval_denied: no remembered permission/);
      assert.equal((await starts()).length, 1);
    },
  );
  await withExtensions({ ...approves, inProject: false }, [
    call("bash", { command: "echo a" }),
    say("ok"),
  ], async ({ run }) => {
    const { outputs } = await run("-p", "go", "--mode", "json", "--ask", "deny");
    assert.match(outputs[0]!, /exit_code: 0/);
  });
});

Deno.test("--no-extensions starts none, and names a guard that does not run", () =>
  withExtensions(
    [{ name: "a" }, { name: "g", manifest: { guards: true }, register: { events: ["tool_call"] } }],
    [say("ok")],
    async ({ run, starts }) => {
      const { stdout, stderr } = await run("-p", "go", "--no-extensions");
      assert.equal(stdout, "ok\n");
      assert.match(stderr, /--no-extensions: the guard g of .* does not run/);
      assert.doesNotMatch(stderr, /extension a/);
      assert.deepEqual([...await starts("a"), ...await starts("g")], []);
    },
  ));

Deno.test("a command answers, or gives the model its prompt, and fails in a sentence", () =>
  withExtensions(
    {
      register: {
        commands: [{ name: "hi", description: "Greets." }, { name: "ask" }, { name: "bad" }, {
          name: "quiet",
        }, { name: "fresh" }],
      },
      on: `if (m.type === "command") {
        if (m.name === "hi") return answer(m, { message: "hello " + m.arguments });
        if (m.name === "ask") return answer(m, { prompt: "/hi is not expanded" });
        if (m.name === "bad") return answer(m, { error: "no idea" });
        if (m.name === "fresh") return answer(m, { session: { action: "new" } });
        answer(m);
      }`,
    },
    [say("the model's answer")],
    async ({ run, heard }) => {
      assert.equal((await run("-p", "/hi  you there")).stdout, "hello you there\n");
      const json = await run("-p", "/hi you", "--mode", "json");
      assert.equal(only(json.records, "run_end")[0]?.answer, "hello you");
      assert.equal(only(json.records, "run_end")[0]?.steps, 0);
      const asked = await run("-p", "/ask", "--mode", "json");
      assert.equal(only(asked.records, "message")[0]?.content, "/hi is not expanded");
      assert.equal(only(asked.records, "run_end")[0]?.answer, "the model's answer");
      assert.deepEqual([(await run("-p", "/quiet")).code, (await run("-p", "/quiet")).stdout], [
        0,
        "\n",
      ]);
      const bad = await run("-p", "/bad");
      assert.equal(bad.code, 1);
      assert.match(bad.stderr, /\/bad: the extension x failed: no idea/);
      const fresh = await run("-p", "/fresh");
      assert.equal(fresh.code, 1);
      assert.match(fresh.stderr, /works in the console and in RPC mode alone/);
      const command = (await heard()).find(({ type }) => type === "command")!;
      assert.equal(command.arguments, "you there");
      assert.deepEqual(command.context.messages, []);
    },
  ));

Deno.test("templates of the same name win over a command", () =>
  withExtensions(
    {
      register: { commands: [{ name: "hi" }] },
      on: `if (m.type === "command") answer(m, { message: "no" });`,
    },
    [say("ok")],
    async ({ run, home }) => {
      await Deno.mkdir(join(home, ".nimlet/prompts"));
      await Deno.writeTextFile(join(home, ".nimlet/prompts/hi.md"), "From a template");
      const { records, told } = await run("-p", "/hi", "--mode", "json");
      assert.match(told, /\/hi of the extension x is not used: it is a prompt template/);
      assert.equal(only(records, "message")[0]?.content, "/hi");
      assert.equal(only(records, "run_end")[0]?.answer, "ok");
    },
  ));

Deno.test("side effects: notices, entries that come back, and names of sessions", () =>
  withExtensions(
    {
      register: { events: ["session_start"], commands: [{ name: "keep" }] },
      on: `if (m.event === "session_start") note("entries", JSON.stringify(m.payload.entries));
      if (m.type === "command") {
        say({ type: "host_request", id: "h1", method: "session.info" });
        say({ type: "host_request", id: "h2", method: "session.name", name: "mine" });
        say({ type: "host_request", id: "h3", method: "no.such" });
        say({ type: "host_request", id: "h4", method: "context.usage" });
        say({ type: "ui_request", id: "u1", method: "confirm", prompt: "Sure?" });
        say({ type: "update", notification: { level: "warning", message: "look\\u001b[31m here" }, entry: { n: 1 } });
        for (let i = 0; i < 50; i++) say({ type: "update", notification: { level: "info", message: "flood " + i } });
        answer(m, { message: "kept", entry: { n: 2 }, prompt: "go" });
      }`,
    },
    [say("ok")],
    async ({ run, heard, folder }) => {
      const { records, told } = await run("-p", "/keep", "--mode", "json");
      assert.match(told, /x: look\\x1b\[31m here|x: look.*here/);
      assert.ok(!told.includes("\x1b"));
      assert.ok(
        only(records, "diagnostic").filter(({ message }) => String(message).includes("flood"))
          .length <= 10,
      );
      const lines = await heard();
      const reply = (id: string) => lines.find((line) => line.id === id && line.type !== "command");
      assert.equal(reply("h1")?.result.session_id, records[0]?.session_id);
      assert.equal(reply("h2")?.ok, true);
      assert.equal(reply("h3")?.ok, false);
      assert.deepEqual(Object.keys(reply("h4")?.result), ["tokens", "limit", "percent"]);
      assert.equal(reply("u1")?.cancelled, true);
      const { stderr } = await run("-p", "again", "--resume");
      const [, again] = (await Deno.readTextFile(join(folder(), "entries"))).trim().split("\n");
      assert.ok(again !== undefined, stderr);
      assert.deepEqual(JSON.parse(again), [{ n: 1 }, { n: 2 }]);
    },
  ));

Deno.test("a message at every end of a turn sends the model on eight times", () =>
  withExtensions(
    {
      register: { events: ["turn_end"] },
      first: "let count = 0;",
      on:
        `if (m.event === "turn_end") return answer(m, { user_message: { content: "go on " + ++count, deliver_as: "now" } });`,
    },
    Array.from({ length: 12 }, (_, index) => say(`answer ${index + 1}`)),
    async ({ run, heard }) => {
      const { records, told, code } = await run("-p", "go", "--mode", "json");
      assert.equal(code, 0);
      assert.equal(only(records, "run_end")[0]?.answer, "answer 9");
      const [, second] = only(records, "message");
      assert.equal(second?.source, "extension:x");
      assert.match(told, /extension x wanted to go on for the 9th time/);
      assert.deepEqual(
        (await heard()).filter(({ event }) => event === "turn_end").map(({ payload }) =>
          payload.continued
        ),
        [0, 1, 2, 3, 4, 5, 6, 7, 8],
      );
    },
  ));

Deno.test("messages that come beside the answers send the model on eight times, too", () =>
  withExtensions(
    {
      register: { events: ["turn_end"] },
      first: "let count = 0;",
      on: `if (m.event === "turn_end") {
        say({ type: "update", user_message: { content: "go on " + ++count, deliver_as: "follow_up" } });
        await sleep(100);
        return answer(m);
      }`,
    },
    Array.from({ length: 30 }, (_, index) => say(`answer ${index + 1}`)),
    async ({ model, workspace, home }) => {
      const client = startRpc(model, workspace, { HOME: home });
      await client.ask("prompt", { message: "go" });
      await client.next("diagnostic", ({ message }) => /for the 9th time/.test(String(message)));
      await client.ask("shutdown");
      await client.program.ended;
      const messages = only(client.seen, "message").filter(({ role }) => role === "user");
      assert.deepEqual(messages.map(({ source }) => source), [
        undefined,
        ...Array(8).fill("extension:x"),
      ]);
    },
  ));

Deno.test("a message outside of a run is refused where one prompt is all", () =>
  withExtensions(
    {
      register: { events: ["session_end"] },
      on: `if (m.event === "session_end") {
        say({ type: "update", user_message: { content: "more", deliver_as: "now" } });
      }`,
    },
    [say("ok"), say("never said")],
    async ({ run }) => {
      const { stdout, stderr, code } = await run("-p", "go");
      assert.deepEqual([code, stdout], [0, "ok\n"]);
      assert.match(stderr, /x: a message outside of a run is not sent here/);
    },
  ));

Deno.test("a message outside of a run begins one in RPC mode, as it is and unasked", () =>
  withExtensions(
    {
      register: { events: ["session_start"] },
      on: `if (m.event === "session_start") {
        answer(m);
        await sleep(300);
        say({ type: "update", user_message: { content: "/hi !touch ran @f", deliver_as: "now" } });
        return;
      }`,
    },
    [say("the answer")],
    async ({ model, workspace, home }) => {
      await Deno.writeTextFile(join(workspace, "f"), "attached");
      await Deno.mkdir(join(home, ".nimlet/prompts"));
      await Deno.writeTextFile(join(home, ".nimlet/prompts/hi.md"), "From a template");
      const hooks = {
        UserPromptSubmit: [{ hooks: [{ type: "command", command: "echo no >&2; exit 2" }] }],
      };
      await Deno.writeTextFile(join(home, ".nimlet/config.json"), JSON.stringify({ hooks }));
      const client = startRpc(model, workspace, { HOME: home });
      const message = await client.next("message");
      assert.equal(message.source, "extension:x");
      assert.equal(message.content, "/hi !touch ran @f");
      assert.equal((await client.next("run_end")).answer, "the answer");
      // the next one is a client's, and is looked at
      assert.equal((await client.ask("prompt", { message: "x" })).ok, false);
      await client.ask("shutdown");
      await client.program.ended;
    },
  ));

Deno.test("a command does not run where a hook that must have answered did not", () =>
  withExtensions(
    {
      register: { commands: [{ name: "ask" }] },
      on: `if (m.type === "command") return answer(m, { prompt: "sent" });`,
    },
    [say("never said")],
    async ({ run, home, heard }) => {
      const hooks = {
        SessionStart: [{ hooks: [{ type: "command", command: "exit 1", required: true }] }],
      };
      await Deno.writeTextFile(join(home, ".nimlet/config.json"), JSON.stringify({ hooks }));
      const { code, stdout } = await run("-p", "/ask");
      assert.equal(code, 2);
      assert.equal(stdout, "");
      assert.ok(!(await heard()).some(({ type }) => type === "command"));
    },
  ));

Deno.test("RPC tells of extensions in its state, and takes their commands", () =>
  withExtensions(
    {
      register: {
        tools: [shout],
        commands: [{ name: "hi" }, { name: "fresh" }],
        events: ["session_start"],
      },
      on: `if (m.type === "command") {
        if (m.name === "fresh") return answer(m, { message: "new one", session: { action: "new" } });
        answer(m, { message: "hello", status: { key: "build", text: "green" } });
      }`,
    },
    [say("ok")],
    async ({ model, workspace, home, heard, starts }) => {
      const client = startRpc(model, workspace, { HOME: home });
      await client.ask("prompt", { message: "/hi" });
      const end = await client.next("run_end");
      assert.equal(end.answer, "hello");
      const state = (await client.ask("get_state")).state as {
        extensions: unknown;
        session_id: string;
      };
      assert.deepEqual(state.extensions, [{
        name: "x",
        state: "running",
        tools: 1,
        commands: ["hi", "fresh"],
        events: ["session_start"],
        status: { build: "green" },
      }]);
      await client.ask("prompt", { message: "/fresh" });
      await client.next("session_start");
      await until(
        async () => (await heard()).some(({ payload }) => payload?.reason === "clear"),
        "a new process",
      );
      await client.ask("reload");
      await client.ask("prompt", { message: "/hi" });
      await client.next("run_end");
      await client.ask("shutdown");
      await client.program.ended;
      const reasons = (await heard()).filter(({ type }) => type === "shutdown").map(({ reason }) =>
        reason
      );
      assert.deepEqual(reasons, ["session", "reload", "end"]);
      const begun = (await heard()).filter(({ event }) => event === "session_start").map((
        { payload },
      ) => payload.reason);
      assert.deepEqual(begun, ["startup", "clear", "reload"]);
      for (const pid of await starts()) assert.ok(!isAlive(pid), `process ${pid} is left`);
    },
  ));

Deno.test("what extensions write is checked against the published schema", () => {
  assertFits({
    type: "register",
    tools: [shout],
    events: ["tool_call", { event: "x", answers: false }],
  }, 1);
  assertFits({ type: "response", id: "n1", content: [{ type: "text", text: "a" }] }, 1);
  assert.throws(() => assertFits({ type: "register", tool: [] }, 1));
  assert.throws(() => assertFits({ type: "response", id: "n1", allow: "no" }, 1));
});

Deno.test("--doctor names extensions, and starts none", () =>
  withExtensions(
    [{ name: "a" }, { name: "g", manifest: { guards: true } }],
    [say("ok")],
    async ({ run, starts, folder }) => {
      const { stdout } = await run("--doctor");
      assert.match(stdout, /^extension a: .*deno run .*\(yours, .*\/a\)$/m);
      assert.match(stdout, /^extension g: .*; a guard\)$/m);
      const report = JSON.parse((await run("--doctor", "--mode", "json")).stdout);
      assert.deepEqual(report.extensions.map(({ folder }: { folder: string }) => folder), [
        folder("a"),
        folder("g"),
      ]);
      assert.deepEqual([...await starts("a"), ...await starts("g")], []);
    },
  ));

Deno.test("--doctor test starts extensions, says what each offers, and ends them", () =>
  withExtensions(
    [
      { name: "a", register: { tools: [shout], commands: [{ name: "hi" }], events: ["turn_end"] } },
      { name: "b", first: `console.error("no key"); Deno.exit(4);` },
      { name: "g", manifest: { guards: true }, register: { events: ["turn_end"] } },
    ],
    [say("OK")],
    async ({ run, starts }) => {
      const { stdout, code } = await run("--doctor", "test");
      assert.match(stdout, /extension a: registered in \d+ ms, 1 tool, \/hi, turn_end$/m);
      assert.match(stdout, /extension b: exited with status 4/);
      assert.match(stdout, /the guard g guards nothing/);
      assert.equal(code, 1);
      for (const name of ["a", "b", "g"]) assert.ok(!(await starts(name)).some(isAlive));
    },
  ));

Deno.test("within an extension another nimlet runs its guards alone", () =>
  withExtensions(
    [
      {
        name: "a",
        register: { events: ["turn_end"] },
        on:
          `if (m.event === "turn_end") { note("depth", Deno.env.get("NIMLET_HOOK_DEPTH")); return answer(m); }`,
      },
      { name: "g", manifest: { guards: true }, register: { events: ["tool_call"] } },
    ],
    [call("bash", { command: "echo a" }), say("ok")],
    async ({ model, workspace, home, folder, starts }) => {
      const run = (env: Record<string, string>) =>
        startProgram([...model, "-p", "go"], { cwd: workspace, env: { HOME: home, ...env } }).ended;
      assert.equal((await run({})).code, 0);
      assert.equal(await Deno.readTextFile(join(folder("a"), "depth")), "1\n");
      assert.equal((await run({ NIMLET_HOOK_DEPTH: "1" })).code, 0);
      assert.equal((await starts("a")).length, 1);
      assert.equal((await starts("g")).length, 2);
      assert.equal((await run({ NIMLET_HOOK_DEPTH: "3" })).code, 2);
    },
  ));
