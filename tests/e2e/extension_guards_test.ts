/** Guards through the program: their silence means no, whatever else would let a call through. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { call, callAll, say } from "../support/cassette.ts";
import { type GivenExtension, withExtensions } from "../support/extensions.ts";
import { only } from "../support/records.ts";
import { startRpc } from "../support/rpc.ts";
import { fromFileUrl } from "../support/streams.ts";
import { installed, linux, testWhere } from "../support/test_where.ts";
import { until } from "../support/until.ts";

const guard = (on: string, more: GivenExtension = {}): GivenExtension => ({
  name: "g",
  isUnfit: /allow: "yes"|x\.repeat/.test(on),
  manifest: { guards: true, response_timeout_seconds: 1 },
  register: { events: ["tool_call"] },
  on: `if (m.event === "tool_call") { ${on} }`,
  ...more,
});
const guardsFor = (seconds: number): GivenExtension => ({
  manifest: { guards: true, response_timeout_seconds: seconds },
});
const bash = (command: string): [string, unknown] => ["bash", { command }];
const echo = {
  description: "Says it.",
  input_schema: { type: "object", properties: { text: { type: "string" } } },
};

for (
  const { how, on, reason, seconds } of [
    { how: "says nothing", on: "return;", reason: /did not answer within 1 s/ },
    { how: "dies", on: "Deno.exit(3);", reason: /exited with status 3/ },
    {
      how: "says that it failed",
      on: `return answer(m, { error: "no list" });`,
      reason: /failed: no list/,
    },
    {
      how: "answers with what does not fit",
      on: `return answer(m, { allow: "yes" });`,
      reason: /gave an unfit answer: allow: expected boolean/,
    },
    {
      how: "writes too long a line",
      on: `return answer(m, { context: "x".repeat(17 * 1024 * 1024) });`,
      reason: /wrote a line of \d+ bytes/,
      seconds: 20,
    },
    { how: "denies", on: `return answer(m, { allow: false, reason: "no" });`, reason: /^no$/ },
  ] as { how: string; on: string; reason: RegExp; seconds?: number }[]
) {
  Deno.test(`a guard that ${how} denies each call, also with --yolo and an answer of a person`, () =>
    withExtensions(
      [guard(on, seconds === undefined ? {} : guardsFor(seconds)), {
        name: "a",
        register: { events: ["tool_call"] },
        on: `if (m.event === "tool_call") return answer(m, { approve: true, allow: true });`,
      }],
      [callAll(bash("touch one"), ["read", { path: "f" }], ["read", { path: "f" }]), say("ok")],
      async ({ run, model, workspace, home }) => {
        await Deno.writeTextFile(join(workspace, "f"), "secret");
        const { outputs, code, records } = await run("-p", "go", "--mode", "json", "--yolo");
        assert.equal(code, 0);
        for (const output of outputs) {
          const [, text] = /^approval_denied: the guard g:? ?(.*)$/m.exec(output) ?? [];
          assert.match(text ?? output, reason);
        }
        assert.equal(only(records, "run_end")[0]?.denials, 3);
        const client = startRpc(model, workspace, { HOME: home });
        await client.ask("prompt", { message: "go", permissions: "ask" });
        const end = await client.next("run_end");
        assert.equal(end.denials, 3);
        assert.ok(!client.seen.some(({ type }) => type === "approval_required"));
        await client.ask("shutdown");
        await client.program.ended;
        await assert.rejects(Deno.stat(join(workspace, "one")));
      },
    ));
}

Deno.test("a guard is asked on the arguments that will run, after all others", () =>
  withExtensions(
    [
      guard(`note("guarded", m.payload.arguments.command);`),
      {
        name: "z",
        register: { events: ["tool_call"] },
        on:
          `if (m.event === "tool_call") return answer(m, { arguments: { command: "echo late" } });`,
      },
    ],
    [call("bash", { command: "echo early" }), say("ok")],
    async ({ run, folder }) => {
      const { outputs } = await run("-p", "go", "--mode", "json");
      assert.match(outputs[0]!, /late/);
      assert.equal(await Deno.readTextFile(join(folder("g"), "guarded")), "echo late\n");
    },
  ));

Deno.test("a guard sees the calls of plan mode, and what is not one does not", () =>
  withExtensions(
    [
      guard(`return answer(m, { allow: false, reason: "not read" });`),
      { name: "a", register: { events: ["tool_call", "turn_start", "turn_end", "session_start"] } },
    ],
    [call("read", { path: "f" }), say("ok")],
    async ({ run, heard }) => {
      const { outputs } = await run("-p", "go", "--mode", "json", "--plan");
      assert.equal(outputs[0], "approval_denied: the guard g: not read");
      const events = (await heard("a")).filter(({ type }) => type === "event");
      assert.deepEqual(events.map(({ event }) => event), ["session_start"]);
    },
  ));

Deno.test("a guard of results withholds what it did not see, and live output before", () =>
  withExtensions(
    guard("", {
      register: { events: ["tool_result"] },
      on:
        `if (m.event === "tool_result") return m.payload.output.includes("secret") ? undefined : answer(m);`,
    }),
    [callAll(bash("echo secret"), bash("echo fine")), say("ok")],
    async ({ run }) => {
      const { outputs, records } = await run("-p", "go", "--mode", "json");
      assert.match(outputs[0]!, /^hook_failed: the guard g did not answer within 1 s/);
      assert.match(outputs[1]!, /fine/);
      assert.deepEqual(only(records, "tool_output_delta"), []);
    },
  ));

for (
  const { how, given, problem } of [
    {
      how: "ends at once",
      given: { first: `console.error("no key"); Deno.exit(4);` },
      problem: /the guard g exited with status 4 before it registered\.[^]*no key/,
    },
    {
      how: "is not there",
      given: { command: ["./missing"] },
      problem: /the guard g cannot be started: .*missing is not there/,
    },
    {
      how: "registers with what does not fit",
      given: { register: { events: ["tool_call"], tool: [] }, isUnfit: true },
      problem: /the guard g registered with what does not fit: .*tool/,
    },
    {
      how: "guards nothing",
      given: { register: { events: ["turn_end"] } },
      problem: /the guard g guards nothing/,
    },
    {
      how: "has a matcher that is none",
      given: { register: { events: [{ event: "tool_call", matcher: "*a" }] } },
      problem: /the guard g registered with a matcher that is no expression/,
    },
    {
      how: "does not register in time",
      given: { first: "await new Promise((done) => setTimeout(done, 60000));" },
      problem: /the guard g did not register within 10 s/,
    },
  ] as { how: string; given: GivenExtension; problem: RegExp }[]
) {
  Deno.test(`a guard that ${how} is exit status 2 before a request`, () =>
    withExtensions(guard("", given), [say("never said")], async ({ run }) => {
      const { code, stdout, stderr } = await run("-p", "go", "--yolo");
      assert.equal(code, 2);
      assert.equal(stdout, "");
      assert.match(stderr, problem);
    }));
}

Deno.test("a guard that ends again and again goes on denying, and names /reload", () =>
  withExtensions(
    guard("Deno.exit(1);"),
    [callAll(...Array.from({ length: 5 }, (): [string, unknown] => bash("touch ran"))), say("ok")],
    async ({ run, starts, workspace }) => {
      const { outputs, told } = await run("-p", "go", "--mode", "json");
      assert.match(outputs[0]!, /^approval_denied: the guard g exited with status 1/);
      assert.match(outputs[4]!, /^approval_denied: the guard g .*\/reload/);
      assert.equal((await starts("g")).length, 3);
      assert.equal(told.split("is disabled").length, 2, told);
      await assert.rejects(Deno.stat(join(workspace, "ran")));
    },
  ));

for (
  const { how, again } of [
    { how: "for nothing", again: `["turn_end"]` },
    { how: "for other tools", again: `[{ event: "tool_call", matcher: "Read" }]` },
  ]
) {
  Deno.test(`a guard that comes back and registers ${how} denies what it guarded`, () =>
    withExtensions(
      guard("", {
        on: `if (m.event === "tool_call") { answer(m); await sleep(50); Deno.exit(0); }`,
      }),
      [callAll(bash("echo a; sleep 1"), bash("touch ran"), bash("touch ran")), say("ok")],
      async ({ run, folder, starts, workspace }) => {
        const file = join(folder("g"), "extension.js");
        const text = await Deno.readTextFile(file);
        const registers =
          `...(Deno.readTextFileSync(folder + "/starts").trim().includes("\\n") ? { events: ${again} } : {}) });`;
        await Deno.writeTextFile(
          file,
          text.replace(/(type: "register", .*) \}\);/, `$1, ${registers}`),
        );
        const { outputs, told } = await run("-p", "go", "--mode", "json", "--yolo");
        assert.match(outputs[0]!, /exit_code: 0/);
        for (const output of outputs.slice(1)) {
          assert.match(
            output,
            /^approval_denied: the guard g registered for other calls than before; it denies until \/reload/,
          );
        }
        assert.equal((await starts("g")).length, 2);
        assert.equal(told.split("registered for other calls").length, 2, told);
        await assert.rejects(Deno.stat(join(workspace, "ran")));
      },
    ));
}

testWhere(
  linux,
  "a guard that is killed between two calls is asked again by its next process",
  () =>
    withExtensions(
      guard(`if (m.payload.arguments.command === "touch ran") return answer(m, { allow: false });`),
      [
        callAll(
          bash('kill -9 $(cat "$HOME/.nimlet/extensions/g/starts"); sleep 1'),
          bash("touch ran"),
        ),
        say("ok"),
      ],
      async ({ run, starts, workspace }) => {
        const { outputs } = await run("-p", "go", "--mode", "json", "--yolo");
        assert.equal(outputs[1], "approval_denied: the guard g: it gave no reason");
        assert.equal((await starts("g")).length, 2);
        await assert.rejects(Deno.stat(join(workspace, "ran")));
      },
    ),
);

Deno.test("the reasons of all guards that deny stand in one sentence", () =>
  withExtensions(
    ["g", "h"].map((name) =>
      guard(`return answer(m, { allow: false, reason: "not " + ${JSON.stringify(name)} });`, {
        name,
      })
    ),
    [call("bash", { command: "touch ran" }), say("ok")],
    async ({ run }) => {
      const { outputs, records } = await run("-p", "go", "--mode", "json");
      assert.equal(outputs[0], "approval_denied: the guard g: not g; the guard h: not h");
      assert.equal(only(records, "run_end")[0]?.denials, 1);
    },
  ));

Deno.test("guards are asked once more on what one of them made, and a second change denies", () =>
  withExtensions(
    [
      guard(`note("seen", m.payload.arguments.command);`),
      guard(
        `const { command } = m.payload.arguments;
        if (command === "touch one") return answer(m, { arguments: { command: "touch other" } });
        if (command.startsWith("touch many")) return answer(m, { arguments: { command: command + "x" } });`,
        { name: "h" },
      ),
    ],
    [callAll(bash("touch one"), bash("touch many")), say("ok")],
    async ({ run, folder, workspace }) => {
      const { outputs } = await run("-p", "go", "--mode", "json", "--yolo");
      assert.match(outputs[0]!, /exit_code: 0/);
      assert.match(
        outputs[1]!,
        /^approval_denied: the guard h changed the arguments after all guards/,
      );
      const seen = (await Deno.readTextFile(join(folder("g"), "seen"))).trim().split("\n");
      assert.deepEqual(seen, ["touch one", "touch other", "touch many", "touch manyx"]);
      assert.deepEqual(
        [...Deno.readDirSync(workspace)].map(({ name }) => name).filter((name) => name[0] !== "."),
        ["other"],
      );
    },
  ));

Deno.test("an approval is one of the arguments that it has seen", () =>
  withExtensions(
    [
      {
        name: "a",
        register: { events: ["tool_call"] },
        on: `if (m.event === "tool_call") return answer(m, { approve: true });`,
      },
      {
        name: "b",
        inProject: true,
        register: { events: ["tool_call"] },
        on: `if (m.event === "tool_call" && m.payload.arguments.command.endsWith("two")) {
          return answer(m, { arguments: { command: "touch changed" } });
        }`,
      },
    ],
    [callAll(bash("touch one"), bash("touch two")), say("ok")],
    async ({ run, workspace }) => {
      const { outputs } = await run("-p", "go", "--mode", "json", "--approve", "--ask", "deny");
      assert.match(outputs[0]!, /exit_code: 0/);
      assert.match(outputs[1]!, /^approval_denied: no remembered permission covers bash:touch/);
      await assert.rejects(Deno.stat(join(workspace, "changed")));
    },
  ));

for (
  const { how, on, outcome } of [
    {
      how: "denies",
      on: `return answer(m, { allow: false, reason: "no" });`,
      outcome: /^approval_denied: the guard g: no$/,
    },
    { how: "dies", on: "Deno.exit(3);", outcome: /^approval_denied: the guard g / },
    {
      how: "changes the arguments of",
      on: `return answer(m, { arguments: { ...m.payload.arguments, text: "changed" } });`,
      outcome: /changed/,
    },
  ]
) {
  Deno.test(`a guard that ${how} a call does so for tools of servers, of extensions and of files`, () =>
    withExtensions(
      [
        guard(`note("asked", m.payload.name + " " + m.payload.origin.kind); ${on}`),
        {
          name: "t",
          register: { tools: [{ ...echo, name: "shout" }] },
          on:
            `if (m.type === "tool") return answer(m, { content: [{ type: "text", text: m.arguments.text }] });`,
        },
      ],
      ["mcp__fake__echo", "shout", "say"].map((name) => call(name, { text: "plain" })).concat([
        say("ok"),
      ]),
      async ({ run, folder, home }) => {
        const server = fromFileUrl(new URL("../mcp/fake_server.mjs", import.meta.url));
        const command = [Deno.execPath(), "run", "--quiet", "-A", server, ""];
        const mcp = { servers: { fake: { command } } };
        await Deno.writeTextFile(join(home, ".nimlet/config.json"), JSON.stringify({ mcp }));
        await writeTool(home);
        const { outputs } = await run("-p", "go", "--mode", "json", "--yolo");
        assert.equal(outputs.length, 3);
        for (const output of outputs) {
          assert.match(output, outcome);
          assert.doesNotMatch(output, /plain/);
        }
        if (how === "dies") return;
        const asked = (await Deno.readTextFile(join(folder("g"), "asked"))).trim().split("\n");
        // once more for each call that was changed
        assert.deepEqual([...new Set(asked)], [
          "mcp__fake__echo mcp",
          "shout extension",
          "say external",
        ]);
      },
    ));
}

const copying = `#!/usr/bin/env python3
import json, sys
for text in sys.stdin:
    line = json.loads(text)
    answer = {"type": "register", "events": ["tool_call"]}
    if line["type"] != "initialize":
        if "id" not in line: continue
        changed = {**line["payload"]["arguments"], "text": "b"}
        answer = {"type": "response", "id": line["id"], "arguments": changed}
    print(json.dumps(answer), flush=True)
`;

testWhere(
  installed("python3"),
  "numbers that JavaScript would round go through an extension whole",
  () =>
    withExtensions(
      { command: ["./x.py"] },
      [
        call("say", '{"text":"a","id":12345678901234567890,"ids":[9007199254740993]}'),
        say("ok"),
      ],
      async ({ run, folder, home }) => {
        await Deno.writeTextFile(join(folder(), "x.py"), copying, { mode: 0o755 });
        await writeTool(home);
        const { outputs } = await run("-p", "go", "--mode", "json", "--yolo");
        assert.deepEqual(outputs[0]!.match(/\d{10,}|"b"/g)?.toSorted(), [
          '"b"',
          "12345678901234567890",
          "9007199254740993",
        ]);
      },
    ),
);

/** A tool that gives back what it is given. */
async function writeTool(home: string): Promise<void> {
  const folder = join(home, ".nimlet/tools/say");
  await Deno.mkdir(folder, { recursive: true });
  await Deno.writeTextFile(
    join(folder, "tool.json"),
    JSON.stringify({ ...echo, name: "say", command: ["say.sh"] }),
  );
  await Deno.writeTextFile(join(folder, "say.sh"), "#!/bin/sh\ncat\n", { mode: 0o755 });
}

