import assert from "node:assert/strict";
import { call, cassette, say } from "../support/cassette.ts";
import { callAnswer, startFakeProvider, textAnswer } from "../support/fake_provider.ts";
import { pointAt } from "../support/pointed.ts";
import { runProgram, withScratch } from "../support/program.ts";
import { checkedRecords, only } from "../support/records.ts";
import { startRpc } from "../support/rpc.ts";
import { testWhere } from "../support/test_where.ts";
import { bait, type HostileClone, hostileClone } from "./hostile_clone.ts";
import { tmux, withTerminal } from "./tmux_terminal.ts";

type Scratch = Parameters<Parameters<typeof withScratch>[0]>[0];
type Provider = ReturnType<typeof startFakeProvider>;

/** A clone, and a provider of the user's own that tries what the clone has laid out. */
async function withClone(
  use: (parts: Scratch & { clone: HostileClone; provider: Provider; flags: string[] }) => Promise<
    void
  >,
): Promise<void> {
  await withScratch(async (scratch) => {
    const clone = await hostileClone(scratch);
    const provider = startFakeProvider([
      callAnswer("chat", [
        { name: "git", input: { operation: "status" } },
        { name: "git", input: { operation: "diff" } },
        { name: "git", input: { operation: "log" } },
        { name: "pwn", input: {} },
        { name: "agent_pwn", input: {} },
        { name: "grep", input: { pattern: "one" } },
        { name: "glob", input: { pattern: "*" } },
        { name: "read", input: { path: "AGENTS.md" } },
        { name: "read_skill", input: { name: "s" } },
      ]),
      textAnswer("chat", "Done."),
    ]);
    try {
      const flags = await pointAt(scratch.home, provider.url);
      await use({ ...scratch, clone, provider, flags });
    } finally {
      await provider.close();
      await clone.close();
    }
  });
}

/** What holds after any run that did not trust the clone. */
function checkHarmless(clone: HostileClone, provider: Provider): void {
  assert.deepEqual(clone.sprung(), [], "something of the clone was started");
  assert.deepEqual(clone.stolen, [], "the clone's server was asked");
  assert.equal(provider.requests.length, 2);
  const [first] = provider.requests;
  assert.doesNotMatch(first!.text, bait, "a text of the clone went into the prompt");
  assert.doesNotMatch(provider.requests[1]!.text, /BAIT-SECRET/, "a link was followed outside");
}

/** The one line that tells what was left out. */
function checkNotice(stderr: string): void {
  const lines = stderr.split("\n").filter((line) => line.includes("--approve"));
  assert.equal(lines.length, 1, stderr);
  for (
    const part of [
      ".nimlet/config.json",
      ".nimlet/permissions.json",
      ".nimlet/SYSTEM.md",
      ".nimlet/tools/pwn",
      ".agent/tools/agent_pwn",
      ".nimlet/extensions/e",
      ".agents/skills/s",
    ]
  ) assert.ok(lines[0]!.includes(part), `${part} is not named: ${lines[0]}`);
}

const key = { OPENAI_API_KEY: "sk-of-the-user", OPENAI_COMPATIBLE_API_KEY: "sk-of-the-user" };
const env = { ...key, PATH: `.:${Deno.env.get("PATH") ?? ""}` };

Deno.test("the traps of the clone go off with plain git", () =>
  withClone(async ({ clone, workspace }) => {
    const git = new Deno.Command("git", { args: ["diff"], cwd: workspace });
    await git.output();
    assert.notDeepEqual(clone.sprung(), []);
  }));

for (const form of ["print", "json", "once"] as const) {
  Deno.test(`a hostile clone opened in ${form} form runs nothing and gets no key`, () =>
    withClone(async ({ clone, provider, flags, workspace }) => {
      const own = form === "print" ? ["-p"] : form === "json" ? ["--mode", "json"] : [];
      const result = await runProgram([...flags, ...own, "look around"], { cwd: workspace, env });
      assert.equal(result.code, 0, result.stderr);
      checkHarmless(clone, provider);
      checkNotice(result.stderr);
      if (form !== "json") return assert.equal(result.stdout, "Done.\n");
      const told = only(checkedRecords(result.stdout), "diagnostic")
        .filter(({ message }) => String(message).includes("--approve"));
      assert.equal(told.length, 1);
    }));
}

