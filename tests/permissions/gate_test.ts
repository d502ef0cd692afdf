import assert from "node:assert/strict";
import { bashGrantKey } from "../../src/core/grant_key.ts";
import { shapeOf } from "../support/zod_shape.ts";
import type { Json } from "../../src/core/json.ts";
import type { PermissionAnswer, PermissionQuestion } from "../../src/core/permission.ts";
import { z } from "../../src/core/schema.ts";
import type { AnyTool, Tool } from "../../src/core/tool.ts";
import { commandJudge } from "../../src/permissions/judge.ts";
import { type GateOptions, permissionGate } from "../../src/permissions/gate.ts";
import { projectGrants, sessionGrants } from "../../src/permissions/grants.ts";
import { withProject } from "./projects.ts";

// Commands here are only ever judged, never run.
const judge = commandJudge();
const { signal } = new AbortController();

const shellTool: Tool<{ command: string }> = {
  name: "bash",
  description: "A stub that is never run.",
  capabilities: ["shell"],
  input: shapeOf(z.strictObject({ command: z.string() })),
  parallel: false,
  origin: { kind: "built-in" },
  grantKey: ({ command }) => bashGrantKey(command),
  run: () => Promise.reject(new Error("the gate runs nothing")),
};

const external: AnyTool = {
  ...shellTool,
  name: "word_count",
  origin: { kind: "external", scope: "project", manifest: "/tool.json", shadows: [] },
  grantKey: () => "tool:word_count",
};

const { grantKey: _, ...unasked } = shellTool;

/** A gate whose questions are answered from a list, and the questions it asked. */
function gateWith(answers: readonly PermissionAnswer[], options: Partial<GateOptions> = {}) {
  const questions: PermissionQuestion[] = [];
  const left = [...answers];
  const gate = permissionGate({
    approvesEverything: () => false,
    headless: "deny",
    session: sessionGrants(),
    judge,
    bounds: { workspace: "/w" },
    ask: (question) => {
      questions.push(question);
      const answer = left.shift();
      return answer ? Promise.resolve(answer) : Promise.reject(new Error("one question too many"));
    },
    ...options,
  });
  return { gate, questions, run: (command: string) => gate.check(shellTool, { command }, signal) };
}

/** A gate with nobody to ask. */
function headless(
  policy: "allow" | "deny",
  grants: readonly string[] = [],
  options: Partial<GateOptions> = {},
) {
  const session = sessionGrants();
  for (const key of grants) session.add(key);
  const gate = permissionGate({
    approvesEverything: () => false,
    headless: policy,
    session,
    judge,
    bounds: { workspace: "/w" },
    ...options,
  });
  return (command: string) => gate.check(shellTool, { command }, signal);
}

Deno.test("a tool without a key runs unasked", async () => {
  const { gate, questions } = gateWith([]);
  assert.deepEqual(await gate.check(unasked, { command: "x" }, signal), { allowed: true });
  assert.equal(questions.length, 0);
});

Deno.test("where nobody can be asked everything runs, or nothing without a grant", async () => {
  assert.deepEqual(await headless("allow")("rm x"), { allowed: true });
  const denied = await headless("deny")("ls");
  assert(!denied.allowed);
  assert.match(denied.reason, /no remembered permission covers bash:ls, and nobody can be asked/);
  assert.deepEqual(await headless("deny", ["bash:ls"])("ls"), { allowed: true, key: "bash:ls" });
});

Deno.test("a dangerous command is denied where nobody can be asked, whatever was granted", async () => {
  const denied = await headless("deny", ["bash:rm -rf x"])("rm -rf x");
  assert(!denied.allowed);
  assert.match(denied.reason, /runs rm, which needs approval every time/);
});

Deno.test("commands are judged only where a question or a denial could follow", async () => {
  const judge = () => Promise.reject(new Error("judged for nothing"));
  const yolo = { judge, approvesEverything: () => true };
  assert.deepEqual(await headless("allow", [], { judge })("rm x"), { allowed: true });
  assert.deepEqual(await headless("deny", [], yolo)("rm x"), { allowed: true });
  assert.deepEqual(await gateWith([], yolo).run("rm x"), { allowed: true });
});

Deno.test("a grant covers its own command and no other that holds it", async () => {
  const run = headless("deny", ["bash:git status", "bash:npm test", "bash:make test"]);
  const others = [
    "git status && touch PWN",
    "git status; touch PWN",
    "git status\ntouch PWN",
    "git status | tee PWN",
    "git status & touch PWN",
    "git status > PWN",
    "git status $(touch PWN)",
    "git status `touch PWN`",
    "git status || touch PWN",
    "git status <(touch PWN)",
    "npm test2",
    "npm testing --x",
    "NPM test",
    "npm test --prefix /elsewhere",
    "'npm  test'",
    "LD_PRELOAD=./x.so make test",
    "PATH=.:$PATH make test",
    "BASH_ENV=./x make test",
    "CI=1 make test",
    "make\ntest",
  ];
  for (const command of others) {
    const decision = await run(command);
    assert(!decision.allowed, command);
    assert.match(decision.reason, /^no remembered permission covers bash:|^it is too involved/);
  }
  for (const command of ["git status", "npm  test", " npm \t test ", "make test"]) {
    assert((await run(command)).allowed, command);
  }
});

