import assert from "node:assert/strict";
import { join } from "node:path";
import { call, say } from "../support/cassette.ts";
import { consoleTest, quit } from "./console_support.ts";
import { furnish } from "./told.ts";

consoleTest("commands have the names that other programs give them, but for templates", {
  steps: [[{ type: "expect", last_message: "look at the cost" }, ...say("seen")]],
  prepare: ({ home }) => furnish(home, { ".nimlet/prompts/cost.md": "look at the cost\n" }),
}, async (terminal) => {
  await terminal.ready();
  assert.match(await terminal.submit("/clear"), /\nNew session: /);
  assert.match(await terminal.submit("/context"), /\nContext: about /);
  assert.match(await terminal.submit("/rename my session"), /\nName: my session\n/);
  assert.match(await terminal.submit("/commands"), /list the commands and keys; also \/commands\n/);
  assert.match(await terminal.submit("/cost"), /\nseen\n/);
  await terminal.type("/exit");
  await terminal.press("Enter");
  assert.equal(await terminal.exit(), 0);
});

consoleTest("Shift-Tab changes between act and plan mode, and keeps the line", {
  steps: [say("unused")],
}, async (terminal) => {
  await terminal.ready();
  await terminal.type("half a line");
  await terminal.press("BTab");
  await terminal.waitFor(/\nplan > half a line$/);
  await terminal.press("BTab");
  await terminal.waitFor(/\n> half a line$/);
  await terminal.press("C-c");
  await quit(terminal);
});

consoleTest("Escape denies at a question, and ends a turn", {
  steps: [
    call("bash", { command: "touch made" }),
    say("denied"),
    call("read", { path: "made" }),
    call("bash", { command: "echo sta''rted; sleep 300" }),
    say("not reached"),
  ],
}, async (terminal, { workspace }) => {
  await terminal.ready();
  await terminal.type("go");
  await terminal.press("Enter");
  await terminal.waitFor(/\[n\] deny ?$/);
  await terminal.press("Escape");
  await terminal.waitFor(/✗ approval_denied[^]*denied\n.*\n> ?$/);
  await assert.rejects(() => Deno.stat(join(workspace, "made")), Deno.errors.NotFound);
  await terminal.type("go on");
  await terminal.press("Enter");
  await terminal.waitFor(/\[n\] deny ?$/);
  await terminal.press("Enter");
  await terminal.waitFor("started");
  await terminal.press("Escape");
  await terminal.waitFor(/interrupted\n.*\n> ?$/);
  await terminal.type("!sleep 300");
  await terminal.press("Enter");
  await terminal.waitFor(/\nsleep 300 · \d+ s · Ctrl-C stops\s*$/);
  await terminal.press("Escape");
  assert.match(await terminal.ready(), /INTERRUPTED/);
  await quit(terminal);
});

consoleTest("a terminal of another character set gets marks of ASCII", {
  steps: [call("read", { path: "missing" }), say("über")],
  env: { LC_ALL: "en_US.ISO-8859-1" },
}, async (terminal) => {
  await terminal.ready();
  const shown = await terminal.submit("go");
  assert.match(shown, /\n\* read missing {2}x not found/);
  assert.match(shown, /\nüber\n\d+ s - 20 tokens in/);
  await quit(terminal);
});

consoleTest("Ctrl-R finds an earlier line, also one of an earlier run", {
  steps: [[{ type: "expect", last_message: "mend the parser" }, ...say("mended")]],
  prepare: ({ home }) =>
    furnish(home, { ".nimlet/history": "mend the parser\nlook at it\nmend the lexer\n" }),
}, async (terminal) => {
  await terminal.ready();
  await terminal.press("C-r");
  await terminal.press("m", "e", "n", "d");
  await terminal.waitFor(/\n\(search: mend\) mend the lexer$/);
  await terminal.press("C-r");
  await terminal.waitFor(/\n\(search: mend\) mend the parser$/);
  await terminal.press("Enter");
  await terminal.waitFor(/\n> mend the parser\nmended\n/);
  await quit(terminal);
});