Deno.test("an answer that does not fit, but was to deny or to change, denies", () =>
  withExtensions(
    {
      isUnfit: true,
      register: { events: ["tool_call"] },
      on: `if (m.event === "tool_call") {
        const { command } = m.payload.arguments;
        if (command.includes("one")) return answer(m, { allow: false, reason: null });
        if (command.includes("two")) return answer(m, { arguments: "echo two" });
        if (command.includes("three")) return answer(m, { arguments: { cmd: 3 } });
        return answer(m, { allow: "yes" });
      }`,
    },
    [
      callAll(bash("touch one"), bash("touch two"), bash("touch three"), bash("touch four")),
      say("ok"),
    ],
    async ({ run, workspace }) => {
      const { outputs } = await run("-p", "go", "--mode", "json", "--yolo");
      assert.match(outputs[0]!, /^approval_denied: extension x gave an unfit answer: reason/);
      assert.match(outputs[1]!, /^approval_denied: extension x gave an unfit answer: arguments/);
      assert.match(
        outputs[2]!,
        /^approval_denied: extension x changed the arguments to what cannot/,
      );
      assert.match(outputs[3]!, /exit_code: 0/);
      assert.deepEqual(
        [...Deno.readDirSync(workspace)].map(({ name }) => name).filter((name) => name[0] !== "."),
        ["four"],
      );
    },
  ));