Deno.test("a command with assignments can be granted as it is", async () => {
  const { run, questions } = gateWith(["session"]);
  for (let round = 0; round < 3; round++) {
    assert.deepEqual(await run("CI=1 make test"), { allowed: true, key: "bash:CI=1 make test" });
  }
  assert.equal(questions.length, 1);
});

Deno.test("a dangerous command is asked about again and again, and never remembered", async () => {
  await withProject(async ({ workspace }) => {
    const session = sessionGrants();
    const { grants: project } = await projectGrants({ workspace });
    const { run, questions } = gateWith(["session", "project", "once", "deny"], {
      session,
      project,
    });
    for (let round = 0; round < 3; round++) assert((await run("rm -rf ~")).allowed);
    assert.deepEqual(await run("rm -rf ~"), { allowed: false, reason: "the person said no" });
    assert.equal(questions.length, 4);
    assert.deepEqual(questions[0], {
      tool: "bash",
      subject: "rm -rf ~",
      grantKey: "bash:rm -rf ~",
      danger: "runs rm",
      canRemember: false,
      canRememberForProject: false,
    });
    assert.deepEqual([...session.list(), ...project.list()], []);
  });
});

Deno.test("an involved command is asked about again and again, and never remembered", async () => {
  const session = sessionGrants();
  await session.add("bash:echo $(ls)");
  const { run, questions } = gateWith(["session", "once"], { session });
  for (let round = 0; round < 2; round++) assert((await run("echo $(ls)")).allowed);
  assert.deepEqual(questions[1], {
    tool: "bash",
    subject: "echo $(ls)",
    grantKey: "bash:echo $(ls)",
    involved: true,
    canRemember: false,
    canRememberForProject: false,
  });
  assert.deepEqual(session.list(), ["bash:echo $(ls)"]);
  const denied = await headless("deny", ["bash:echo $(ls)"])("echo $(ls)");
  assert(!denied.allowed);
  assert.match(denied.reason, /^it is too involved to remember, so it needs approval every time/);
});

Deno.test("what holds such a word only as text is asked about once", async () => {
  const commands = [
    "find . -executable",
    'grep -rn "rm -rf /" .',
    'git commit -m "never rm -rf /"',
    'echo "sudo"',
  ];
  const { run, questions } = gateWith(commands.map(() => "session"));
  for (const command of [...commands, ...commands]) assert((await run(command)).allowed);
  assert.equal(questions.length, commands.length);
});

Deno.test("once is once, deny is for this call, session ends with the gate's grants", async () => {
  const { run, questions } = gateWith(["once", "deny", "session"]);
  assert((await run("ls")).allowed);
  assert(!(await run("ls")).allowed);
  assert((await run("ls")).allowed);
  assert((await run("ls")).allowed);
  assert.equal(questions.length, 3);
});

Deno.test("an answer for the project is kept there, and counts for the next gate of it only", async () => {
  await withProject(async ({ workspace }) => {
    const { grants } = await projectGrants({ workspace });
    const first = gateWith(["project"], { project: grants });
    assert((await first.run("npm ci")).allowed);
    assert.equal(first.questions[0]?.canRememberForProject, true);
    const later = (await projectGrants({ workspace })).grants;
    assert((await headless("deny", [], { project: later })("npm ci")).allowed);
    assert(!(await headless("deny", [], { project: later })("npm ci --x")).allowed);
  });
  await withProject(async ({ workspace }) => {
    const { grants } = await projectGrants({ workspace });
    assert(!(await headless("deny", [], { project: grants })("npm ci")).allowed);
  });
});

Deno.test("an answer that cannot be kept for the project counts for the session, and says so", async () => {
  const notices: string[] = [];
  const session = sessionGrants();
  await withProject(async ({ workspace }) => {
    await Deno.writeTextFile(`${workspace}/.nimlet`, "in the way");
    const { grants } = await projectGrants({ workspace });
    const { run } = gateWith(["project"], {
      project: grants,
      session,
      notice: (sentence) => notices.push(sentence),
    });
    assert((await run("ls")).allowed);
    assert((await run("ls")).allowed);
  });
  assert.match(notices.join(), /^The permission is remembered for this session only: /);
  assert.deepEqual(session.list(), ["bash:ls"]);
});

Deno.test("without a trusted project an answer for the project counts for the session", async () => {
  const { run, questions } = gateWith(["project"]);
  assert((await run("ls")).allowed);
  assert((await run("ls")).allowed);
  assert.equal(questions[0]?.canRememberForProject, false);
});