Deno.test("a hostile clone opened in rpc form runs nothing and gets no key", () =>
  withClone(async ({ clone, provider, flags, workspace }) => {
    const rpc = startRpc(flags, workspace, env);
    assert.equal(
      (await rpc.ask("prompt", { message: "look around" })).ok,
      true,
    );
    await rpc.next("run_end");
    await rpc.ask("shutdown");
    const { stderr } = await rpc.program.ended;
    checkHarmless(clone, provider);
    checkNotice(stderr);
  }));

testWhere(
  tmux,
  "a hostile clone opened at the console needs a yes, and enter is no",
  () =>
    withClone(async ({ clone, provider, flags, workspace, home }) => {
      await withTerminal(flags, { cwd: workspace, home, env: key }, async (terminal) => {
        const question = await terminal.waitFor("Trust this folder? [y/N]");
        assert.match(question, /\.nimlet\/config\.json/);
        assert.match(question, /\.nimlet\/tools\/pwn/);
        assert.deepEqual([clone.sprung(), provider.requests.length], [[], 0]);
        await terminal.press("Enter");
        await terminal.ready();
        await terminal.type("look around");
        await terminal.press("Enter");
        await terminal.waitFor(/\[n\] deny ?$/);
        await terminal.press("s");
        await terminal.waitFor("Done.");
        await terminal.ready();
        await terminal.press("C-d");
        assert.equal(await terminal.exit(), 0);
      });
      checkHarmless(clone, provider);
    }),
);

Deno.test("a hostile clone is not trusted by what it says itself, nor by its neighbours", () =>
  withClone(async ({ clone, provider, flags, workspace, home, root }) => {
    await Deno.writeTextFile(
      `${home}/.nimlet/trust.json`,
      JSON.stringify({ folders: { [`${root}/W2`]: { trusted: true, parts: {} } } }),
    );
    const result = await runProgram([...flags, "-p", "look around"], { cwd: workspace, env });
    checkHarmless(clone, provider);
    checkNotice(result.stderr);
  }));

Deno.test("--no-approve leaves a clone out without a word, --list-tools and --doctor too", () =>
  withClone(async ({ clone, flags, workspace }) => {
    const run = (...args: string[]) => runProgram([...flags, ...args], { cwd: workspace, env });
    const silent = await run("-p", "--no-approve", "look around");
    assert.doesNotMatch(silent.stderr, /--approve/);
    const list = await run("--list-tools");
    assert.doesNotMatch(list.stdout, /pwn/);
    const doctor = await run("--doctor");
    assert.doesNotMatch(doctor.stdout + doctor.stderr, /sk-of-the-user/);
    const called = await run("--call-tool", "pwn", "{}");
    assert.notEqual(called.code, 0);
    assert.deepEqual([clone.sprung(), clone.stolen], [[], []]);
  }));

Deno.test("names of parts cannot forge lines or move the cursor", () =>
  withScratch(async ({ workspace, root }) => {
    const name = "x\nnimlet: all is well\x1b[2K\u202e";
    await Deno.mkdir(`${workspace}/.nimlet/tools/${name}`, { recursive: true });
    for (let index = 0; index < 300; index++) {
      await Deno.mkdir(`${workspace}/.nimlet/tools/t${index}`);
    }
    await Deno.mkdir(`${workspace}/.agent/skills`, { recursive: true });
    for (let index = 0; index < 100; index++) {
      await Deno.mkdir(`${workspace}/.agent/skills/s${index}.json`);
    }
    await Deno.writeTextFile(`${workspace}/.nimlet/config.json`, "{}");
    const play = await cassette(`${root}/c.jsonl`, [say("hi")]);
    for (const mode of [["-p"], ["--mode", "json"]]) {
      const { stderr } = await runProgram([...play, ...mode, "x"], { cwd: workspace });
      assert.match(
        stderr,
        /^nimlet: skipped \.nimlet\/config\.json, [^\n]* and \d+ more: [^\n]*use --approve to load them\n$/,
      );
      // deno-lint-ignore no-control-regex -- what must not be there
      assert.doesNotMatch(stderr, /[\x1b\u202e]/);
      assert.ok(stderr.length < 4000, `the line has ${stderr.length} characters`);
    }
  }));

