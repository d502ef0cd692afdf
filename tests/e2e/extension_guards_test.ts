/** Guards through the program: their silence means no, whatever else would let a call through. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { call, callAll, say } from "../support/cassette.ts";
import { type GivenExtension, withExtensions } from "../support/extensions.ts";
import { only } from "../support/records.ts";
import { startRpc } from "../support/rpc.ts";
import { until } from "../support/until.ts";

const guard = (on: string, more: GivenExtension = {}): GivenExtension => ({
  name: "g",
  manifest: { guards: true, response_timeout_seconds: 1 },
  register: { events: ["tool_call"] },
  on: `if (m.event === "tool_call") { ${on} }`,
  ...more,
});
const bash = (command: string): [string, unknown] => ["bash", { command }];

for (
  const { how, on, reason } of [
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
    },
    { how: "denies", on: `return answer(m, { allow: false, reason: "no" });`, reason: /^no$/ },
  ]
) {
  Deno.test(`a guard that ${how} denies each call, also with --yolo and an answer of a person`, () =>
    withExtensions(
      [guard(on), {
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
      given: { register: { events: ["tool_call"], tool: [] } },
      problem: /the guard g registered with what does not fit: .*tool/,
    },
    {
      how: "guards nothing",
      given: { register: { events: ["turn_end"] } },
      problem: /the guard g guards nothing/,
    },
    {
      how: "has a matcher that is none",
      given: { register: { events: [{ event: "tool_call", matcher: "(" }] } },
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
        /^approval_denied: the guard g (?:was ended|exited|is not started)/,
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
