/** The check that trust and permission hold at the moment of each call. */
import assert from "node:assert/strict";
import { writeTree } from "../search/tree.ts";
import { call, callAll, cassette, say } from "../support/cassette.ts";
import { runProgram, withScratch } from "../support/program.ts";
import { checkedRecords, only } from "../support/records.ts";
import { consoleTest, quit } from "./console_support.ts";

type Scratch = Parameters<Parameters<typeof withScratch>[0]>[0];
type Calls = [name: string, input: unknown][];

const tool = ".nimlet/tools/deploy";
const script = (text: string) => `#!/bin/sh\necho '"${text}"'\n`;
const manifest = JSON.stringify({
  name: "deploy",
  description: "Deploys.",
  command: ["run"],
  input_schema: { type: "object" },
});

async function putTool(workspace: string): Promise<void> {
  await writeTree(workspace, { [`${tool}/tool.json`]: manifest, [`${tool}/run`]: script("good") });
  await Deno.chmod(`${workspace}/${tool}/run`, 0o755);
}

/** Makes the calls one after the other, each in a step of its own: the results' texts. */
async function results({ root, workspace }: Scratch, calls: Calls, flags: string[] = []) {
  const steps = calls.map(([name, input]) => call(name, input));
  const play = await cassette(`${root}/c.jsonl`, [...steps, say("done")]);
  const { stdout, stderr } = await runProgram([...play, "--mode", "json", ...flags, "x"], {
    cwd: workspace,
  });
  const said = stderr.split("\n").filter((line) => !/runs rm without approval/.test(line));
  assert.deepEqual(said, [""]);
  return only(checkedRecords(stdout), "tool_result").map(({ output }) => String(output));
}

const deploy: Calls[number] = ["deploy", {}];
const bash = (command: string): Calls[number] => ["bash", { command }];

const changes: Record<string, Calls[number]> = {
  "by write": ["write", { path: `${tool}/run`, content: script("EVIL"), overwrite: true }],
  "by edit": ["edit", { path: `${tool}/run`, old_text: "good", new_text: "EVIL" }],
  "by a command": bash(`printf '#!/bin/sh\\necho EVIL' > ${tool}/run`),
  "by a command that leaves length and time as they were": bash(
    `touch -r ${tool}/run t; sed -i s/good/EVIL/ ${tool}/run; touch -r t ${tool}/run; rm t`,
  ),
  "by a library beside it": bash("mkdir -p .nimlet/tools/lib; echo x > .nimlet/tools/lib/a.sh"),
};
for (const [how, change] of Object.entries(changes)) {
  Deno.test(`a project's tool that is changed ${how} does not run again unseen`, () =>
    withScratch(async (scratch) => {
      await putTool(scratch.workspace);
      const [first, , denied] = await results(scratch, [deploy, change, deploy], ["--approve"]);
      assert.equal(first, "good");
      assert.match(
        denied!,
        /^approval_denied: deploy is not what was trusted: \.nimlet\/tools\/\w+ was \w+; \/reload /,
      );
    }));
}

Deno.test("neither a grant nor --yolo covers a changed tool, a touched one runs on", () =>
  withScratch(async (scratch) => {
    await putTool(scratch.workspace);
    const permissions = JSON.stringify({ allow: ["tool:deploy", `write:${tool}/run`] });
    await writeTree(scratch.workspace, { ".nimlet/permissions.json": permissions });
    const touch: Calls[number] = [
      "write",
      { path: `${tool}/run`, content: script("good"), overwrite: true },
    ];
    const change = changes["by write"]!;
    const calls = [deploy, touch, deploy, change, deploy];
    const flags = ["--approve", "--ask", "deny"];
    const [first, , second, , denied] = await results(scratch, calls, flags);
    assert.deepEqual([first, second], ["good", "good"]);
    assert.match(denied!, /^approval_denied: deploy is not what was trusted/);
    await putTool(scratch.workspace);
    const yolo = await results(scratch, [deploy, change, deploy], ["--approve", "--yolo"]);
    assert.match(yolo[2]!, /^approval_denied: deploy is not what was trusted/);
  }));

Deno.test("a tool of the person's own runs as it is at the moment", () =>
  withScratch(async (scratch) => {
    await putTool(scratch.home);
    const change = bash(`sed -i s/good/better/ ../home/${tool}/run`);
    const [first, , second] = await results(scratch, [deploy, change, deploy]);
    assert.deepEqual([first, second], ["good", "better"]);
  }));

