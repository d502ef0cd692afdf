import assert from "node:assert/strict";
import { join } from "node:path";
import { call, say } from "../support/cassette.ts";
import { until } from "../support/until.ts";
import { consoleTest, quit } from "./console_support.ts";

async function isRunning(pid: string): Promise<boolean> {
  const { success } = await new Deno.Command("kill", { args: ["-0", pid], stderr: "null" })
    .output();
  return success;
}

/** Starts the program so that its process number is known. */
const tellPid = `sh -c 'echo $$ > pid; exec "$@"' sh "$@"`;

for (
  const [signal, status] of [["SIGTERM", 143], ["SIGINT", 130], ["SIGHUP", 129]] as const
) {
  consoleTest(`${signal} ends a turn and the program, and gives the terminal back`, {
    args: ["--yolo"],
    steps: [call("bash", { command: "echo $$ > child; echo sta''rted; sleep 300" }), say("never")],
    script: tellPid,
  }, async (terminal, { workspace }) => {
    await terminal.ready();
    await terminal.type("go");
    await terminal.press("Enter");
    await terminal.waitFor("started");
    Deno.kill(Number(await Deno.readTextFile(join(workspace, "pid"))), signal);
    assert.equal(await terminal.exit(), status);
    const child = (await Deno.readTextFile(join(workspace, "child"))).trim();
    assert.equal(await isRunning(child), false);
  });
}

consoleTest("SIGTERM at the prompt ends the program and gives the terminal back", {
  steps: [say("never")],
  script: tellPid,
}, async (terminal, { workspace }) => {
  await terminal.ready();
  await terminal.type("half a line");
  Deno.kill(Number(await Deno.readTextFile(join(workspace, "pid"))), "SIGTERM");
  assert.equal(await terminal.exit(), 143);
});

consoleTest("a start that fails gives the terminal back", {
  steps: [say("never")],
  args: ["--session", "nothing-like-it"],
}, async (terminal) => {
  assert.equal(await terminal.exit(), 1);
  assert.match(await terminal.screen(), /nimlet: there is no session "nothing-like-it"/);
});

consoleTest("Ctrl-C at the question about trust ends the program", {
  steps: [say("never")],
  prepare: async ({ workspace }) => {
    await Deno.mkdir(join(workspace, ".nimlet"));
    await Deno.writeTextFile(join(workspace, ".nimlet/config.json"), "{}");
  },
}, async (terminal) => {
  await terminal.waitFor(/\[y\/N\] ?$/);
  await terminal.press("C-c");
  assert.equal(await terminal.exit(), 130);
});

consoleTest("one prompt at a terminal: its question takes a key, and Ctrl-C ends it", {
  args: ["do it"],
  steps: [
    call("bash", { command: "echo $((40 + 2))" }),
    call("bash", { command: "echo second" }),
    say("not reached"),
  ],
}, async (terminal) => {
  await terminal.waitFor(/\[n\] deny ?$/);
  await terminal.press("Enter");
  await terminal.waitFor(/42\n(?:.*\n)*.*\[n\] deny ?$/);
  await terminal.press("C-c");
  assert.equal(await terminal.exit(), 130);
  assert.doesNotMatch(await terminal.screen(), /not reached/);
});

consoleTest("one prompt at a terminal: what was typed before a question is no answer", {
  args: ["do it"],
  steps: [call("bash", { command: "touch ran" }), say("over")],
}, async (terminal, { workspace }) => {
  await terminal.press("Enter");
  await terminal.waitFor(/\[n\] deny ?$/);
  await terminal.press("n");
  await terminal.waitFor(/over\n\d+ s · .*\n\[exit status 0\]/);
  assert.equal(await Deno.stat(join(workspace, "ran")).then(() => true, () => false), false);
});

consoleTest("one prompt at a terminal: the question is seen where stderr goes elsewhere", {
  args: ["do it"],
  steps: [call("bash", { command: "touch ran" }), say("over")],
  script: `"$@" 2>log`,
}, async (terminal, { workspace }) => {
  await terminal.waitFor(/\[n\] deny ?$/);
  await terminal.press("Enter");
  await terminal.waitFor(/over\n\[exit status 0\]/);
  assert.match(await Deno.readTextFile(join(workspace, "log")), /● bash touch ran/);
  assert.equal(await Deno.stat(join(workspace, "ran")).then(() => true, () => false), true);
});

consoleTest("Ctrl-Z stops the program as usual", {
  steps: [say("still there")],
  script: `set -m; "$@" || { stty -a | grep -qw -- -icanon || echo stopped; }; fg >/dev/null 2>&1`,
}, async (terminal) => {
  await terminal.ready();
  await terminal.press("C-z");
  await terminal.waitFor("stopped");
  assert.match(await terminal.ready(), /> ?$/);
  await terminal.submit("hello");
  await quit(terminal);
});

consoleTest("a stop from outside, and fg, give the console the terminal as it was", {
  steps: [say("still there")],
  script: `tty > tty; set -m
sh -c 'echo $$ > pid; exec "$@"' sh "$@" || { stty icanon echo; echo stopped; }; fg >/dev/null 2>&1`,
}, async (terminal, { workspace }) => {
  await terminal.ready();
  const pid = Number(await Deno.readTextFile(join(workspace, "pid")));
  const keysComeAlone = async () => {
    const { stdout } = await new Deno.Command("sh", {
      args: ["-c", 'stty -a < "$(cat tty)"'],
      cwd: workspace,
    }).output();
    return / -icanon\b/.test(new TextDecoder().decode(stdout));
  };
  assert.ok(await keysComeAlone());
  Deno.kill(pid, "SIGSTOP");
  await terminal.waitFor("stopped");
  await until(keysComeAlone, "the terminal is as it was");
  await terminal.submit("hello");
  assert.match(await terminal.screen(), /still there/);
  await quit(terminal);
});
