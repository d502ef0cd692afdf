import assert from "node:assert/strict";
import { join } from "node:path";
import { call, say } from "../support/cassette.ts";
import { consoleTest, quit } from "./console_support.ts";

consoleTest("/help lists every command, and Tab completes them", {
  steps: [say("unused")],
}, async (terminal) => {
  await terminal.ready();
  const help = await terminal.submit("/help");
  const names = [
    ...["/help", "/plan", "/act", "/model [ID]", "/provider [NAME [MODEL]]", "/thinking [LEVEL]"],
    ...["/session", "/new", "/resume [ID]", "/name [NAME]", "/compact [INSTRUCTION]", "/stats"],
    ...["/tools", "/permissions [clear]", "/trust [on|off]", "/yolo [off]", "/doctor [test]"],
    ...["/reload", "/skill:NAME [TEXT]", "/version", "/quit", "!COMMAND", "!!COMMAND", "Ctrl-C"],
  ];
  for (const name of names) {
    const line = help.split("\n").find((line) => line.startsWith(`${name} `));
    assert.match(line?.slice(name.length) ?? "", /^ +[a-z][^\n]{5,}$/, name);
  }
  await terminal.type("/ver");
  await terminal.press("Tab");
  await terminal.waitFor(/> \/version $|> \/version$/);
  await terminal.press("Enter");
  await terminal.waitFor(/nimlet \d+\.\d+\.\d+\n> ?$/);
  await terminal.type("/yolo o");
  await terminal.press("Tab");
  await terminal.waitFor(/> \/yolo off$/);
  await terminal.press("C-c");
  await terminal.ready();
  await terminal.type("/quit");
  await terminal.press("Enter");
  assert.equal(await terminal.exit(), 0);
});

consoleTest("wrong arguments get the exact usage, unknown names a hint", {
  steps: [say("unused")],
}, async (terminal) => {
  await terminal.ready();
  const usages: [string, string][] = [
    ["/help me", "/help"],
    ["/plan now", "/plan"],
    ["/act now", "/act"],
    ["/model a b", "/model [ID]"],
    ["/provider a b c", "/provider [NAME [MODEL]]"],
    ["/thinking a b", "/thinking [LEVEL]"],
    ["/thinking hard", "/thinking [LEVEL]"],
    ["/session x", "/session"],
    ["/new x", "/new"],
    ["/fork x", "/fork"],
    ["/stats x", "/stats"],
    ["/tools x", "/tools"],
    ["/permissions x", "/permissions [clear]"],
    ["/trust maybe", "/trust [on|off]"],
    ["/yolo on", "/yolo [off]"],
    ["/doctor x", "/doctor [test]"],
    ["/reload x", "/reload"],
    ["/version x", "/version"],
    ["/quit now", "/quit"],
  ];
  for (const [line, usage] of usages) {
    const shown = await terminal.submit(line);
    assert.equal(shown.slice(shown.indexOf("\n")).trimEnd(), `\nusage: ${usage}\n>`, line);
  }
  assert.match(await terminal.submit("/foo"), /\nUnknown command '\/foo'; try \/help\n> ?$/);
  assert.match(
    await terminal.submit("/modle x"),
    /\nUnknown command '\/modle' \(did you mean \/model\?\); try \/help\n/,
  );
  assert.match(await terminal.submit("/"), /\nUnknown command '\/'; try \/help\n/);
  assert.match(await terminal.submit("/foo bar baz"), /\nUnknown command '\/foo'; try \/help\n/);
  assert.match(
    await terminal.submit("/skill:none x"),
    /\nUnknown command '\/skill:none'; try \/help\n/,
  );
  await quit(terminal);
});

consoleTest("modes: /plan, /act, /yolo", {
  steps: [
    call("write", { path: "a.txt", content: "x" }),
    say("planned"),
    call("bash", { command: "echo unasked" }),
    say("done"),
  ],
}, async (terminal) => {
  await terminal.ready();
  assert.match(await terminal.submit("/plan"), /Plan mode.*\nplan > ?$/);
  assert.doesNotMatch(await terminal.submit("/tools"), /\nwrite|\nbash/);
  assert.match(await terminal.submit("go"), /Tool unavailable in plan mode/);
  assert.match(await terminal.submit("/act"), /Act mode.*\n> ?$/);
  assert.match(await terminal.submit("/tools"), /\nwrite +write\n/);
  assert.match(await terminal.submit("/yolo"), /approved.*\nyolo > ?$/);
  const shown = await terminal.submit("go");
  assert.match(shown, /unasked/);
  assert.doesNotMatch(shown, /\[enter\]/);
  assert.match(await terminal.submit("/yolo off"), /need approval again.*\n> ?$/);
  await quit(terminal);
});

