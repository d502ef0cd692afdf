/** Hooks before calls: how they are asked, what they can say, and what becomes of their failures. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { call, callAll, say } from "../support/cassette.ts";
import { decides, hookSettings, withHookRun } from "../support/hooks.ts";
import { only } from "../support/records.ts";
import { until } from "../support/until.ts";

const bash = (command: string) => call("bash", { command });

Deno.test("a hook that ends with 2 and says nothing denies the call", () =>
  withHookRun({
    settings: hookSettings({ matcher: "Bash", command: "exit 2" }),
    steps: [bash("touch ran"), say("ok")],
  }, async ({ outputs, records, place }) => {
    assert.equal(outputs[0], "approval_denied: hook exit: it gave no reason");
    await assert.rejects(Deno.stat(join(place.workspace, "ran")));
    assert.equal(only(records, "run_end")[0]?.denials, 1);
    const [hooks] = only(records, "tool_result").map((record) => record.hooks);
    assert.deepEqual((hooks as { outcome: string; event: string }[]).map((one) => one.outcome), [
      "denied",
    ]);
  }));

Deno.test("the reason of a denial reaches the model by stderr, with the name", () =>
  withHookRun({
    settings: hookSettings({
      matcher: "Bash",
      command: "echo 'not on Fridays' >&2; exit 2",
      name: "friday",
    }),
    steps: [bash("true"), say("ok")],
  }, ({ outputs }) => {
    assert.equal(outputs[0], "approval_denied: hook friday: not on Fridays");
  }));

for (
  const { how, command, status } of [
    { how: "missing", command: "/no/such/check.sh", status: /status 127/ },
    { how: "not executable", command: "./plain.sh", status: /status 126/ },
    { how: "killed", command: "kill -9 $$", status: /ended by SIGKILL/ },
    { how: "ends with 3", command: "echo bad >&2; exit 3", status: /status 3: bad/ },
    { how: "two JSON values", command: `echo '{}{}'`, status: /not one JSON value/ },
    { how: "text before JSON", command: `echo hello; echo '{}'`, status: /text before its JSON/ },
    { how: "no UTF-8", command: `printf '{"a":"\\377"}'`, status: /not UTF-8/ },
    { how: "too much", command: "yes x | head -c 1200000", status: /more than 1048576 bytes/ },
    { how: "too slow", command: "sleep 30", status: /did not end within 0.5 s/ },
    {
      how: "an unknown decision",
      command: `echo '{"decision":"maybe"}'`,
      status: /the decision "maybe"/,
    },
  ]
) {
  const hook = { matcher: "Bash", command, name: "check", timeout: 0.5 };
  Deno.test(`a hook that fails lets the call go on, with one warning: ${how}`, () =>
    withHookRun({
      settings: hookSettings(hook),
      files: { "W/plain.sh": "exit 0" },
      steps: [bash("echo one"), bash("echo two"), say("ok")],
    }, ({ outputs, told, code }) => {
      assert.match(outputs[0]!, /one/);
      assert.match(outputs[1]!, /two/);
      assert.equal(code, 0);
      const warnings = told.split("\n").filter((line) =>
        line.startsWith("hook check (PreToolUse)")
      );
      assert.equal(warnings.length, 1, told);
      assert.match(warnings[0]!, status);
    }));
  Deno.test(`a required hook that fails denies: ${how}`, () =>
    withHookRun({
      settings: hookSettings({ ...hook, required: true }),
      files: { "W/plain.sh": "exit 0" },
      steps: [bash("touch ran"), say("ok")],
      args: ["--yolo"],
    }, async ({ outputs, place }) => {
      assert.match(outputs[0]!, /^approval_denied: the guard check failed: /);
      assert.match(outputs[0]!, status);
      await assert.rejects(Deno.stat(join(place.workspace, "ran")));
    }));
}

Deno.test("what a hook gets", () =>
  withHookRun({
    settings: hookSettings({ command: `cat > got.json; env > env.txt; pwd > pwd.txt` }),
    env: { OPENAI_API_KEY: "secret", BASH_ENV: "/nowhere" },
    steps: [call("edit", { path: "a.txt", old_text: "x", new_text: "y" }), say("ok")],
    files: { "W/a.txt": "x\n" },
  }, async ({ place, records }) => {
    const { workspace } = place;
    const text = await Deno.readTextFile(join(workspace, "got.json"));
    assert.ok(text.endsWith("}\n"));
    const got = JSON.parse(text);
    const [start] = records;
    assert.equal(got.session_id, start!.session_id);
    assert.equal(got.hook_event_name, "PreToolUse");
    assert.equal(got.cwd, workspace);
    assert.equal(got.permission_mode, "bypassPermissions");
    assert.equal(got.tool_name, "Edit");
    assert.deepEqual(got.tool_input, {
      file_path: join(workspace, "a.txt"),
      old_string: "x",
      new_string: "y",
      replace_all: false,
    });
    assert.equal(got.tool_use_id, only(records, "tool_call")[0]!.tool_id);
    assert.equal(got.nimlet.tool, "edit");
    assert.equal(got.nimlet.version, 1);
    assert.equal(got.nimlet.front, "json");
    assert.equal(got.nimlet.step, 1);
    assert.deepEqual(got.nimlet.arguments, { path: "a.txt", old_text: "x", new_text: "y" });
    const env = await Deno.readTextFile(join(workspace, "env.txt"));
    assert.match(env, new RegExp(`^CLAUDE_PROJECT_DIR=${workspace}$`, "m"));
    assert.match(env, new RegExp(`^NIMLET_WORKSPACE=${workspace}$`, "m"));
    assert.match(env, new RegExp(`^NIMLET_SESSION_ID=${start!.session_id}$`, "m"));
    assert.match(env, /^NIMLET_HOOK=PreToolUse$/m);
    assert.match(env, /^NIMLET_HOOK_DEPTH=1$/m);
    assert.match(env, /^NIMLET_PROCESS=/m);
    assert.doesNotMatch(env, /OPENAI_API_KEY|BASH_ENV/);
    assert.equal((await Deno.readTextFile(join(workspace, "pwd.txt"))).trim(), workspace);
  }));

Deno.test("an edit is Edit, however many replacements, and a scan of new_string sees all", () => {
  const three = [1, 2, 3].map((number) => ({
    old_text: `line ${number}`,
    new_text: number === 3 ? "AKIA12345" : `new ${number}`,
  }));
  return withHookRun({
    settings: hookSettings({
      matcher: "Edit",
      command:
        `echo fired >> fired; grep -q '"new_string":"[^"]*AKIA' && { echo key >&2; exit 2; }; exit 0`,
    }),
    files: { "W/a.txt": "line 0\nline 1\nline 2\nline 3\n" },
    steps: [
      call("edit", { path: "a.txt", old_text: "line 0", new_text: "zero" }),
      call("edit", { path: "a.txt", replacements: three }),
      say("ok"),
    ],
  }, async ({ outputs, place }) => {
    assert.match(outputs[0]!, /version: /);
    assert.match(outputs[1]!, /^approval_denied: hook echo: key/);
    assert.equal(await Deno.readTextFile(join(place.workspace, "fired")), "fired\nfired\n");
  });
});

Deno.test("each hook sees the change of those before; the session keeps what was asked", () => {
  const changes = (from: string, to: string) =>
    `sed 's/${from}/${to}/g' | python3 -c 'import json,sys; i=json.load(sys.stdin)["tool_input"]; ` +
    `print(json.dumps({"hookSpecificOutput":{"hookEventName":"PreToolUse","updatedInput":i}}))'`;
  return withHookRun({
    settings: hookSettings(
      { matcher: "Bash", command: changes("one", "two"), name: "first" },
      { matcher: "Bash", command: `echo '{}'`, name: "second" },
      { matcher: "Bash", command: `tee third.json | ${changes("echo", "printf")}`, name: "third" },
    ),
    steps: [bash("echo one"), say("ok")],
  }, async ({ outputs, records, place }) => {
    assert.match(outputs[0]!, /stdout:\ntwo/);
    const third = JSON.parse(await Deno.readTextFile(join(place.workspace, "third.json")));
    assert.deepEqual(third.tool_input, { command: "echo two" });
    const [result] = only(records, "tool_result");
    assert.deepEqual(result!.input, { command: "printf two" });
    assert.deepEqual(only(records, "tool_call")[0]!.input, { command: "echo one" });
    const sessions = join(place.home, ".nimlet", "sessions");
    for await (const file of Deno.readDir(sessions)) {
      const kept = await Deno.readTextFile(join(sessions, file.name));
      assert.ok(kept.includes('"input":{"command":"echo one"}'));
    }
  });
});

Deno.test("changed arguments that do not fit deny the call, and name the key", () =>
  withHookRun({
    settings: hookSettings({
      matcher: "Bash",
      command: decides({ updatedInput: { timeout: 5 } }),
      name: "t",
    }),
    steps: [bash("true"), say("ok")],
  }, ({ outputs }) => {
    assert.match(outputs[0]!, /^approval_denied: hook t .*command/);
  }));

Deno.test("twenty calls at once are all asked by a required hook, eight at a time", () =>
  withHookRun({
    settings: hookSettings({
      matcher: "Read",
      required: true,
      timeout: 4,
      name: "slow",
      command: "echo in >> log; sleep 0.3; echo out >> log",
    }),
    files: { "W/a.txt": "text\n" },
    steps: [
      callAll(
        ...Array.from({ length: 20 }, () => ["read", { path: "a.txt" }] as [string, unknown]),
      ),
      say("ok"),
    ],
  }, async ({ outputs, place }) => {
    assert.equal(outputs.length, 20);
    for (const output of outputs) assert.match(output, /text/);
    const log = (await Deno.readTextFile(join(place.workspace, "log"))).trim().split("\n");
    assert.equal(log.length, 40);
    let running = 0, most = 0;
    for (const line of log) most = Math.max(most, running += line === "in" ? 1 : -1);
    assert.ok(most <= 8, `${most} at once`);
    assert.ok(most > 1, "they waited for one another");
  }));

Deno.test("a deaf hook is ended, and a child that holds its stdout is not waited for", async () => {
  await withHookRun({
    settings: hookSettings({
      command: `trap '' TERM; while :; do sleep 0.1; done`,
      timeout: 1,
      name: "deaf",
    }),
    steps: [bash("echo after"), say("ok")],
  }, ({ outputs, records }) => {
    assert.match(outputs[0]!, /after/);
    const [{ ms } = { ms: 0 }] = only(records, "tool_result")[0]!.hooks as { ms: number }[];
    assert.ok(ms >= 1000 && ms < 6000, `${ms} ms`);
  });
  await withHookRun({
    settings: hookSettings({ command: "sleep 300 & exit 0", name: "parent" }),
    steps: [bash("echo after"), say("ok")],
  }, ({ outputs, records }) => {
    assert.match(outputs[0]!, /after/);
    const [{ ms } = { ms: 0 }] = only(records, "tool_result")[0]!.hooks as { ms: number }[];
    assert.ok(ms < 5000, `${ms} ms`);
  });
});

Deno.test("a workspace with a hostile name: nothing of it is expanded", async () => {
  const name = `a b "c" 'd' $(touch pwned) \`id\``;
  const script = `#!/bin/sh\npwd > where.txt\nprintf '%s' "$1" > arg.txt\n`;
  await withHookRun({
    settings: hookSettings(
      { matcher: "Bash", command: `"$CLAUDE_PROJECT_DIR"/x.sh one` },
      { matcher: "Bash", command: "${CLAUDE_PROJECT_DIR}/y.sh", args: ["${NIMLET_WORKSPACE}/z"] },
    ),
    files: { [`W/${name}/x.sh`]: script, [`W/${name}/y.sh`]: script.replaceAll(".txt", "2.txt") },
    steps: [bash("echo ran"), say("ok")],
    args: ["--cwd", `${name}`],
  }, async ({ outputs, place, told }) => {
    assert.match(outputs[0]!, /ran/, told);
    const folder = join(place.workspace, name);
    assert.equal(await Deno.readTextFile(join(folder, "where.txt")), `${folder}\n`);
    assert.equal(await Deno.readTextFile(join(folder, "arg2.txt")), `${folder}/z`);
    for (const where of [folder, place.workspace]) {
      await assert.rejects(Deno.stat(join(where, "pwned")));
    }
  });
});

Deno.test("16 MB of stdin: not read, read in part, read after a megabyte was written", () =>
  withHookRun({
    settings: hookSettings(
      { matcher: "Write", command: "exit 0", name: "none" },
      { matcher: "Write", command: "head -c 8000000 >/dev/null", name: "half" },
      {
        matcher: "Write",
        command: `head -c 1000000 /dev/zero | tr '\\0' 'x'; cat >/dev/null`,
        name: "late",
      },
      { matcher: "Write", command: "cat >/dev/null", name: "all" },
    ),
    steps: [call("write", { path: "big", content: "x".repeat(16_000_000) }), say("ok")],
  }, async ({ outputs, told, place }) => {
    assert.match(outputs[0]!, /created: 16000000 bytes/);
    assert.equal((await Deno.stat(join(place.workspace, "big"))).size, 16_000_000);
    assert.doesNotMatch(told, /^hook /m);
  }));

Deno.test("--no-hooks runs none", () =>
  withHookRun({
    settings: hookSettings({ command: "exit 2", required: true }),
    steps: [bash("echo ran"), say("ok")],
    args: ["--no-hooks"],
  }, ({ outputs }) => assert.match(outputs[0]!, /ran/)));

Deno.test("within a hook nimlet runs guards alone, and three deep it does not start", async () => {
  const settings = hookSettings(
    { command: "exit 2", name: "other" },
    { command: "exit 0", name: "guard", required: true },
  );
  await withHookRun({
    settings,
    steps: [bash("echo ran"), say("ok")],
    env: { NIMLET_HOOK_DEPTH: "1" },
  }, ({ outputs, records }) => {
    assert.match(outputs[0]!, /ran/);
    const hooks = only(records, "tool_result")[0]!.hooks as { name: string }[];
    assert.deepEqual(hooks.map(({ name }) => name), ["hook guard"]);
  });
  await withHookRun({
    steps: [say("ok")],
    env: { NIMLET_HOOK_DEPTH: "3" },
    mode: "print",
  }, ({ code, stderr }) => {
    assert.equal(code, 2);
    assert.match(stderr, /started by a hook/);
  });
});

Deno.test("a child that has left the hook's session is neither waited for nor ended", () =>
  withHookRun({
    settings: hookSettings({
      command: "setsid sh -c 'echo $$ > stray; sleep 4; touch lived' & exit 0",
    }),
    steps: [bash("until [ -s stray ]; do sleep 0.05; done; echo after"), say("ok")],
  }, async ({ outputs, place, records }) => {
    assert.match(outputs[0]!, /after/);
    const [{ ms } = { ms: 0 }] = only(records, "tool_result")[0]!.hooks as { ms: number }[];
    assert.ok(ms < 3500, `${ms} ms`);
    const lived = join(place.workspace, "lived");
    await until(() => Deno.stat(lived).then(() => true, () => false), "the stray child");
  }));

Deno.test("more output than an answer may have ends the hook at once", () =>
  withHookRun({
    settings: hookSettings({ command: "yes x; touch never", name: "endless", required: true }),
    steps: [bash("true"), say("ok")],
  }, async ({ outputs, place, records }) => {
    assert.match(outputs[0]!, /the guard endless failed: it wrote more than 1048576 bytes/);
    const [{ ms } = { ms: 0 }] = only(records, "tool_result")[0]!.hooks as { ms: number }[];
    assert.ok(ms < 5000, `${ms} ms`);
    await assert.rejects(Deno.stat(join(place.workspace, "never")));
  }));

Deno.test("the changed replacements of an edit run, each in its place", () =>
  withHookRun({
    settings: hookSettings({
      matcher: "Edit",
      command: `python3 -c '
import json, sys
i = json.load(sys.stdin)["tool_input"]
for e in i.get("edits", [i]):
    e["new_string"] = e["new_string"].upper()
print(json.dumps({"hookSpecificOutput": {"updatedInput": i}}))'`,
    }),
    files: { "W/a.txt": "one\ntwo\nthree\n" },
    steps: [
      call("edit", {
        path: "a.txt",
        replacements: [{ old_text: "one", new_text: "x" }, { old_text: "three", new_text: "y" }],
      }),
      call("edit", { path: "a.txt", old_text: "two", new_text: "z" }),
      say("ok"),
    ],
  }, async ({ place, outputs }) => {
    assert.equal(
      await Deno.readTextFile(join(place.workspace, "a.txt")),
      "X\nZ\nY\n",
      outputs.join(),
    );
  }));

Deno.test("async hooks: 8 at once, 32 wait, and of more a warning tells", () =>
  withHookRun({
    settings: hookSettings({
      matcher: "Read",
      async: true,
      name: "later",
      command: "echo in >> log; sleep 0.4; echo out >> log",
    }),
    files: { "W/a.txt": "text\n" },
    steps: [
      callAll(
        ...Array.from(
          { length: 50 },
          (_, end_line) => ["read", { path: "a.txt", end_line: end_line + 1 }] as [string, unknown],
        ),
      ),
      bash("until [ $(grep -c out log) -ge 40 ]; do sleep 0.1; done"),
      say("ok"),
    ],
  }, async ({ outputs, place, stderr }) => {
    assert.ok(outputs.slice(0, 50).every((output) => /text/.test(output)));
    const log = (await Deno.readTextFile(join(place.workspace, "log"))).trim().split("\n");
    let running = 0, most = 0;
    for (const line of log) most = Math.max(most, running += line === "in" ? 1 : -1);
    assert.ok(most <= 8, `${most} at once`);
    assert.equal(log.filter((line) => line === "in").length, 40);
    assert.equal(stderr.match(/hook later .*too many hooks wait for a place/g)?.length, 1);
  }));

Deno.test("texts of hooks for the model are cut with a note, a hook's and an event's", () =>
  withHookRun({
    settings: hookSettings(
      ...["a", "b", "c"].map((letter) => ({
        event: "PostToolUse",
        name: letter,
        command: `cat >/dev/null; head -c 30000 /dev/zero | tr '\\0' ${letter} >&2; exit 2`,
      })),
    ),
    steps: [bash("true"), say("ok")],
  }, ({ outputs }) => {
    const count = (letter: string) => (outputs[0]!.match(new RegExp(letter, "g")) ?? []).length;
    assert.match(outputs[0]!, /characters left out/);
    assert.ok(count("aaaaa") <= 2000 && count("aaaaa") > 1900);
    assert.ok(outputs[0]!.length < 21_500, `${outputs[0]!.length}`);
  }));

Deno.test("control and tag characters of hooks do not reach the model or the person", () =>
  withHookRun({
    settings: hookSettings({
      command:
        `cat >/dev/null; printf 'a\\033[31mb\\007\\363\\240\\201\\201c' >&2; printf '{"systemMessage":"x\\\\u001b]0;t\\\\u0007y"}'; exit 2`,
      name: "n",
    }),
    steps: [bash("true"), say("ok")],
  }, ({ outputs, told }) => {
    assert.equal(outputs[0], "approval_denied: hook n: a[31mbc");
    // deno-lint-ignore no-control-regex -- this is what must not be there
    assert.doesNotMatch(told, /[\x1b\x07]/);
    assert.match(told, /hook n: x\]0;ty/);
  }));

Deno.test("a hook with shell: bash is read by bash", () =>
  withHookRun({
    settings: hookSettings({
      shell: "bash",
      command: `[[ $(jq -r .tool_name 2>/dev/null || echo Bash) == B* ]] && exit 2`,
    }),
    steps: [bash("true"), say("ok")],
  }, ({ outputs }) => assert.match(outputs[0]!, /^approval_denied/)));
