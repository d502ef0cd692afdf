/** Hooks around prompts and sessions: prompts, stops, failures, summaries, begin and end. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { hookEvents } from "../../src/core/hook_events.ts";
import { stdinSchema } from "../../src/core/hook_schema.ts";
import { compileSchema } from "../../src/lib/json_schema.ts";
import { call, callAll, cassette, say } from "../support/cassette.ts";
import { withExtensions } from "../support/extensions.ts";
import { answers, hookSettings, withHookRun } from "../support/hooks.ts";
import { withHookClient } from "../support/hook_rpc.ts";
import { only } from "../support/records.ts";
import { runProgram } from "../support/program.ts";
import { isAlive, until } from "../support/until.ts";
import { consoleTest, pressUntil, quit } from "./console_support.ts";

const lines = async (path: string) =>
  (await Deno.readTextFile(path).catch(() => "")).split("\n").filter((line) => line !== "");
const inputs = async (path: string) => (await lines(path)).map((line) => JSON.parse(line));
const bash = (command: string) => call("bash", { command });

Deno.test("a prompt is blocked: not sent, not kept, a failure of its own, exit status 1", async () => {
  const settings = hookSettings({
    event: "UserPromptSubmit",
    command: "cat > got.json; echo 'no secrets' >&2; exit 2",
    name: "p",
  });
  await withHookRun({ settings, steps: [say("never")] }, async ({ code, records, place }) => {
    assert.equal(code, 1);
    const end = only(records, "run_end")[0]!;
    assert.deepEqual((end.error as { code: string }).code, "hook");
    assert.match((end.error as { message: string }).message, /hook p: no secrets/);
    assert.deepEqual(only(records, "message"), []);
    const got = JSON.parse(await Deno.readTextFile(join(place.workspace, "got.json")));
    assert.equal(got.prompt, "go");
    assert.equal(got.nimlet.source, "flag");
  });
  await withHookRun(
    { settings, steps: [say("never")], mode: "print" },
    ({ code, stdout, stderr }) => {
      assert.deepEqual([code, stdout], [1, ""]);
      assert.match(stderr, /hook p: no secrets/);
    },
  );
  await withHookClient({ settings, steps: [say("never")] }, async (client) => {
    const { ok, error } = await client.ask("prompt", { message: "go" });
    assert.equal(ok, false);
    assert.match(String(error), /hook p: no secrets/);
  });
});

Deno.test("a prompt hook sees templates and mentions, and its context goes with the message", () =>
  withHookRun({
    settings: hookSettings({
      event: "UserPromptSubmit",
      command: "cat > got.json; echo 'it is Friday'",
      name: "day",
    }),
    files: {
      "home/.nimlet/prompts/fix.md": "Mend $ARGUMENTS well.",
      "W/.env": "KEY=1\n",
      "W/notes.txt": "text\n",
    },
    steps: [say("ok")],
    prompt: "/fix the parser",
  }, async ({ place, records }) => {
    const got = JSON.parse(await Deno.readTextFile(join(place.workspace, "got.json")));
    assert.equal(got.prompt, "/fix the parser");
    assert.match(got.nimlet.message, /^Mend the parser well\./);
    const kept = await sessionText(place.home);
    assert.match(kept, /\[hook day: it is Friday\]/);
    assert.equal(only(records, "message")[0]!.content, "/fix the parser");
    const [start] = only(records, "run_start");
    assert.deepEqual((start!.hooks as { event: string }[]).map(({ event }) => event), [
      "UserPromptSubmit",
    ]);
  }));

Deno.test("a prompt hook is told of the files that are mentioned, and can refuse them", () =>
  withHookRun({
    settings: hookSettings({
      event: "UserPromptSubmit",
      command: `grep -q '"mentions":\\["\\.env"\\]' && { echo 'not .env' >&2; exit 2; }; exit 0`,
      name: "p",
    }),
    files: { "W/.env": "KEY=1\n" },
    steps: [say("never")],
    prompt: "look at @.env",
    mode: "print",
  }, ({ code, stderr }) => {
    assert.equal(code, 1);
    assert.match(stderr, /hook p: not \.env/);
  }));

async function sessionText(home: string): Promise<string> {
  const folder = join(home, ".nimlet", "sessions");
  let text = "";
  for await (const { name } of Deno.readDir(folder)) {
    text += await Deno.readTextFile(join(folder, name));
  }
  return text;
}

Deno.test("a steer is looked at, too; one that is blocked is told and not sent", () =>
  withHookClient({
    settings: hookSettings({
      event: "UserPromptSubmit",
      command: `cat >> got.jsonl; tail -1 got.jsonl | grep -q '"prompt":"bad' && exit 2; exit 0`,
      name: "p",
    }),
    steps: [bash("until [ -e go ]; do sleep 0.05; done"), say("one"), say("two")],
  }, async (client) => {
    const { workspace } = client.place;
    await client.ask("prompt", { message: "begin" });
    await client.next("tool_call");
    await client.ask("prompt", { message: "bad words", streaming_behavior: "steer" });
    await Deno.writeTextFile(join(workspace, "go"), "");
    const told = await client.next(
      "diagnostic",
      ({ message }) => /queued input was not sent: hook p/.test(String(message)),
    );
    assert.ok(told);
    await client.next("run_end");
    const prompts = (await inputs(join(workspace, "got.jsonl"))).map(({ prompt }) => prompt);
    assert.deepEqual(prompts, ["begin", "bad words"]);
    const sent = only(client.seen, "message").filter(({ role }) => role === "user");
    assert.deepEqual(sent.map(({ content }) => content), ["begin"]);
  }));

Deno.test("a Stop hook sends the model on; it knows that it did, until the next prompt", () =>
  withHookClient({
    settings: hookSettings({
      event: "Stop",
      name: "check",
      command: `cat >> stops.jsonl; [ -e enough ] && exit 0; n=$(wc -l < stops.jsonl); ` +
        `[ "$n" -lt 3 ] && { echo "run the tests, take $n" >&2; exit 2; }; touch enough`,
    }, { event: "UserPromptSubmit", command: "cat >> prompts.jsonl" }),
    steps: [
      say("first"),
      bash("true"),
      say("second"),
      bash("true"),
      say("third"),
      say("another"),
    ],
  }, async (client) => {
    await client.prompt("go");
    await client.prompt("again");
    // what hooks send is no prompt
    const prompts = await inputs(join(client.place.workspace, "prompts.jsonl"));
    assert.deepEqual(prompts.map(({ prompt }) => prompt), ["go", "again"]);
    const stops = await inputs(join(client.place.workspace, "stops.jsonl"));
    assert.deepEqual(stops.map(({ stop_hook_active }) => stop_hook_active), [
      false,
      true,
      true,
      false,
    ]);
    assert.deepEqual(stops.map(({ last_assistant_message }) => last_assistant_message), [
      "first",
      "second",
      "third",
      "another",
    ]);
    const sent = only(client.seen, "message").filter(({ source }) => source === "hook:check");
    assert.deepEqual(sent.map(({ content }) => content), [
      "[hook check: run the tests, take 1]",
      "[hook check: run the tests, take 2]",
    ]);
  }));

Deno.test("Stop hooks are bounded: 8 times a prompt, once with the same reason and no call between", async () => {
  const always = (reason: string) =>
    hookSettings({
      event: "Stop",
      name: "never",
      command: `echo x >> n; echo "${reason}" >&2; exit 2`,
    });
  await withHookRun({
    settings: always("go on, take $(wc -l < n)"),
    steps: Array.from({ length: 12 }, (_, number) => say(`answer ${number}`)),
  }, ({ code, told, records, outputs }) => {
    assert.equal(code, 0);
    assert.equal(outputs.length, 0);
    assert.match(told, /hook never wanted to go on for the 9th time, so the run ends here/);
    assert.equal(only(records, "run_end")[0]!.answer, "answer 8");
    assert.equal(only(records, "run_end")[0]!.status, "done");
  });
  await withHookRun({
    settings: always("the same"),
    steps: Array.from({ length: 12 }, (_, number) => say(`answer ${number}`)),
    mode: "print",
  }, ({ code, stdout, stderr }) => {
    assert.deepEqual([code, stdout], [0, "answer 1\n"]);
    assert.match(stderr, /hook never gave the same reason again and no call was made since/);
  });
  await withHookRun({
    settings: always("go on, take $(wc -l < n)"),
    steps: Array.from({ length: 12 }, () => say("x")),
    args: ["--max-steps", "3"],
  }, ({ code }) => assert.equal(code, 3));
});

Deno.test("Stop does not fire for an interrupt, StopFailure not either", () =>
  withHookClient({
    settings: hookSettings(
      { event: "Stop", command: "touch stopped" },
      { event: "StopFailure", command: "touch failed" },
    ),
    steps: [bash("sleep 30"), say("ok")],
  }, async (client) => {
    await client.ask("prompt", { message: "go" });
    await client.next("tool_call");
    await client.ask("interrupt");
    await client.next("run_end");
    for (const name of ["stopped", "failed"]) {
      await assert.rejects(Deno.stat(join(client.place.workspace, name)));
    }
  }));

Deno.test("StopFailure is told of a failure and of a limit, with the code", async () => {
  const settings = hookSettings({ event: "StopFailure", command: "cat > got.json; exit 2" });
  await withHookRun({
    settings,
    steps: [bash("true"), say("ok")],
    args: ["--max-steps", "1"],
  }, async ({ code, place }) => {
    assert.equal(code, 3);
    const got = JSON.parse(await Deno.readTextFile(join(place.workspace, "got.json")));
    assert.equal(got.error, "limit");
    assert.match(got.error_details, /1/);
  });
  await withHookRun({ settings, steps: [] }, async ({ code, place }) => {
    assert.equal(code, 1);
    assert.ok(JSON.parse(await Deno.readTextFile(join(place.workspace, "got.json"))).error);
  });
});

Deno.test("continue: false ends the run after the call, as failed; at Stop it ends well", async () => {
  const stop = answers({ continue: false, stopReason: "that is enough" });
  await withHookRun({
    settings: hookSettings({ event: "PostToolUse", command: stop, name: "s" }),
    steps: [bash("touch one"), bash("touch two"), say("never")],
  }, async ({ code, records, place }) => {
    assert.equal(code, 1);
    const error = only(records, "run_end")[0]!.error as { code: string; message: string };
    assert.equal(error.code, "hook");
    assert.match(error.message, /hook s: that is enough/);
    assert.ok((await Deno.stat(join(place.workspace, "one"))).isFile);
    await assert.rejects(Deno.stat(join(place.workspace, "two")));
  });
  await withHookRun({
    settings: hookSettings({ event: "Stop", command: stop }),
    steps: [say("the end")],
    mode: "print",
  }, ({ code, stdout }) => assert.deepEqual([code, stdout], [0, "the end\n"]));
});

Deno.test("SessionStart tells the model, once a begin; SessionEnd comes once for each end", () =>
  withHookClient({
    settings: hookSettings(
      {
        event: "SessionStart",
        command: `tee -a starts.jsonl | grep -q startup && echo 'read NOTES first'; exit 0`,
        name: "notes",
      },
      { event: "SessionEnd", command: "cat >> ends.jsonl" },
    ),
    steps: [say("one"), say("two"), say("three")],
  }, async (client) => {
    await client.prompt("go");
    await client.prompt("again");
    await client.ask("new_session");
    await client.prompt("anew");
    const { workspace, home } = client.place;
    const starts = await inputs(join(workspace, "starts.jsonl"));
    assert.deepEqual(starts.map(({ source }) => source), ["startup", "clear"]);
    assert.ok(starts.every(({ model }) => typeof model === "string"));
    const [end] = await inputs(join(workspace, "ends.jsonl"));
    assert.equal(end.reason, "clear");
    assert.equal(end.session_id, starts[0].session_id);
    assert.equal((await sessionText(home)).split("[hook notes: read NOTES first]").length, 2);
    await client.ask("shutdown");
    await client.program.ended;
    const ends = await inputs(join(workspace, "ends.jsonl"));
    assert.deepEqual(ends.map(({ reason }) => reason), ["clear", "other"]);
  }));

for (
  const { how, steps, args, reason } of [
    { how: "an answer", steps: [say("ok")], args: [], reason: "other" },
    { how: "a failure", steps: [], args: [], reason: "other" },
    { how: "a limit", steps: [bash("true")], args: ["--max-steps", "1"], reason: "other" },
  ]
) {
  Deno.test(`SessionEnd comes once after ${how}, and has 5 s`, async () => {
    const settings = hookSettings({
      event: "SessionEnd",
      command: "cat >> ends.jsonl; sleep 60",
      name: "slow",
      timeout: 1,
    });
    const startMs = Date.now();
    await withHookRun({ settings, steps, args }, async ({ place }) => {
      assert.ok(Date.now() - startMs < 20_000);
      const ends = await inputs(join(place.workspace, "ends.jsonl"));
      assert.deepEqual(ends.map((end) => end.reason), [reason]);
    });
  });
}

Deno.test("a required SessionStart hook that fails keeps all from being sent, until it is mended", async () => {
  const settings = hookSettings({
    event: "SessionStart",
    command: "cat >/dev/null; [ -e mended ] || exit 7",
    name: "gate",
    required: true,
  });
  await withHookRun(
    { settings, steps: [say("never")], mode: "print" },
    ({ code, stdout, stderr }) => {
      assert.deepEqual([code, stdout], [2, ""]);
      assert.match(stderr, /the guard gate failed: status 7/);
    },
  );
  await withHookClient({ settings, steps: [say("sent")] }, async (client) => {
    assert.equal((await client.ask("prompt", { message: "go" })).ok, false);
    assert.match(String((await client.ask("compact")).error), /the guard gate failed: status 7/);
    await Deno.writeTextFile(join(client.place.workspace, "mended"), "");
    assert.equal((await client.ask("prompt", { message: "go" })).ok, true);
    assert.equal((await client.next("run_end")).answer, "sent");
  });
});

Deno.test("PreCompact blocks a summary, PostCompact is told of one", () =>
  withHookClient({
    settings: hookSettings(
      {
        event: "PreCompact",
        matcher: "manual",
        command: "cat >> pre.jsonl; [ -e may ] || { echo 'not now' >&2; exit 2; }",
        name: "c",
      },
      { event: "PostCompact", command: "cat >> post.jsonl" },
      { event: "SessionStart", matcher: "compact", command: "touch again" },
    ),
    steps: [
      ...Array.from({ length: 4 }, () => say("x".repeat(60_000))),
      say("the summary"),
      say("after"),
    ],
  }, async (client) => {
    for (let number = 0; number < 4; number++) await client.prompt("y".repeat(60_000));
    const { workspace } = client.place;
    const refused = await client.ask("compact", { instruction: "the names" });
    assert.equal(refused.ok, false);
    assert.match(String(refused.error), /hook c: not now/);
    const [pre] = await inputs(join(workspace, "pre.jsonl"));
    assert.deepEqual([pre.trigger, pre.custom_instructions], ["manual", "the names"]);
    await Deno.writeTextFile(join(workspace, "may"), "");
    assert.equal((await client.ask("compact")).ok, true);
    const [post] = await inputs(join(workspace, "post.jsonl"));
    assert.match(post.compact_summary, /the summary/);
    await client.prompt("on");
    assert.ok((await Deno.stat(join(workspace, "again"))).isFile);
  }));

Deno.test("an async hook decides nothing, and what it tells comes with the next message", () =>
  withHookClient({
    settings: hookSettings({
      matcher: "Bash",
      async: true,
      name: "later",
      command:
        `cat >/dev/null; sleep 0.3; touch told; echo '{"hookSpecificOutput":{"permissionDecision":"deny",` +
        `"additionalContext":"the build is red"}}'; exit 2`,
    }),
    steps: [bash("touch ran"), say("one"), say("two")],
  }, async (client) => {
    const { workspace, home } = client.place;
    const outputs = await client.prompt("go");
    assert.doesNotMatch(outputs[0]!, /denied/);
    assert.ok((await Deno.stat(join(workspace, "ran"))).isFile);
    await until(
      async () => (await lines(join(workspace, "told")).then(() =>
        Deno.stat(join(workspace, "told")).then(() => true, () => false)
      )),
      "the hook",
    );
    await new Promise((resolve) => setTimeout(resolve, 300));
    assert.doesNotMatch(await sessionText(home), /the build is red/);
    await client.prompt("again");
    assert.match(await sessionText(home), /\[hook later: the build is red\]/);
  }));

Deno.test("a question is not held up by a Notification hook", () =>
  withHookClient({
    settings: hookSettings({ event: "Notification", command: "cat > got.json; sleep 20" }),
    steps: [bash("touch a"), say("ok")],
  }, async (client) => {
    const startMs = Date.now();
    await client.prompt("go");
    assert.ok(Date.now() - startMs < 15_000);
    const got = JSON.parse(await Deno.readTextFile(join(client.place.workspace, "got.json")));
    assert.equal(got.notification_type, "permission_prompt");
    assert.match(got.message, /bash/);
  }));

Deno.test("the same context of the same hook is told once a turn", () =>
  withHookClient({
    settings: hookSettings({
      event: "PostToolUse",
      command: answers({ hookSpecificOutput: { additionalContext: "use tabs" } }),
      name: "style",
    }),
    steps: [bash("true"), bash("true"), say("one"), bash("true"), say("two")],
  }, async (client) => {
    const told = (outputs: string[]) =>
      outputs.map((output) => output.includes("[hook style: use tabs]"));
    assert.deepEqual(told(await client.prompt("go")), [true, false]);
    assert.deepEqual(told(await client.prompt("again")), [true]);
  }));

consoleTest("a blocked prompt goes back into the editor, a command is not asked about", {
  steps: [say("sent")],
  prepare: async ({ home }) => {
    await Deno.mkdir(join(home, ".nimlet"));
    await Deno.writeTextFile(
      join(home, ".nimlet/config.json"),
      hookSettings({
        event: "UserPromptSubmit",
        command: "grep -q secret && { echo 'no secrets' >&2; exit 2; }; exit 0",
        name: "p",
      }),
    );
  },
}, async (terminal) => {
  await terminal.ready();
  await terminal.submit("/help secret");
  await terminal.type("the secret word");
  await terminal.press("Enter");
  await terminal.waitFor(/error: hook p: no secrets\n> the secret word$/);
  await terminal.press("C-u");
  await terminal.submit("hello");
  assert.match(await terminal.screen(), /^sent$/m);
  const list = await terminal.submit("/hooks");
  assert.match(list, /UserPromptSubmit {2}p: 2 runs, last [\d.]+ ms/);
  assert.match(list, /config\.json/);
  await quit(terminal);
});

Deno.test("every event's input fits the published schema, and each hook is told in the events", () =>
  withHookClient({
    settings: hookSettings(
      ...hookEvents.map((event) => ({ event, command: `cat >> all.jsonl`, name: event })),
    ),
    files: { "W/a.txt": "x\n" },
    steps: [
      callAll(
        ["bash", { command: "true", timeout_seconds: 5 }],
        ["bash", { command: "exit 3" }],
        ["read", { path: "a.txt", start_line: 1, end_line: 1 }],
        ["edit", {
          path: "a.txt",
          replacements: [{ old_text: "x", new_text: "y" }],
        }],
        ["write", { path: "b.txt", content: "z" }],
        ["grep", { pattern: "y", glob: "*.txt" }],
        ["glob", { pattern: "*" }],
      ),
      say("x".repeat(60_000)),
      ...Array.from({ length: 3 }, () => say("x".repeat(60_000))),
      say("the summary"),
    ],
  }, async (client) => {
    await client.prompt("go");
    for (let number = 0; number < 3; number++) await client.prompt("y".repeat(60_000));
    assert.equal((await client.ask("compact")).ok, true);
    // no step is left, which is a failure
    await client.prompt("on");
    await client.ask("shutdown");
    await client.program.ended;
    const all = await inputs(join(client.place.workspace, "all.jsonl"));
    const seen = new Set(all.map(({ hook_event_name }) => hook_event_name));
    assert.deepEqual(hookEvents.filter((event) => !seen.has(event)), []);
    for (const input of all) {
      const check = compileSchema(stdinSchema(input.hook_event_name), "2020-12");
      assert.deepEqual(check(input), [], JSON.stringify(input));
    }
    const by = (tool: string) => all.find(({ tool_name }) => tool_name === tool);
    const { workspace } = client.place;
    assert.deepEqual(by("Bash").tool_input, { command: "true", timeout: 5000 });
    assert.deepEqual(by("Read").tool_input, {
      file_path: join(workspace, "a.txt"),
      offset: 1,
      limit: 1,
    });
    assert.deepEqual(by("Grep").tool_input, {
      pattern: "y",
      glob: "*.txt",
      output_mode: "content",
    });
    const failed = all.find(({ hook_event_name }) => hook_event_name === "PostToolUseFailure");
    assert.match(failed.error, /^Exit code 3\n/);
    assert.equal(failed.is_interrupt, false);
    const read = all.find(({ tool_name, tool_response }) => tool_name === "Read" && tool_response);
    assert.match(read.tool_response.file.content, /x/);
  }));

Deno.test("what an extension sends is no prompt for hooks", () =>
  withExtensions(
    {
      register: { events: ["turn_end"] },
      on: `if (m.event === "turn_end" && m.payload.continued === 0) {
        return answer(m, { user_message: { content: "go on", deliver_as: "follow_up" } });
      }`,
    },
    [say("one"), say("two")],
    async ({ run, home, workspace }) => {
      await Deno.writeTextFile(
        join(home, ".nimlet/config.json"),
        hookSettings({ event: "UserPromptSubmit", command: "cat >> prompts.jsonl" }),
      );
      const { records } = await run("-p", "go", "--mode", "json");
      assert.equal(only(records, "run_end")[0]!.answer, "two");
      const prompts = await inputs(join(workspace, "prompts.jsonl"));
      assert.deepEqual(prompts.map(({ prompt }) => prompt), ["go"]);
    },
  ));

Deno.test("an interrupt ends the hook and its call", () =>
  withHookClient({
    settings: hookSettings({ command: "echo $$ > pid; sleep 60", name: "slow" }),
    steps: [bash("touch ran"), say("ok")],
  }, async (client) => {
    const { workspace } = client.place;
    await client.ask("prompt", { message: "go" });
    await until(async () => (await lines(join(workspace, "pid"))).length > 0, "the hook");
    const startMs = Date.now();
    await client.ask("interrupt");
    await client.next("run_end");
    assert.ok(Date.now() - startMs < 10_000);
    const [result] = only(client.seen, "tool_result");
    assert.match(String(result?.output), /^INTERRUPTED .*: the call was not run$/);
    await assert.rejects(Deno.stat(join(workspace, "ran")));
    assert.ok(!isAlive(Number((await lines(join(workspace, "pid")))[0])));
  }));

Deno.test("a session that is resumed keeps what hooks told, and runs none of it again", () =>
  withHookRun({
    settings: hookSettings(
      { event: "SessionStart", command: "cat >> starts.jsonl; echo context of the start" },
      {
        event: "PostToolUse",
        command: `echo x >> ran; ${answers({ hookSpecificOutput: { additionalContext: "note" } })}`,
      },
    ),
    steps: [bash("true"), say("ok")],
  }, async ({ place }) => {
    const { root, workspace, home } = place;
    const model = await cassette(join(root, "again.jsonl"), [say("again")]);
    const { code } = await runProgram([...model, "--resume", "-p", "more"], {
      cwd: workspace,
      env: { HOME: home },
    });
    assert.equal(code, 0);
    const starts = await inputs(join(workspace, "starts.jsonl"));
    assert.deepEqual(starts.map(({ source }) => source), ["startup", "resume"]);
    assert.equal(starts[0].session_id, starts[1].session_id);
    assert.deepEqual(await lines(join(workspace, "ran")), ["x"]);
    assert.equal((await sessionText(home)).split("context of the start").length, 3);
  }));

consoleTest("a session's end has its reason: a new session, and the end of the program", {
  steps: [say("one"), say("two")],
  prepare: async ({ home }) => {
    await Deno.mkdir(join(home, ".nimlet"));
    await Deno.writeTextFile(
      join(home, ".nimlet/config.json"),
      hookSettings(
        { event: "SessionStart", command: "cat >> starts.jsonl" },
        { event: "SessionEnd", command: "cat >> ends.jsonl" },
      ),
    );
  },
}, async (terminal, { workspace }) => {
  await terminal.ready();
  await terminal.submit("go");
  await terminal.submit("/new");
  await terminal.submit("again");
  await quit(terminal);
  const ends = await inputs(join(workspace, "ends.jsonl"));
  assert.deepEqual(ends.map(({ reason }) => reason), ["clear", "prompt_input_exit"]);
  const starts = await inputs(join(workspace, "starts.jsonl"));
  assert.deepEqual(starts.map(({ source }) => source), ["startup", "clear"]);
});

consoleTest("a question does not wait for a Notification hook", {
  steps: [bash("touch a"), say("done")],
  prepare: async ({ home }) => {
    await Deno.mkdir(join(home, ".nimlet"));
    await Deno.writeTextFile(
      join(home, ".nimlet/config.json"),
      hookSettings({ event: "Notification", command: "touch told; sleep 60" }),
    );
  },
}, async (terminal, { workspace }) => {
  await terminal.ready();
  await terminal.type("go");
  await terminal.press("Enter");
  await terminal.waitFor(/bash wants to run/);
  await until(
    () => Deno.stat(join(workspace, "told")).then(() => true, () => false),
    "the notification",
  );
  await pressUntil(terminal, "Enter", "done");
  await quit(terminal);
});