consoleTest("/model, /provider and /thinking choose, and say what cannot be", {
  steps: [say("unused")],
}, async (terminal, { home }) => {
  await terminal.ready();
  assert.match(await terminal.submit("/model"), /\nModel: .*model\.jsonl \(replay\)\n/);
  assert.match(await terminal.submit("/model missing.jsonl"), /error: .*no such cassette/);
  assert.match(await terminal.submit("/provider"), /\nProviders: openrouter, openai, /);
  assert.match(await terminal.submit("/provider opnai"), /error: .*did you mean openai/);
  assert.match(await terminal.submit("/provider openai"), /error: .*OPENAI_API_KEY/);
  assert.match(await terminal.submit("/provider local qwen"), /\nModel: qwen \(local\)\n/);
  const config = JSON.parse(await Deno.readTextFile(join(home, ".nimlet/config.json")));
  assert.deepEqual(config, { providers: { local: { last_model: "qwen" } } });
  assert.match(await terminal.submit("/model other"), /\nModel: other \(local\)\n/);
  assert.match(await terminal.submit("/doctor"), /\nprovider: local\nmodel: other\nendpoint: http/);
  assert.match(await terminal.submit("/thinking"), /\nThinking: the model's default\n/);
  assert.match(await terminal.submit("/thinking high"), /\nThinking: high\n/);
  assert.match(await terminal.submit("/thinking default"), /\nThinking: the model's default\n/);
  await quit(terminal);
});

consoleTest("sessions: /name, /session, /new, /resume, /stats, /compact", {
  steps: [
    say("first answer"),
    say("A summary."),
    say("second answer"),
    [{ type: "expect", last_message: "third" }, ...say("third answer")],
  ],
}, async (terminal) => {
  await terminal.ready();
  await terminal.submit("first prompt");
  assert.match(await terminal.submit("/name the first one"), /\nName: the first one\n/);
  const first = /Session: (\S+) the first one\nFile: \S+\.jsonl\n/.exec(
    await terminal.submit("/session"),
  )![1]!;
  assert.match(await terminal.submit("/stats"), /\nMessages: 2, tool calls: 0\n.*\nTokens in: 10 /);
  assert.match(await terminal.submit("/compact"), /note: older messages were summarised/);
  const second = /New session: (\S+)\n/.exec(await terminal.submit("/new"))![1]!;
  assert.notEqual(first, second);
  assert.match(await terminal.submit("/stats"), /\nMessages: 0, tool calls: 0\n/);
  assert.match(await terminal.submit("/compact"), /nothing older to summarise/);
  await terminal.submit("second prompt");
  assert.match(await terminal.submit("/session"), new RegExp(`\n  ${first}  .*the first one\n`));
  assert.match(
    await terminal.submit("/resume"),
    new RegExp(`\nResumed: ${first} the first one, 2 messages\n`),
  );
  assert.match(await terminal.submit("third prompt"), /third answer/);
  assert.match(await terminal.submit("/stats"), /\nMessages: 4, /);
  assert.match(await terminal.submit(`/resume ${first}`), /error: that is the current session/);
  assert.match(await terminal.submit("/resume nothing-like-it"), /error: there is no session/);
  assert.match(
    await terminal.submit(`/resume ${second}`),
    new RegExp(`\nResumed: ${second}, 2 messages\n`),
  );
  await quit(terminal);
});

consoleTest("/fork goes on with a copy, /export writes a page", {
  steps: [say("first answer"), say("answer of the copy")],
}, async (terminal, { workspace, home }) => {
  await terminal.ready();
  assert.match(await terminal.submit("/fork"), /error: nothing is kept of this session yet/);
  await terminal.submit("first prompt");
  const id = /Session: (\S+)/.exec(await terminal.submit("/session"))![1]!;
  const copy = /Copied: this is (\S+) now/.exec(await terminal.submit("/fork"))![1]!;
  assert.notEqual(id, copy);
  assert.match(await terminal.submit("go on"), /answer of the copy/);
  assert.match(await terminal.submit("/export page.html"), /Written: \S+page\.html\n/);
  assert.match(await terminal.submit("/export page.html"), /error: .* is there already/);
  assert.match(await Deno.readTextFile(join(workspace, "page.html")), /answer of the copy/);
  const kept = await Deno.readTextFile(join(home, `.nimlet/sessions/${id}.jsonl`));
  assert.doesNotMatch(kept, /answer of the copy/);
  await quit(terminal);
});

const toolJson = (name: string) =>
  JSON.stringify({
    name,
    description: "Says hello.",
    command: ["hello"],
    input_schema: { type: "object" },
    capabilities: ["read"],
  });

async function addTool(workspace: string, name: string): Promise<void> {
  const folder = join(workspace, ".nimlet/tools", name);
  await Deno.mkdir(folder, { recursive: true });
  await Deno.writeTextFile(join(folder, "tool.json"), toolJson(name));
  await Deno.writeTextFile(join(folder, "hello"), "#!/bin/sh\necho '\"hello\"'\n", { mode: 0o755 });
}

consoleTest("trust is asked for once, /trust changes it, /reload finds new tools", {
  steps: [say("unused")],
  prepare: ({ workspace }) => addTool(workspace, "hello_tool"),
}, async (terminal, { workspace }) => {
  const asked = await terminal.waitFor(/Trust this folder\? \[y\/N\] ?$/);
  assert.match(asked, /\.nimlet\/tools/);
  await terminal.press("Enter");
  await terminal.ready();
  assert.doesNotMatch(await terminal.submit("/tools"), /hello_tool/);
  assert.match(await terminal.submit("/trust"), /not trusted. It brings:\n {2}\.nimlet\/tools/);
  assert.match(await terminal.submit("/trust on"), /This folder is trusted/);
  assert.match(await terminal.submit("/tools"), /\nhello_tool +read .*tool\.json/);
  await addTool(workspace, "other_tool");
  await terminal.type("/reload");
  await terminal.press("Enter");
  assert.match(await terminal.waitFor(/\[y\/N\] ?$/), /since you trusted|has changed/i);
  await terminal.type("y");
  await terminal.press("Enter");
  await terminal.waitFor(/Reloaded: \d+ tools\.\n> ?$/);
  assert.match(await terminal.submit("/tools"), /\nother_tool /);
  assert.match(await terminal.submit("/trust off"), /not trusted/);
  assert.doesNotMatch(await terminal.submit("/tools"), /hello_tool|other_tool/);
  await quit(terminal);
});

consoleTest("a stranger's folder configures, allows and runs nothing before trust", {
  steps: [call("bash", { command: "echo asked all the same" }), say("over")],
  prepare: async ({ workspace }) => {
    await addTool(workspace, "evil_tool");
    const own = (path: string) => join(workspace, ".nimlet", path);
    await Deno.writeTextFile(
      own("permissions.json"),
      '{ "allow": ["bash:echo asked all the same"] }',
    );
    await Deno.writeTextFile(
      own("config.json"),
      '{ "permissions": { "headless": "allow" }, "agent": { "thinking": "max" } }',
    );
    await Deno.writeTextFile(own("SYSTEM.md"), "Evil.");
    await Deno.mkdir(own("prompts"));
    await Deno.writeTextFile(own("prompts/evil.md"), "Evil.");
  },
}, async (terminal) => {
  const asked = await terminal.waitFor(/\[y\/N\] ?$/);
  for (const part of ["permissions.json", "config.json", "SYSTEM.md", "prompts", "evil_tool"]) {
    assert.ok(asked.includes(part), part);
  }
  await terminal.press("n", "Enter");
  await terminal.ready();
  assert.doesNotMatch(await terminal.submit("/tools"), /evil/);
  assert.match(await terminal.submit("/evil"), /Unknown command/);
  assert.match(await terminal.submit("/thinking"), /the model's default/);
  assert.match(await terminal.submit("/permissions"), /none, as it is not trusted/);
  await terminal.type("go");
  await terminal.press("Enter");
  await terminal.waitFor(/\[enter\] once {2}\[s\] session {2}\[n\] deny ?$/);
  await terminal.press("n");
  await terminal.waitFor(/over\n\d+ s · .*\n> ?$/);
  await quit(terminal);
});

consoleTest("templates and skills are sent, a path is a prompt", {
  steps: [
    [{ type: "expect", last_message: "Review the file src now." }, ...say("reviewed")],
    [{ type: "expect", last_message: "Be careful." }, ...say("followed")],
    [{ type: "expect", last_message: "/etc is a folder" }, ...say("a path")],
    [{ type: "expect", last_message: "/plan is what I mean, no command" }, ...say("text")],
  ],
  prepare: async ({ home }) => {
    await Deno.mkdir(join(home, ".nimlet/prompts"), { recursive: true });
    await Deno.writeTextFile(join(home, ".nimlet/prompts/review.md"), "Review the file $1 now.\n");
    await Deno.writeTextFile(join(home, ".nimlet/prompts/plan.md"), "Never sent.\n");
    await Deno.mkdir(join(home, ".nimlet/skills/careful"), { recursive: true });
    await Deno.writeTextFile(
      join(home, ".nimlet/skills/careful/SKILL.md"),
      "---\nname: careful\ndescription: Care.\n---\nBe careful.\n",
    );
  },
}, async (terminal) => {
  await terminal.ready();
  const help = await terminal.submit("/help");
  assert.match(help, /\n\/review +/);
  assert.match(help, /\n\/skill:careful +Care\./);
  assert.match(await terminal.submit("/review src"), /reviewed/);
  assert.match(await terminal.submit("/skill:careful"), /followed/);
  assert.match(await terminal.submit("/etc is a folder"), /a path/);
  assert.match(await terminal.submit("/plan"), /Plan mode/);
  assert.match(await terminal.submit(" /plan is what I mean, no command"), /text/);
  await quit(terminal);
});

consoleTest("-i runs the prompt given and stays", {
  steps: [say("answer to the words"), say("answer to the line")],
  args: ["-i", "some", "words"],
}, async (terminal) => {
  assert.match(await terminal.ready(), /answer to the words\n\d+ s · .*\n> ?$/);
  assert.match(await terminal.submit("a line"), /answer to the line/);
  await quit(terminal);
});

consoleTest("/doctor test asks the model", { steps: [say("OK")] }, async (terminal) => {
  await terminal.ready();
  assert.match(await terminal.submit("/doctor test"), /\ntest: .* answered in \d+ ms\n/);
  assert.match(await terminal.submit("/doctor test"), /\ntest: failed: .*no step 2/);
  await quit(terminal);
});