Deno.test("a project's guard that was changed since trust denies", () =>
  withExtensions(
    guard("", { inProject: true }),
    [
      call("bash", {
        command:
          "echo '// more' >> .nimlet/extensions/g/extension.js; kill $(cat .nimlet/extensions/g/starts)",
      }),
      call("bash", { command: "touch ran" }),
      say("ok"),
    ],
    async ({ run, starts, workspace }) => {
      const { outputs } = await run("-p", "go", "--mode", "json", "--approve");
      assert.match(outputs[0]!, /exit_code: 0/);
      assert.match(
        outputs[1]!,
        /^approval_denied: the guard g (?:was ended|has ended|exited|is not started)/,
      );
      assert.equal((await starts("g")).length, 1);
      await assert.rejects(Deno.stat(join(workspace, "ran")));
    },
  ));

Deno.test("denials that come late, twice or for another's id count for nothing", () =>
  withExtensions(
    {
      register: { events: ["tool_call"] },
      first: "let last;",
      on: `if (m.event === "tool_call") {
        if (last) say({ type: "response", id: last, allow: false });
        say({ type: "response", id: "n99", allow: false });
        last = m.id;
        answer(m);
        return answer(m, { allow: false });
      }`,
    },
    [callAll(bash("echo a"), bash("echo b")), say("ok")],
    async ({ run }) => {
      const { outputs } = await run("-p", "go", "--mode", "json");
      assert.match(outputs[0]!, /exit_code: 0/);
      assert.match(outputs[1]!, /exit_code: 0/);
    },
  ));

