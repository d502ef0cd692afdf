/** The hooks of docs/examples/hooks work as docs/hooks.md shows them. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { call, callAll, say } from "../support/cassette.ts";
import { type HookRunOptions, hookSettings, withHookRun } from "../support/hooks.ts";
import { withHookClient } from "../support/hook_rpc.ts";
import { runProgram, withScratch } from "../support/program.ts";
import { installed, testWhere } from "../support/test_where.ts";

const docs = new URL("../../docs/", import.meta.url);
const page = await Deno.readTextFile(new URL("hooks.md", docs));
const example = (name: string) => Deno.readTextFileSync(new URL(`examples/hooks/${name}`, docs));
const script = (name: string) => ({ [`home/hooks/${name}`]: example(name) });
const at = (name: string) => `~/hooks/${name}`;
const bash = (command: string) => call("bash", { command });

Deno.test("docs: every example of a hook is shown whole", () => {
  for (const { name } of Deno.readDirSync(new URL("examples/hooks/", docs))) {
    assert.ok(page.includes(example(name)), name);
  }
});

Deno.test("docs: the first hook denies what it says, and --try-hook shows it", () =>
  withScratch(async ({ workspace, home }) => {
    const [, settings] = /```json\n([^]*?)```/.exec(page)!;
    const [, text] = /```sh\n([^]*?)```/.exec(page)!;
    const [, args, shown] = /```\n\$ nimlet (--try-hook [^\n]*)\n([^]*?)```/.exec(page)!;
    await Deno.mkdir(join(home, ".nimlet"));
    await Deno.mkdir(join(home, "bin"));
    await Deno.writeTextFile(join(home, ".nimlet/config.json"), settings!);
    await Deno.writeTextFile(join(home, "bin/no-push.sh"), text!, { mode: 0o755 });
    const words = args!.match(/'[^']*'|\S+/g)!.map((word) => word.replace(/^'|'$/g, ""));
    const { stdout } = await runProgram(words, { cwd: workspace, env: { HOME: home } });
    const plain = (output: string) => output.replace(/[\d.]+ ms/, "N ms");
    assert.equal(plain(stdout), plain(shown!));
  }));

async function withDeno(options: HookRunOptions, use: Parameters<typeof withHookRun>[1]) {
  const bin = await Deno.makeTempDir();
  try {
    await Deno.symlink(Deno.execPath(), join(bin, "deno"));
    const PATH = `${bin}:${Deno.env.get("PATH")}`;
    await withHookRun({ ...options, env: { PATH, ...options.env } }, use);
  } finally {
    await Deno.remove(bin, { recursive: true });
  }
}

Deno.test("docs: the formatter formats after an edit, and tells what it cannot", () =>
  withDeno({
    settings: hookSettings({
      event: "PostToolUse",
      matcher: "Edit|Write",
      command: at("format-after-edit.sh"),
    }),
    files: script("format-after-edit.sh"),
    steps: [
      call("write", { path: "a.json", content: `{"a":1,\n"b":2}` }),
      call("edit", { path: "a.json", old_text: `"a": 1`, new_text: `"a":[1,2]` }),
      call("write", { path: "b.json", content: "{" }),
      call("write", { path: "c.txt", content: "as  it is" }),
      say("ok"),
    ],
  }, async ({ outputs, place }) => {
    assert.match(outputs[0]!, /\[hook format-after-edit\.sh changed the file: version \w+\]/);
    assert.match(outputs[0]!, /^\+.*"a": 1/m);
    assert.match(outputs[1]!, /changed the file/);
    assert.match(
      await Deno.readTextFile(join(place.workspace, "a.json")),
      /"a": \[1, 2\]/,
    );
    assert.match(outputs[2]!, /\[hook format-after-edit\.sh: deno cannot format .*b\.json/);
    assert.doesNotMatch(outputs[3]!, /hook/);
  }));

testWhere(installed("python3"), "docs: protected files stay as they are", () =>
  withHookRun({
    settings: hookSettings({
      matcher: "Edit|MultiEdit|Write",
      command: at("protect-files.py"),
      required: true,
    }),
    files: { ...script("protect-files.py"), "W/deno.lock": "{}\n" },
    steps: [
      callAll(
        ["write", { path: ".env", content: "x" }],
        ["edit", { path: "deno.lock", old_text: "{}", new_text: "[]" }],
        ["write", { path: ".git/config", content: "x" }],
        ["write", { path: "own.txt", content: "x" }],
      ),
      say("ok"),
    ],
  }, async ({ outputs, place }) => {
    const denied = outputs.filter((output) =>
      /^approval_denied: hook protect-files\.py: .* is protected; say/.test(output)
    );
    assert.equal(denied.length, 3, outputs.join("\n"));
    assert.ok((await Deno.stat(join(place.workspace, "own.txt"))).isFile);
  }));

testWhere(installed("jq"), "docs: pushes are asked about, npm becomes pnpm", () =>
  withHookClient({
    settings: hookSettings({ matcher: "Bash", command: at("check-command.sh") }),
    files: {
      ...script("check-command.sh"),
      "home/bin/pnpm": "#!/bin/sh\necho pnpm $1 ran\n",
    },
    steps: [bash("git push"), bash("npm test"), bash("echo fine"), say("ok")],
    args: ["--yolo"],
    env: { PATH: `${Deno.env.get("PATH")}` },
  }, async (client) => {
    const outputs = await client.prompt("go", "deny");
    assert.deepEqual(client.questions().map(({ asked_by }) => asked_by), [
      "hook check-command.sh: it pushes",
    ]);
    assert.equal(outputs[0], "approval_denied: the person said no");
    assert.match(outputs[2]!, /fine/);
    const [npm] = client.seen.filter(({ type, input }) =>
      type === "tool_result" && input !== undefined
    );
    assert.deepEqual(npm!.input, { command: "pnpm test" });
  }));

testWhere(installed("node"), "docs: the model is told what it cannot know", () =>
  withHookRun({
    settings: hookSettings(
      { event: "SessionStart", command: at("context.mjs") },
      { event: "UserPromptSubmit", command: at("context.mjs") },
    ),
    files: { ...script("context.mjs"), "W/NOTES.md": "Tabs, not blanks.\n" },
    steps: [say("ok")],
    prompt: "deploy it",
  }, async ({ place }) => {
    const folder = join(place.home, ".nimlet/sessions");
    let text = "";
    for (const { name } of Deno.readDirSync(folder)) {
      text += await Deno.readTextFile(join(folder, name));
    }
    assert.match(text, /\[hook context\.mjs: Tabs, not blanks\.\]/);
    assert.match(text, /\[hook context\.mjs: Deployments are frozen until Monday\.\]/);
  }));
