import assert from "node:assert/strict";
import { join } from "node:path";
import { call, say } from "../support/cassette.ts";
import { consoleTest, quit } from "./console_support.ts";
import type { TmuxTerminal } from "./tmux_terminal.ts";

const waitForGo = call("bash", {
  command: "echo sta''rted; while [ ! -e go ]; do sleep 0.05; done; rm go",
});
const go = (workspace: string) => Deno.writeTextFile(join(workspace, "go"), "");

async function begin(terminal: TmuxTerminal): Promise<void> {
  await terminal.ready();
  await terminal.type("work");
  await terminal.press("Enter");
  await terminal.waitFor("started");
}

/** Types during a turn: letters as tmux's keys, blanks by name. */
async function typeBlind(terminal: TmuxTerminal, text: string): Promise<void> {
  await terminal.press(...[...text].map((letter) => letter === " " ? "Space" : letter));
}

consoleTest("what is typed during a turn enters after the next results", {
  args: ["--yolo"],
  steps: [
    waitForGo,
    [{ type: "expect", last_message: "look at b too" }, ...say("Both are done.")],
  ],
}, async (terminal, { workspace, home }) => {
  await begin(terminal);
  await typeBlind(terminal, "look at c");
  await terminal.waitFor(/\d s > look at c\s*$/);
  await terminal.press("BSpace");
  await typeBlind(terminal, "b too");
  await terminal.press("Enter");
  await terminal.waitFor(/\n {2}next: look at b too\n/);
  await go(workspace);
  const shown = await terminal.waitFor(/Both are done\.\n\d+ s · .*\nyolo > ?$/);
  assert.match(shown, /✓ .*\n> look at b too\nBoth are done\./);
  await quit(terminal);
  assert.equal(await Deno.readTextFile(join(home, ".nimlet/history")), "work\nlook at b too\n");
});

consoleTest("Alt-Enter keeps a text for the end, a backslash begins a line", {
  args: ["--yolo"],
  steps: [
    waitForGo,
    [{ type: "expect", last_message: "exit_code: 0" }, ...say("First is over.")],
    [{ type: "expect", last_message: "then\nthat" }, ...say("Second is over.")],
  ],
}, async (terminal, { workspace }) => {
  await begin(terminal);
  await typeBlind(terminal, "then\\");
  await terminal.press("Enter");
  await typeBlind(terminal, "that");
  await terminal.press("M-Enter");
  await terminal.waitFor(/\n {2}at the end: then\nthat\n/);
  await go(workspace);
  await terminal.waitFor(/First is over\.\n> then\nthat\nSecond is over\.\n\d+ s · .*\nyolo > ?$/);
  await quit(terminal);
});

consoleTest("a command typed during a turn waits for its end, what is unfinished stays", {
  args: ["--yolo"],
  steps: [waitForGo, say("Over.")],
}, async (terminal, { workspace }) => {
  await begin(terminal);
  await typeBlind(terminal, "/version");
  await terminal.press("Enter");
  await terminal.waitFor(/\n {2}after this turn: \/version\n/);
  await terminal.paste("half a\nline");
  await terminal.waitFor(/> half a⏎line\s*$/);
  await go(workspace);
  await terminal.waitFor(/Over\.\n\d+ s .*\nyolo > \/version\nnimlet .*\nyolo > half a\nline$/);
  await terminal.press("C-c");
  await quit(terminal);
});

consoleTest("Ctrl-C sends nothing of what was typed: it waits in the line", {
  args: ["--yolo"],
  steps: [waitForGo, say("not reached")],
}, async (terminal) => {
  await begin(terminal);
  await typeBlind(terminal, "one");
  await terminal.press("Enter");
  await terminal.waitFor("next: one");
  await typeBlind(terminal, "two");
  await terminal.press("C-c");
  await terminal.waitFor(/interrupted\n\d+ s .*\nyolo > one\ntwo$/);
  await terminal.press("C-c");
  await quit(terminal);
});

consoleTest("without a cursor to move, what is typed enters all the same", {
  args: ["--yolo"],
  env: { TERM: "dumb" },
  steps: [
    waitForGo,
    [{ type: "expect", last_message: "more" }, ...say("All is done.")],
  ],
}, async (terminal, { workspace }) => {
  await begin(terminal);
  await typeBlind(terminal, "more");
  await terminal.press("Enter");
  await terminal.waitFor("next: more");
  await go(workspace);
  await terminal.waitFor(/> more\nAll is done\.\n/);
  await quit(terminal);
});