Deno.test("an external tool is asked about under its name, with its arguments shown", async () => {
  const { gate, questions } = gateWith(["session"]);
  const input: Json = { text: "rm -rf /" };
  assert((await gate.check(external, input, signal)).allowed);
  assert((await gate.check(external, { text: "other" }, signal)).allowed);
  assert.equal(questions.length, 1);
  assert.equal(questions[0]?.grantKey, "tool:word_count");
  assert.equal(questions[0]?.subject, '{"text":"rm -rf /"}');
});

Deno.test("the question carries the real bytes of the command", async () => {
  const commands = [
    "ls\r\x1b[2Krm -rf x",
    "echo \u202e\u2066x",
    "echo a\u200bb",
    `${"\n".repeat(300)}rm -rf x`,
  ];
  const { run, questions } = gateWith(commands.map(() => "deny"));
  for (const command of commands) await run(command);
  assert.deepEqual(questions.map((question) => question.subject), commands);
  assert.equal(questions[3]?.danger, "runs rm");
});

Deno.test("questions are put one after the other", async () => {
  const { promise, resolve } = Promise.withResolvers<PermissionAnswer>();
  let open = 0, most = 0;
  const gate = permissionGate({
    approvesEverything: () => false,
    headless: "deny",
    session: sessionGrants(),
    judge,
    bounds: { workspace: "/w" },
    ask: async () => {
      most = Math.max(most, ++open);
      const answer = await promise;
      open--;
      return answer;
    },
  });
  const checks = ["a", "b", "c"].map((command) => gate.check(shellTool, { command }, signal));
  resolve("once");
  assert((await Promise.all(checks)).every((decision) => decision.allowed));
  assert.equal(most, 1);
});

Deno.test("an interrupt ends the question", async () => {
  const controller = new AbortController();
  const { gate } = gateWith([], {
    ask: (_, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason));
        controller.abort(new Error("stop"));
      }),
  });
  await assert.rejects(gate.check(shellTool, { command: "ls" }, controller.signal), /stop/);
});

Deno.test("a tool whose key comes to nothing is asked about nobody and denied", async () => {
  const { gate } = gateWith([]);
  const nameless = { ...shellTool, grantKey: () => "" };
  assert(!(await gate.check(nameless, { command: "x" }, signal)).allowed);
});

/** A gate that knows of changed tools; `ask` answers with `answer`, where there is one. */
function gateOfChanged(changes: readonly string[], options: Partial<GateOptions>) {
  return gateWith([], {
    trust: {
      ready: () => Promise.resolve(),
      toolChanges: () => Promise.resolve(changes),
      serverChanges: () => Promise.resolve([]),
    },
    approvesEverything: () => true,
    ...options,
  });
}

Deno.test("a project's tool that is not what was trusted is asked about each time, whatever the mode", async () => {
  const session = sessionGrants();
  await session.add("tool:word_count");
  const { gate, questions } = gateWith(["once", "once", "deny"], {
    trust: {
      ready: () => Promise.resolve(),
      toolChanges: () => Promise.resolve([".nimlet/tools/a was changed"]),
      serverChanges: () => Promise.resolve([]),
    },
    approvesEverything: () => true,
    session,
  });
  for (const allowed of [true, true, false]) {
    assert.equal((await gate.check(external, {}, signal)).allowed, allowed);
  }
  assert.equal(questions.length, 3);
  assert.equal(
    questions[0]!.danger,
    "is not what was trusted: .nimlet/tools/a was changed; /reload asks about it again",
  );
  assert.equal(questions[0]!.canRememberForProject, false);
});

Deno.test("where nobody can be asked a changed tool of the project is denied, and no other", async () => {
  const changes = ["a was changed", "b was added", "c\nd was removed", "e was added"];
  for (const headless of ["allow", "deny"] as const) {
    const { gate } = gateOfChanged(changes, { ask: undefined, headless });
    const decision = await gate.check(external, {}, signal);
    assert(!decision.allowed);
    assert.equal(
      decision.reason,
      "word_count is not what was trusted: a was changed, b was added, c\\nd was removed, and 1 more; " +
        "/reload asks about it again, and nobody can be asked in this mode",
    );
    const own = { ...external, origin: { ...external.origin, scope: "global" } } as AnyTool;
    assert.deepEqual(await gate.check(own, {}, signal), { allowed: true });
    assert.deepEqual(await gate.check(shellTool, { command: "ls" }, signal), { allowed: true });
  }
  const { gate } = gateOfChanged([], { ask: undefined, headless: "allow" });
  assert.deepEqual(await gate.check(external, {}, signal), { allowed: true });
});

Deno.test("a call that needs no approval is limited to that", async () => {
  const partly: AnyTool = {
    ...shellTool,
    name: "write",
    grantKey: ({ command }: { command: string }) => command === "x" ? "write:x" : undefined,
  };
  const { gate, questions } = gateWith(["session"]);
  assert.deepEqual(await gate.check(partly, { command: "y" }, signal), { allowed: true, key: "" });
  const allowed = { allowed: true, key: "write:x" };
  assert.deepEqual(await gate.check(partly, { command: "x" }, signal), allowed);
  assert.deepEqual(await gate.check(partly, { command: "x" }, signal), allowed);
  assert.equal(questions.length, 1);
});
