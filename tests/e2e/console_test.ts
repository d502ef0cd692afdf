import assert from "node:assert/strict";
import { join } from "node:path";
import { call, say } from "../support/cassette.ts";
import { consoleTest, pressUntil, quit } from "./console_support.ts";

const touch = call("bash", { command: "echo made > made.txt" });
const isThere = (path: string) => Deno.stat(path).then(() => true, () => false);

consoleTest("a prompt is answered, tools run, Ctrl-D quits", {
  steps: [
    call("write", { path: "a.txt", content: "one\n" }),
    call("edit", { path: "a.txt", old_text: "one", new_text: "two" }),
    say("All is done."),
  ],
}, async (terminal, { workspace }) => {
  await terminal.ready();
  const shown = await terminal.submit("change it");
  assert.match(shown, /● write a\.txt {2}✓ \d+(\.\d+)? m?s, \d+ B\n/);
  assert.match(shown, /● edit a\.txt[^\n]*\n(.*\n)*? *-one\n *\+two\n/);
  assert.match(shown, /\nAll is done\.\n\d+ s · .*\n> ?$/);
  assert.equal(await Deno.readTextFile(join(workspace, "a.txt")), "two\n");
  await quit(terminal);
});

consoleTest("the permission question takes each of its keys", {
  args: ["--approve"],
  steps: [
    [...touch],
    say("first"),
    [...touch],
    say("second"),
    call("bash", { command: "echo other" }),
    say("third"),
    call("bash", { command: "echo other" }),
    say("fourth"),
    call("bash", { command: "echo kept" }),
    say("fifth"),
    call("bash", { command: "echo kept" }),
    say("sixth"),
  ],
}, async (terminal, { workspace }) => {
  const question = /\[enter\] once {2}\[s\] session {2}\[p\] project {2}\[n\] deny ?$/;
  const made = join(workspace, "made.txt");
  await terminal.ready();
  async function ask(prompt: string, key: string, end: string): Promise<string> {
    await terminal.type(prompt);
    await terminal.press("Enter");
    await terminal.waitFor(question);
    await terminal.press(key);
    const shown = await terminal.waitFor(end);
    await terminal.ready();
    return shown;
  }
  const denied = await ask("p1", "n", "first");
  assert.match(denied, /✗ approval_denied/);
  assert.equal(await isThere(made), false);
  await ask("p2", "Enter", "second");
  assert.equal(await isThere(made), true);
  await ask("p3", "s", "third");
  assert.doesNotMatch(await terminal.submit("p4"), /\[enter\]/);
  await ask("p5", "p", "fifth");
  assert.doesNotMatch(await terminal.submit("p6"), /\[enter\]/);
  const stored = await Deno.readTextFile(join(workspace, ".nimlet/permissions.json"));
  assert.deepEqual(JSON.parse(stored), { allow: ["bash:echo kept"] });
  const listed = await terminal.submit("/permissions");
  assert.match(listed, /For this session:\s+bash:echo other\nFor this project:\s+bash:echo kept\n/);
  assert.match(await terminal.submit("/permissions clear"), /2 permissions were forgotten/);
  assert.match(await terminal.submit("/permissions"), /session: none\n.*project: none\n/);
  assert.match(await terminal.submit("/permissions all"), /usage: \/permissions \[clear\]/);
  await quit(terminal);
});

