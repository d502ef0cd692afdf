import assert from "node:assert/strict";
import { call, say } from "../support/cassette.ts";
import { exists, sandboxNeed } from "../support/sandbox.ts";
import { testWhere } from "../support/test_where.ts";
import { consoleTest, quit } from "./console_support.ts";

/** A console test, ignored where there is no sandbox. */
const sandboxTest: typeof consoleTest = (name, options, use) =>
  sandboxNeed.met
    ? consoleTest(name, options, use)
    : testWhere(sandboxNeed, `console: ${name}`, () => {});

sandboxTest("commands run unasked inside, and a person answers for one outside", {
  args: ["--sandbox", "workspace"],
  steps: [
    call("bash", { command: "touch inside" }),
    call("bash", {
      command: "touch /tmp/nimlet-no",
      outside_sandbox: true,
      reason: "for the disk",
    }),
    call("bash", { command: "touch outside", outside_sandbox: true, reason: "again" }),
    say("over"),
  ],
}, async (terminal, { workspace }) => {
  await terminal.ready();
  await terminal.type("go");
  await terminal.press("Enter");
  const first = await terminal.waitFor(/\[n\] deny/);
  assert.ok(exists(`${workspace}/inside`));
  assert.match(first, /runs OUTSIDE the sandbox: for the disk/);
  assert.match(first, /\[o\] once +\[s\] session +\[n\] deny/);
  // Enter lets nothing out
  await terminal.press("Enter");
  await terminal.waitFor(/OUTSIDE the sandbox: again[^]*\[n\] deny/);
  await terminal.press("o");
  await terminal.waitFor("over");
  assert.ok(exists(`${workspace}/outside`) && !exists("/tmp/nimlet-no"));
  await terminal.ready();
  await quit(terminal);
});

sandboxTest("/sandbox shows the policy, tightens at once, and loosens after a question", {
  args: ["--sandbox", "workspace"],
  steps: [call("bash", { command: "touch made" }), say("over")],
}, async (terminal, { workspace }) => {
  await terminal.ready();
  assert.match(
    await terminal.submit("/sandbox"),
    /Commands run in a sandbox: workspace\.\n +network +off/,
  );
  assert.match(await terminal.submit("/sandbox read"), /Commands run in a sandbox: read\./);
  await terminal.type("go");
  await terminal.press("Enter");
  await terminal.waitFor("over");
  await terminal.ready();
  assert.ok(!exists(`${workspace}/made`));
  assert.match(await terminal.submit("/sandbox"), /last refusals +only \/tmp and the private home/);
  await terminal.type("/sandbox off");
  await terminal.press("Enter");
  await terminal.waitFor("Let commands change more, from read to off?");
  await terminal.press("y", "Enter");
  await terminal.waitFor("Commands run without a sandbox.");
  await terminal.ready();
  const shown = await terminal.submit('!echo "[$NIMLET_SANDBOX]"');
  assert.doesNotMatch(shown, /outside the sandbox/);
  await quit(terminal);
});

sandboxTest("what a person types runs outside, and says so", {
  args: ["--sandbox", "read"],
  steps: [say("over")],
}, async (terminal, { workspace }) => {
  await terminal.ready();
  const shown = await terminal.submit("!touch mine");
  assert.match(shown, /outside the sandbox/);
  assert.ok(exists(`${workspace}/mine`));
  await quit(terminal);
});
