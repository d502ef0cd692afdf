import assert from "node:assert/strict";
import { join } from "node:path";
import { call, callAll, say } from "../support/cassette.ts";
import { consoleTest, quit } from "./console_support.ts";

const edits = [
  call("edit", { path: "a.txt", old_text: "one", new_text: "1" }),
  say("first is over"),
  callAll(
    ["edit", { path: "a.txt", old_text: "two", new_text: "2" }],
    ["write", { path: "new/b.txt", content: "b\n" }],
  ),
  say("second is over"),
];

const text = "one\ntwo\n";
const prepare = ({ workspace }: { workspace: string }) =>
  Deno.writeTextFile(join(workspace, "a.txt"), text);

consoleTest("/diff shows the session's changes, /undo takes the last turn's back", {
  steps: edits,
  prepare,
}, async (terminal, { workspace, home }) => {
  await terminal.ready();
  assert.match(await terminal.submit("/diff"), /have changed nothing/);
  assert.match(
    await terminal.submit("/undo"),
    /Nothing is left to take back of what edit and write changed/,
  );
  await terminal.submit("the first turn");
  await terminal.submit("the second turn");
  const diff = await terminal.submit("/diff");
  assert.match(diff, /--- a\/a\.txt\n\+\+\+ b\/a\.txt\n@@ .* @@\n-one\n-two\n\+1\n\+2\n/);
  assert.match(diff, /--- \/dev\/null\n\+\+\+ b\/new\/b\.txt\n/);

  await terminal.type("/undo");
  await terminal.press("Enter");
  const asked = await terminal.waitFor(/\[y\/N\] ?$/);
  assert.match(asked, /the second turn\n {2}restore {2}a\.txt\n {2}remove {3}new\/b\.txt\n/);
  await terminal.press("Enter");
  await terminal.ready();
  assert.equal(await Deno.readTextFile(join(workspace, "a.txt")), "1\n2\n");

  await terminal.type("/undo");
  await terminal.press("Enter");
  await terminal.waitFor(/\[y\/N\] ?$/);
  await terminal.type("yes");
  await terminal.press("Enter");
  await terminal.waitFor("Taken back: 2 files.");
  await terminal.ready();
  assert.equal(await Deno.readTextFile(join(workspace, "a.txt")), "1\ntwo\n");
  await assert.rejects(() => Deno.stat(join(workspace, "new")), Deno.errors.NotFound);
  await quit(terminal);
  // the model reads it with the next prompt
  const sessions = join(home, ".nimlet/sessions");
  const [file] = [...Deno.readDirSync(sessions)].filter(({ name }) => name.endsWith(".jsonl"));
  const last = (await Deno.readTextFile(join(sessions, file!.name))).trimEnd().split("\n").at(-1)!;
  assert.match(last, /^{"kind":"user".*took back .*: a\.txt, new\/b\.txt/);
});

consoleTest("/undo leaves what was changed since, and says so", {
  steps: edits,
  prepare,
}, async (terminal, { workspace }) => {
  await terminal.ready();
  await terminal.submit("the first turn");
  await terminal.submit("the second turn");
  await Deno.writeTextFile(join(workspace, "a.txt"), "mine\n");
  await terminal.type("/undo");
  await terminal.press("Enter");
  const asked = await terminal.waitFor(/\[y\/N\] ?$/);
  assert.match(asked, / {2}remove {3}new\/b\.txt\n {2}keep {5}a\.txt \(changed since\)\n/);
  await terminal.type("yes");
  await terminal.press("Enter");
  await terminal.waitFor("Taken back: 1 file.");
  await terminal.ready();
  assert.match(await terminal.submit("/undo"), /Nothing of it can be taken back/);
  assert.equal(await Deno.readTextFile(join(workspace, "a.txt")), "mine\n");
  await quit(terminal);
});