consoleTest("a question shows what would be hidden, and is no place for text typed before", {
  steps: [
    call("bash", { command: `ls\r\x1b[2Kecho x \u202e\u200b${"\n".repeat(300)}echo y` }),
    say("over"),
  ],
}, async (terminal) => {
  await terminal.ready();
  await terminal.type("go");
  await terminal.press("Enter");
  const shown = await terminal.waitFor(/\[v\] view whole ?$/);
  assert.match(shown, /ls\\r\\x1b\[2Kecho x \\u202e\\u200b\n/);
  assert.match(shown, /\[\.\.\. 299 blank lines \.\.\.\]\n\s+echo y\n/);
  await terminal.paste("n\n");
  await terminal.press("v");
  await terminal.waitFor(/\n {2}echo y\n(?:.*\n)*.*\n {2}echo y\n/);
  await terminal.press("n");
  // a paste is no answer, and waits
  await terminal.waitFor(/over\n\d+ s · .*\n> n$/);
  await terminal.press("C-c");
  await quit(terminal);
});

consoleTest("commands too involved to remember are asked about with once and deny alone", {
  steps: [call("bash", { command: "echo $(pwd)" }), say("over")],
}, async (terminal) => {
  await terminal.ready();
  await terminal.type("go");
  await terminal.press("Enter");
  await terminal.waitFor(/\(too involved to remember\)\n.*\n\[enter\] once {2}\[n\] deny ?$/);
  await terminal.press("s");
  assert.match(await pressUntil(terminal, "n", "over"), /approval_denied/);
  await quit(terminal);
});

consoleTest("a word that is typed out answers as a whole, and is no prompt", {
  steps: [
    call("bash", { command: "echo $(pwd)" }),
    say("first over"),
    call("bash", { command: "touch made" }),
    say("second over"),
  ],
}, async (terminal, { workspace }) => {
  await terminal.ready();
  for (const [prompt, word] of [["first", ["n", "o"]], ["second", ["y", "e", "s"]]] as const) {
    await terminal.type(prompt);
    await terminal.press("Enter");
    await terminal.waitFor(/\[n\] deny ?$/);
    await terminal.press(...word, "Enter");
    await terminal.waitFor(`${prompt} over`);
    const shown = await terminal.ready();
    assert.doesNotMatch(shown, /error:/);
  }
  assert.ok(await Deno.stat(join(workspace, "made")));
  assert.match(await terminal.screen(), /approval_denied/);
  await quit(terminal);
});

consoleTest("commands that may destroy are asked about each time, with once and deny alone", {
  steps: [call("bash", { command: "rm -rf nothing-here" }), say("over")],
}, async (terminal) => {
  await terminal.ready();
  await terminal.type("go");
  await terminal.press("Enter");
  await terminal.waitFor(
    /\(runs rm: needs approval every time\)\n.*\n\[enter\] once {2}\[n\] deny ?$/,
  );
  await terminal.press("s");
  await terminal.press("p");
  assert.match(await pressUntil(terminal, "n", "over"), /approval_denied/);
  await quit(terminal);
});

consoleTest("who is typing when a question comes does not answer it by that", {
  steps: [
    call("bash", { command: "touch ran" }),
    say("over"),
  ],
}, async (terminal, { workspace }) => {
  await terminal.ready();
  // the command holds the turn up until letters were typed; then its output is sent
  await terminal.type("!touch begun; while [ ! -e go ]; do sleep 0.05; done");
  await terminal.press("Enter");
  const deadline = Date.now() + 10_000;
  while (!await isThere(join(workspace, "begun"))) {
    assert.ok(Date.now() < deadline);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  await terminal.press("s");
  await Deno.writeTextFile(join(workspace, "go"), "");
  await terminal.waitFor(/\[n\] deny ?$/);
  for (const key of "psn") await terminal.press(key);
  await terminal.press("C-c");
  await terminal.waitFor(/interrupted\n\d+ s · .*\n> spsn$/);
  assert.equal(await isThere(join(workspace, "ran")), false);
  await terminal.press("C-c");
  await quit(terminal);
});

consoleTest("Ctrl-C at a question denies and ends the turn", {
  steps: [[...touch], say("not reached"), say("next")],
}, async (terminal, { workspace }) => {
  await terminal.ready();
  await terminal.type("go");
  await terminal.press("Enter");
  await terminal.waitFor(/\[n\] deny ?$/);
  await terminal.press("C-c");
  const shown = await terminal.ready();
  assert.match(shown, /interrupted/);
  assert.doesNotMatch(shown, /not reached/);
  assert.equal(await isThere(join(workspace, "made.txt")), false);
  await quit(terminal);
});

consoleTest("Ctrl-C ends a running command and leaves a history that can be gone on with", {
  args: ["--yolo"],
  steps: [
    call("bash", { command: "echo $$ > pid; echo sta''rted; sleep 300" }),
    [{ type: "text", delta: "Going on." }, ...say("").slice(1)],
  ],
}, async (terminal, { workspace, home }) => {
  await terminal.ready();
  await terminal.type("run it");
  await terminal.press("Enter");
  await terminal.waitFor("started");
  await terminal.press("C-c");
  assert.match(await terminal.ready(), /interrupted/);
  const pid = (await Deno.readTextFile(join(workspace, "pid"))).trim();
  assert.equal(await isThere(`/proc/${pid}`), false);
  assert.match(await terminal.submit("go on"), /Going on\./);
  await quit(terminal);
  const sessions = join(home, ".nimlet/sessions");
  const [file] = [...Deno.readDirSync(sessions)];
  const records = (await Deno.readTextFile(join(sessions, file!.name))).trim().split("\n")
    .map((line) => JSON.parse(line));
  const kinds = records.map((record) => record.kind);
  assert.deepEqual(kinds.slice(1), ["user", "assistant", "tool_result", "user", "assistant"]);
  assert.match(JSON.stringify(records[3]), /INTERRUPTED/);
});

consoleTest("Ctrl-C clears the line; twice on an empty line quits", {
  steps: [say("unused")],
}, async (terminal) => {
  await terminal.ready();
  await terminal.type("half a line");
  await terminal.press("C-c");
  await terminal.ready();
  await terminal.press("C-c");
  await terminal.waitFor("Ctrl-C again or Ctrl-D to quit");
  assert.equal((await terminal.screen()).includes("[exit status"), false);
  await terminal.press("C-c");
  assert.equal(await terminal.exit(), 0);
});

consoleTest("earlier lines come back with the arrow, also in a later run", {
  steps: [say("one"), say("two")],
  args: ["--no-session"],
}, async (terminal, { home }) => {
  await terminal.ready();
  await terminal.submit("first line");
  await terminal.submit("second \\\\ line");
  await terminal.press("Up", "Up");
  await terminal.waitFor(/> first line$/);
  await terminal.press("C-c");
  await quit(terminal);
  const file = join(home, ".nimlet/history");
  assert.equal(await Deno.readTextFile(file), "first line\nsecond \\\\\\\\ line\n");
  assert.equal((await Deno.stat(file)).mode! & 0o777, 0o600);
});

consoleTest("lines of an earlier run are there, the oldest beyond 500 are not kept", {
  steps: [say("one")],
  prepare: async ({ home }) => {
    await Deno.mkdir(join(home, ".nimlet"));
    const lines = Array.from({ length: 600 }, (_, index) => `line ${index + 1}\n`).join("");
    await Deno.writeTextFile(join(home, ".nimlet/history"), `${lines}several\\nlines\n`);
  },
}, async (terminal, { home }) => {
  await terminal.ready();
  await terminal.press("Up");
  await terminal.waitFor(/> several\nlines$/);
  await terminal.press("Up", "Up");
  const shown = await terminal.waitFor(/> line 600$/);
  assert.doesNotMatch(shown, /several/);
  await terminal.press("Enter");
  await terminal.waitFor(/one\n\d+ s · .*\n> ?$/);
  await quit(terminal);
  const kept = (await Deno.readTextFile(join(home, ".nimlet/history"))).trimEnd().split("\n");
  assert.equal(kept.length, 500);
  assert.deepEqual([kept[0], kept.at(-1)], ["line 103", "line 600"]);
});

consoleTest("a paste of several lines is one prompt, as are lines that go on", {
  steps: [
    [{ type: "expect", last_message: "alpha\n\tbeta\ngamma" }, ...say("short one")],
    [{ type: "expect", last_message: "x".repeat(50) + "\nlast" }, ...say("long one")],
    [{ type: "expect", last_message: "up\ndown" }, ...say("continued")],
  ],
}, async (terminal) => {
  await terminal.ready();
  await terminal.paste("alpha\n\tbeta\ngamma");
  await terminal.waitFor(/> alpha\n\s+beta\ngamma$/);
  await terminal.press("Enter");
  await terminal.waitFor(/short one\n\d+ s · .*\n> ?$/);
  await terminal.paste(`${`${"x".repeat(50)}\n`.repeat(99)}last`);
  await terminal.waitFor(/> \[text 1: 100 lines\]$/);
  await terminal.press("Enter");
  await terminal.waitFor(/long one\n\d+ s · .*\n> ?$/);
  await terminal.type("up\\");
  await terminal.press("Enter");
  await terminal.type("down");
  await terminal.press("Enter");
  await terminal.waitFor(/continued\n\d+ s · .*\n> ?$/);
  await quit(terminal);
});

consoleTest("!command sends its output, !!command only shows it", {
  steps: [
    [{ type: "expect", last_message: "exit_code: 3" }, ...say("I see.")],
  ],
}, async (terminal) => {
  await terminal.ready();
  assert.match(
    await terminal.submit("!!printf '\\033[2Jred\\033]0;EVIL\\007\\n'"),
    /\nred.*EVIL.*\n/,
  );
  assert.match(await terminal.submit("!echo out; exit 3"), /\nout\nexit_code: 3\nI see\.\n/);
  assert.match(await terminal.submit("!!echo only shown"), /\nonly shown\n(yolo )?> ?$/);
  await terminal.type("!!sleep 300");
  await terminal.press("Enter");
  await terminal.press("C-c");
  assert.match(await terminal.ready(), /INTERRUPTED/);
  await terminal.type("!!sleep 301");
  // in one piece: the interrupt is for what the line starts, though nothing runs yet
  await terminal.press("Enter", "C-c");
  assert.match(await terminal.ready(), /sleep 301\n[^]*INTERRUPTED/);
  await quit(terminal);
});

consoleTest("what is typed before the program is there becomes the first line", {
  steps: [[{ type: "expect", last_message: "early" }, ...say("early answer")]],
  script: `printf begun; "$@"`,
}, async (terminal) => {
  await terminal.waitFor("begun");
  await terminal.press("e", "a", "r", "l", "y", "Enter");
  await terminal.waitFor(/early answer\n\d+ s · .*\n> ?$/);
  await quit(terminal);
});

consoleTest("a terminal that cannot move its cursor gets lines and commands as they are typed", {
  steps: [[{ type: "expect", last_message: "hello" }, ...say("Hello.")]],
  env: { TERM: "dumb" },
}, async (terminal, { home }) => {
  await terminal.ready();
  await terminal.type("hellq");
  await terminal.press("BSpace", "p", "C-h", "o", "C-a");
  await terminal.press("Enter");
  await terminal.waitFor(/Hello\.\n\d+ s · .*\n> ?$/);
  assert.match(await terminal.submit("/version"), /nimlet \d/);
  const kept = await Deno.readTextFile(join(home, ".nimlet/history"));
  assert.deepEqual(kept.trimEnd().split("\n"), ["hello", "/version"]);
  await quit(terminal);
});