Deno.test("a denial of a call that was given up counts for no other, nor one of the session before", () =>
  withExtensions(
    {
      register: { events: ["tool_call"] },
      first: "let given;",
      on: `if (m.event === "tool_call" && m.payload.arguments.command.includes("first")) {
        given = m.id;
        return;
      }
      if (m.type === "cancel") return say({ type: "response", id: given, allow: false });
      if (m.type === "shutdown") {
        for (let n = 1; n < 20; n++) say({ type: "response", id: "n" + n, allow: false });
      }`,
    },
    [
      call("bash", { command: "echo first" }),
      call("bash", { command: "echo second" }),
      say("ok"),
      call("bash", { command: "echo third" }),
      say("ok"),
    ],
    async ({ model, workspace, home, heard }) => {
      const client = startRpc(model, workspace, { HOME: home });
      await client.ask("prompt", { message: "go" });
      await until(
        async () => (await heard()).some(({ event }) => event === "tool_call"),
        "the first question",
      );
      await client.ask("interrupt");
      await client.next("run_end");
      for (const word of ["second", "third"]) {
        await client.ask("prompt", { message: word });
        const result = await client.next("tool_result");
        assert.match(String(result.output), /exit_code: 0/);
        await client.next("run_end");
        await client.ask("new_session");
      }
      await client.ask("shutdown");
      await client.program.ended;
    },
  ));