Deno.test("a change of a trusted part needs approval, a grant covers exactly its own", () =>
  withScratch(async (scratch) => {
    const { workspace } = scratch;
    await writeTree(workspace, { ".git/config": "old\n", "notes.txt": "old\n" });
    await Deno.symlink(".git", `${workspace}/docs`);
    const write = (
      path: string,
    ): Calls[number] => ["write", { path, content: "x", overwrite: true }];
    const edit = (
      path: string,
    ): Calls[number] => ["edit", { path, old_text: "old", new_text: "x" }];
    const calls = [
      write(".nimlet/config.json"),
      write(".agent/tools/new/run"),
      write(".agents/skills/s/SKILL.md"),
      write("docs/hooks/pre-commit"),
      edit(".git/config"),
      edit("docs/config"),
      edit("notes.txt"),
    ];
    const denied = await results(scratch, calls, ["--ask", "deny"]);
    for (const [index, text] of denied.slice(0, -1).entries()) {
      assert.match(
        text,
        /^approval_denied: no remembered permission covers (write|edit):\./,
        `${index}`,
      );
    }
    assert.match(denied.at(-1)!, /^path: notes\.txt/);
    assert.match(denied[3]!, /covers write:\.git\/hooks\/pre-commit,/);
    await assert.rejects(Deno.stat(`${workspace}/.nimlet`), Deno.errors.NotFound);

    await writeTree(workspace, { ".nimlet/permissions.json": '{"allow":["edit:.git/config"]}' });
    const granted = await results(scratch, [edit("docs/config"), write(".git/config")], [
      "--approve",
      "--ask",
      "deny",
    ]);
    assert.match(granted[0]!, /^path: docs\/config/);
    assert.match(
      granted[1]!,
      /^approval_denied: no remembered permission covers write:\.git\/config,/,
    );
    // Where everything runs without approval, so do these.
    const free = await results(scratch, [write(".git/hooks/x")], ["--no-approve"]);
    assert.match(free[0]!, /^path: /);
  }));

Deno.test("in the home folder as workspace nimlet's own folder is out of bounds, unasked or not", () =>
  withScratch(async (scratch) => {
    const { root, home } = scratch;
    await writeTree(home, { ".nimlet/auth.json": '{"openai":{"key":"sk-PRIVATE"}}', "a.txt": "a" });
    await Deno.symlink(".nimlet/auth.json", `${home}/key`);
    const trust = '{"folders":{"/":{"trusted":true,"parts":{}}}}';
    const play = await cassette(`${root}/c.jsonl`, [
      callAll(
        ["read", { path: ".nimlet/auth.json" }],
        ["read", { path: "key" }],
        ["grep", { pattern: "sk-", path: "." }],
        ["glob", { pattern: "**" }],
        ["write", { path: ".nimlet/trust.json", content: trust }],
        ["edit", { path: "key", old_text: "sk", new_text: "x" }],
      ),
      say("done"),
    ]);
    for (const workspace of [home, root]) {
      const flags = [
        "--cwd",
        workspace,
        "--yolo",
        "--mode",
        "json",
        "look @.nimlet/auth.json @key",
      ];
      const { stdout } = await runProgram([...play, ...flags], { cwd: scratch.workspace });
      assert.doesNotMatch(stdout, /PRIVATE/);
      await assert.rejects(Deno.stat(`${home}/.nimlet/trust.json`), Deno.errors.NotFound);
    }
  }));

consoleTest(
  "a tool that was changed is asked about every time, until a reload takes it over",
  {
    steps: [
      callAll(deploy, bash(`sed -i s/good/other/ ${tool}/run`), deploy),
      say("first."),
      call(...deploy),
      say("second."),
    ],
    prepare: async ({ workspace, home }) => {
      await putTool(workspace);
      const entry = { trusted: true, parts: {} };
      const folders = { [workspace.replace(/\/[^/]*$/, "")]: entry };
      await writeTree(home, { ".nimlet/trust.json": JSON.stringify({ folders }) });
    },
  },
  async (terminal) => {
    await terminal.ready();
    await terminal.type("go");
    await terminal.press("Enter");
    await terminal.waitFor("[s] session");
    await terminal.press("s");
    await terminal.waitFor("bash wants to run");
    await terminal.press("Enter");
    await terminal.waitFor("is not what was trusted: .nimlet/tools/deploy was changed");
    await terminal.waitFor("[enter] once  [n] deny");
    await terminal.press("n");
    await terminal.waitFor("first.");
    await terminal.ready();
    await terminal.type("/reload");
    await terminal.press("Enter");
    await terminal.waitFor("[y/N]");
    await terminal.type("y");
    await terminal.press("Enter");
    await terminal.ready();
    await terminal.type("again");
    await terminal.press("Enter");
    await terminal.waitFor("second.");
    await quit(terminal);
  },
);