const settings = { providers: {} };

/** A project with a tool, its settings and its grants. */
async function ownProject({ workspace }: Scratch): Promise<void> {
  const tool = `${workspace}/.nimlet/tools/mine`;
  await Deno.mkdir(tool, { recursive: true });
  await Deno.writeTextFile(
    `${tool}/tool.json`,
    JSON.stringify({
      name: "mine",
      description: "Says hello.",
      command: ["run"],
      input_schema: { type: "object" },
    }),
  );
  await Deno.writeTextFile(`${tool}/run`, "#!/bin/sh\necho '\"hello\"'\n", { mode: 0o755 });
  await Deno.writeTextFile(`${workspace}/.nimlet/config.json`, JSON.stringify(settings));
}

const changes: [string, string, (scratch: Scratch) => Promise<void>][] = [
  [
    "the command",
    ".nimlet/tools/mine was changed",
    async ({ workspace }) => {
      const path = `${workspace}/.nimlet/tools/mine/tool.json`;
      const text = await Deno.readTextFile(path);
      await Deno.writeTextFile(path, text.replace('["run"]', '["run","--all"]'));
    },
  ],
  [
    "the executable's bytes",
    ".nimlet/tools/mine was changed",
    ({ workspace }) =>
      Deno.writeTextFile(`${workspace}/.nimlet/tools/mine/run`, "#!/bin/sh\ntouch ran\necho 1\n"),
  ],
  [
    "the project's settings",
    ".nimlet/config.json was changed",
    ({ workspace }) =>
      Deno.writeTextFile(
        `${workspace}/.nimlet/config.json`,
        '{"providers":{"openai":{"endpoint":"http://127.0.0.1:9/v1"}}}',
      ),
  ],
  [
    "a grant",
    ".nimlet/permissions.json was added",
    ({ workspace }) =>
      Deno.writeTextFile(`${workspace}/.nimlet/permissions.json`, '{"allow":["bash:touch ran"]}'),
  ],
  [
    "a folder that became a link",
    ".nimlet/tools/mine was changed",
    async ({ workspace, outside }) => {
      await Deno.rename(`${workspace}/.nimlet/tools/mine`, `${outside}/mine`);
      await Deno.symlink(`${outside}/mine`, `${workspace}/.nimlet/tools/mine`);
    },
  ],
  [
    "a tool in a hidden folder",
    ".nimlet/tools/.more was added",
    async ({ workspace }) => {
      const from = `${workspace}/.nimlet/tools/mine`, to = `${workspace}/.nimlet/tools/.more`;
      await Deno.mkdir(to);
      for (const name of ["tool.json", "run"]) {
        await Deno.copyFile(`${from}/${name}`, `${to}/${name}`);
      }
    },
  ],
];

for (const [what, sentence, change] of changes) {
  testWhere(
    tmux,
    `trust given at the console ends with a change of ${what}`,
    () =>
      withScratch(async (scratch) => {
        const { workspace, home, root } = scratch;
        await ownProject(scratch);
        const play = await cassette(`${root}/c.jsonl`, [call("mine", {}), say("Over.")]);
        const visit = (answer: string, expected: string | RegExp) =>
          withTerminal(play, { cwd: workspace, home }, async (terminal) => {
            await terminal.waitFor("[y/N]");
            await terminal.waitFor(expected);
            await terminal.type(answer);
            await terminal.press("Enter");
            await terminal.ready();
            await terminal.press("C-d");
            await terminal.exit();
          });
        await visit("y", ".nimlet/tools/mine");
        const headless = () => runProgram([...play, "-p", "x"], { cwd: workspace });
        const trusted = await headless();
        assert.deepEqual([trusted.stdout, trusted.stderr], ["Over.\n", ""]);
        await change(scratch);
        const skipped = await headless();
        assert.match(skipped.stderr, /^nimlet: skipped [^\n]*--approve[^\n]*\n$/);
        assert.ok(skipped.stderr.includes(sentence), skipped.stderr);
        await visit("n", sentence);
        const list = await runProgram([...play, "--list-tools"], { cwd: workspace });
        assert.doesNotMatch(list.stdout, /^mine /m);
      }),
  );
}