Deno.test("one that works in turn is not punished for a queue", () =>
  withExtensions(
    {
      manifest: { response_timeout_seconds: 1, guards: true },
      register: { events: ["tool_call"] },
      first: "let queue = Promise.resolve();",
      on: `if (m.event === "tool_call") {
        queue = queue.then(() => sleep(400)).then(() => answer(m));
        return;
      }`,
    },
    [
      callAll(...Array.from({ length: 8 }, (): [string, unknown] => ["read", { path: "f" }])),
      say("ok"),
    ],
    async ({ run, workspace }) => {
      await Deno.writeTextFile(join(workspace, "f"), "text");
      const { outputs } = await run("-p", "go", "--mode", "json");
      assert.equal(outputs.length, 8);
      for (const output of outputs) assert.match(output, /text/);
    },
  ));

Deno.test("a request that is left unanswered times out, and then the next one's time begins", () =>
  withExtensions(
    {
      manifest: { response_timeout_seconds: 1, guards: true },
      register: { events: ["tool_call"] },
      first: "let count = 0;",
      on: `if (m.event === "tool_call") {
        if (++count === 1) return;
        await sleep(1500);
        return answer(m);
      }`,
    },
    [callAll(["read", { path: "f" }], ["read", { path: "f" }]), say("ok")],
    async ({ run, workspace, heard }) => {
      await Deno.writeTextFile(join(workspace, "f"), "text");
      const { outputs } = await run("-p", "go", "--mode", "json");
      assert.match(outputs[0]!, /did not answer within 1 s/);
      assert.match(outputs[1]!, /text/);
      await until(async () => (await heard()).some(({ type }) => type === "cancel"), "a cancel");
    },
  ));
