/** How hooks are written, found, trusted, shown and tried. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { call, say } from "../support/cassette.ts";
import { answers, decides, hookSettings, withHookRun, writeHookFiles } from "../support/hooks.ts";
import { runProgram, withScratch } from "../support/program.ts";
import { only } from "../support/records.ts";
import { consoleTest, quit } from "./console_support.ts";

const bash = (command: string) => call("bash", { command });
const hook = (command: string, more: object = {}) => ({ type: "command", command, ...more });
const settings = (hooks: unknown) => JSON.stringify({ hooks });

for (
  const { how, hooks, problem } of [
    {
      how: "a command beside the matcher",
      hooks: { PreToolUse: [{ matcher: "Bash", command: "x" }] },
      problem:
        /hooks\.PreToolUse\.0: expected "PreToolUse": \[ \{ "matcher": "Bash", "hooks": .*found a command beside matcher \(line 1\)/,
    },
    {
      how: "a required hook of another type",
      hooks: { PreToolUse: [{ hooks: [{ type: "http", url: "x", required: true }] }] },
      problem:
        /hooks of type http are not run here; a command can do the same, and this one is required/,
    },
    {
      how: "a faulty expression",
      hooks: { PreToolUse: [{ matcher: "(", hooks: [hook("x")] }] },
      problem: /matcher: expected names as Bash\|Edit, or a regular expression, found "\("/,
    },
    {
      how: "a time-out of nothing",
      hooks: { PreToolUse: [{ hooks: [hook("x", { timeout: 0 })] }] },
      problem: /timeout: expected seconds from 0\.1 to 3600, found 0/,
    },
    {
      how: "a guard of an event that nothing waits for",
      hooks: { Stop: [{ hooks: [hook("x", { required: true })] }] },
      problem: /required: nothing can wait for a hook of Stop/,
    },
    {
      how: "a guard that is not waited for",
      hooks: { PreToolUse: [{ hooks: [hook("x", { required: true, async: true })] }] },
      problem: /required: an async hook is not waited for/,
    },
    {
      how: "too many",
      hooks: {
        PreToolUse: [{ hooks: Array.from({ length: 65 }, (_, number) => hook(`echo ${number}`)) }],
      },
      problem: /expected at most 64 hooks, found more/,
    },
  ]
) {
  Deno.test(`hooks that cannot be understood stop the start: ${how}`, () =>
    withHookRun(
      { settings: settings(hooks), steps: [say("never")], mode: "print" },
      ({ code, stdout, stderr }) => {
        assert.deepEqual([code, stdout], [2, ""]);
        assert.match(stderr, problem);
      },
    ));
}

Deno.test("what is likely a slip is warned of, once, and the rest runs", () =>
  withHookRun({
    settings: settings({
      PreToolUsed: [{ hooks: [hook("exit 2")] }],
      SubagentStop: [{ hooks: [hook("exit 2")] }],
      PreToolUse: [
        { matcher: "Bahs|MultiEdit", hooks: [hook("exit 2", { timout: 1, name: "typo" })] },
        { matcher: "Bash", hooks: [{ type: "prompt", prompt: "x" }, hook("/no/such/file.sh")] },
      ],
    }),
    steps: [bash("true"), bash("echo ran"), say("ok")],
  }, ({ outputs, stderr: told, code }) => {
    assert.equal(code, 0);
    assert.match(outputs[1]!, /ran/);
    for (
      const warning of [
        /hooks\.PreToolUsed: there is no such event; did you mean PreToolUse\?/,
        /hooks\.SubagentStop: never fires here/,
        /timout: is no key of a hook; did you mean timeout\?/,
        /hooks of type prompt are not run here; a command can do the same/,
        /hook file\.sh: \/no\/such\/file\.sh is not there/,
        /hook typo \(PreToolUse\): there is no tool named Bahs; did you mean Bash\?/,
      ]
    ) assert.equal(told.match(new RegExp(warning, "g"))?.length, 1, `${warning}\n${told}`);
    assert.doesNotMatch(told, /MultiEdit/);
  }));

Deno.test("matchers: names, lists, expressions, servers, nimlet's own names", async () => {
  const tried: [matcher: string, matches: boolean][] = [
    ["", true],
    ["*", true],
    ["Bash", true],
    ["bash", true],
    ["Edit|Bash", true],
    ["Edit, Bash", true],
    ["Edit | Write", false],
    ["Bas", false],
    ["Bas.", true],
    ["^(?!Bash$)", false],
    [".*sh", true],
    ["mcp__x", false],
  ];
  await withHookRun({
    settings: hookSettings(
      ...tried.map(([matcher], number) => ({ matcher, command: `touch m${number}` })),
    ),
    steps: [bash("true"), say("ok")],
  }, async ({ place }) => {
    for (const [number, [matcher, matches]] of tried.entries()) {
      const exists = await Deno.stat(join(place.workspace, `m${number}`)).then(
        () => true,
        () => false,
      );
      assert.equal(exists, matches, JSON.stringify(matcher));
    }
  });
});

Deno.test("if: files by their globs, whatever cannot be told runs", async () => {
  const tried: [condition: string, runs: boolean][] = [
    ["Write(*.ts)", true],
    ["Write(src/**)", true],
    ["Write(*.js)", false],
    ["Edit(*.ts)", false],
    ["Bash(git *)", true],
    ["Write(~/x)", true],
    ["Write(../**)", true],
    ["Write(/src/*.ts)", true],
  ];
  await withHookRun({
    settings: hookSettings(
      ...tried.map(([condition], number) => ({ if: condition, command: `touch i${number}` })),
    ),
    steps: [call("write", { path: "src/a.ts", content: "x" }), say("ok")],
  }, async ({ place }) => {
    for (const [number, [condition, runs]] of tried.entries()) {
      const exists = await Deno.stat(join(place.workspace, `i${number}`)).then(
        () => true,
        () => false,
      );
      assert.equal(exists, runs, condition);
    }
  });
});

Deno.test("hook_files add to your hooks, in order, each once", () =>
  withHookRun({
    settings: JSON.stringify({
      hooks: { PreToolUse: [{ hooks: [hook("echo own >> order")] }] },
      hook_files: ["more.json", "~/.claude/settings.json", "off.json"],
    }),
    files: {
      "home/.nimlet/more.json": settings({ PreToolUse: [{ hooks: [hook("echo more >> order")] }] }),
      "home/.nimlet/off.json": JSON.stringify({
        disableAllHooks: true,
        hooks: { PreToolUse: [{ hooks: [hook("exit 2")] }] },
      }),
      "home/.claude/settings.json": JSON.stringify({
        model: "opus",
        permissions: { allow: ["Bash(rm:*)"] },
        hooks: {
          PreToolUse: [{
            matcher: "Bash",
            hooks: [hook("echo claude >> order"), hook("echo own >> order")],
          }],
        },
      }),
      "W/.nimlet/config.json": JSON.stringify({
        hooks: {
          PreToolUse: [{ hooks: [hook("echo theirs >> order"), hook("echo own >> order")] }],
        },
        hook_files: ["../tools/hooks.json"],
      }),
      "W/tools/hooks.json": settings({ PreToolUse: [{ hooks: [hook("echo last >> order")] }] }),
    },
    steps: [bash("true"), say("ok")],
    args: ["--approve"],
  }, async ({ place, told }) => {
    const order = (await Deno.readTextFile(join(place.workspace, "order"))).trim().split("\n");
    // another matcher makes it another hook
    assert.deepEqual(order, ["own", "more", "claude", "own", "theirs", "last"], told);
  }));

Deno.test("files of hooks: a missing one, links, and those of a folder that you did not name there", async () => {
  const steps = [bash("true"), say("ok")];
  const ranHook = settings({ PreToolUse: [{ hooks: [hook("touch ran")] }] });
  await withHookRun({
    settings: JSON.stringify({ hook_files: ["missing.json"] }),
    steps,
    mode: "print",
  }, ({ code, stderr }) => {
    assert.equal(code, 2);
    assert.match(stderr, /hook_files: missing\.json: there is no such file/);
  });
  // the folder's own file, by your settings: nothing covers it
  await withScratch(async ({ root, workspace, home }) => {
    await writeHookFiles(root, {
      "home/.nimlet/config.json": JSON.stringify({
        hook_files: [join(workspace, ".claude/settings.json")],
      }),
      "W/.claude/settings.json": ranHook,
    });
    const { stdout } = await runProgram(["--doctor", "--approve", "--mode", "json"], {
      cwd: workspace,
      env: { HOME: home },
    });
    const { hooks, warnings } = JSON.parse(stdout);
    assert.deepEqual(hooks, []);
    assert.match(warnings.join("\n"), /left out, as it lies in this folder/);
  });
  for (const outside of ["/tmp/x.json", "~/x.json", "../../x.json"]) {
    await withHookRun({
      files: {
        "W/.nimlet/config.json": JSON.stringify({ hook_files: [outside] }),
        "home/x.json": ranHook,
      },
      steps,
      args: ["--approve"],
    }, async ({ told, place }) => {
      assert.match(told, /left out, as a project's files must lie in the workspace/);
      await assert.rejects(Deno.stat(join(place.workspace, "ran")));
    });
  }
  await withScratch(async ({ root, workspace, home }) => {
    await writeHookFiles(root, {
      "W/.nimlet/config.json": JSON.stringify({ hook_files: ["linked.json"] }),
      "W/real.json": ranHook,
    });
    await Deno.symlink("../real.json", join(workspace, ".nimlet/linked.json"));
    const { code, stderr } = await runProgram(["-p", "go", "--approve"], {
      cwd: workspace,
      env: { HOME: home },
    });
    assert.equal(code, 2);
    assert.match(stderr, /expected a file, found a link; name the file itself/);
  });
});

Deno.test("hooks of a clone that is not trusted do not run, and one line tells of them, each time", () =>
  withScratch(async ({ root, workspace, home }) => {
    await writeHookFiles(root, {
      "W/.nimlet/config.json": settings({
        PreToolUse: [{ hooks: [hook("touch ran"), hook("touch ran; exit 2")] }],
        SessionStart: [{ hooks: [hook("touch ran")] }],
      }),
      "W/.claude/settings.json": settings({
        SessionStart: [{ hooks: [hook("touch claude-ran")] }],
      }),
      "model.jsonl": [bash("echo fine"), say("ok")].map((step) => JSON.stringify(step)).join("\n") +
        "\n",
    });
    for (let run = 0; run < 2; run++) {
      const { code, stdout, stderr } = await runProgram(
        ["--provider", "replay", "--model", join(root, "model.jsonl"), "-p", "go"],
        { cwd: workspace, env: { HOME: home } },
      );
      assert.deepEqual([code, stdout], [0, "ok\n"]);
      assert.equal(stderr.match(/3 hooks/g)?.length, 1, stderr);
      assert.match(stderr, /\.nimlet\/config\.json, 3 hooks: this folder is not trusted/);
    }
    for (const name of ["ran", "claude-ran"]) {
      await assert.rejects(Deno.stat(join(workspace, name)));
    }
  }));

Deno.test("a project's hook that is not what was trusted does not run, and a guard denies", async () => {
  const project = {
    "W/check.sh": "#!/bin/sh\nexit 0\n",
    "W/.nimlet/config.json": settings({
      PreToolUse: [{
        matcher: "Bash",
        hooks: [
          hook(`"$CLAUDE_PROJECT_DIR"/check.sh`, { required: true, name: "g" }),
          hook("./note.sh", { name: "n" }),
        ],
      }],
    }),
    "W/note.sh": "#!/bin/sh\necho noted >> notes\n",
  };
  const steps = [
    bash("echo first"),
    call("write", { path: "check.sh", content: "#!/bin/sh\ntouch evil\n", overwrite: true }),
    bash("echo second"),
    say("ok"),
  ];
  await withHookRun(
    { files: project, steps, args: ["--approve", "--yolo"] },
    async ({ outputs, place }) => {
      assert.match(outputs[0]!, /first/);
      assert.match(
        outputs[2]!,
        /^approval_denied: the guard g failed: it is not what was trusted \(.*\), so it does not run; \/reload/,
      );
      await assert.rejects(Deno.stat(join(place.workspace, "evil")));
      assert.equal(await Deno.readTextFile(join(place.workspace, "notes")), "noted\n");
    },
  );
});

Deno.test("hooks in force stay whatever becomes of the file; one notice tells", () =>
  withHookRun({
    settings: hookSettings({
      matcher: "Bash",
      command: "grep -q push && exit 2; exit 0",
      name: "no-push",
      required: true,
    }),
    steps: [
      bash(`echo '{}' > "$HOME/.nimlet/config.json"`),
      bash("echo push"),
      bash(`echo '{ "hooks": {' > "$HOME/.nimlet/config.json"`),
      bash("echo push"),
      say("ok"),
    ],
  }, ({ outputs }) => {
    for (const at of [1, 3]) assert.match(outputs[at]!, /^approval_denied: hook no-push/);
  }));

consoleTest(
  "a change of the file is told before the next prompt, and /reload refuses half a file",
  {
    args: ["--yolo"],
    steps: [
      bash("echo one"),
      say("first"),
      bash("echo two"),
      say("second"),
      bash("echo three"),
      say("third"),
    ],
    prepare: async ({ home }) => {
      await Deno.mkdir(join(home, ".nimlet"));
      await Deno.writeTextFile(
        join(home, ".nimlet/config.json"),
        hookSettings({ command: "echo x >> ran", name: "n" }),
      );
    },
  },
  async (terminal, { home, workspace }) => {
    const file = join(home, ".nimlet/config.json");
    const ran = async () =>
      (await Deno.readTextFile(join(workspace, "ran"))).split("\n").length - 1;
    await terminal.ready();
    await terminal.submit("go");
    assert.equal(await ran(), 1);
    await Deno.writeTextFile(file, '{ "hooks": {');
    assert.match(await terminal.submit("again"), /config\.json has changed; \/reload takes it/);
    assert.equal(await ran(), 2);
    assert.match(await terminal.submit("/reload"), /config\.json/);
    assert.doesNotMatch(await terminal.submit("once more"), /has changed/);
    assert.equal(await ran(), 3);
    await Deno.writeTextFile(file, "{}");
    await terminal.submit("/reload");
    assert.match(await terminal.submit("/hooks"), /^No hooks\.$/m);
    await quit(terminal);
  },
);

consoleTest("the question about trust shows every command whole and escaped", {
  steps: [say("ok")],
  prepare: async ({ workspace }) => {
    await Deno.mkdir(join(workspace, ".nimlet"));
    await Deno.writeTextFile(
      join(workspace, ".nimlet/config.json"),
      JSON.stringify({
        hooks: {
          PreToolUse: [{
            matcher: "Edit",
            hooks: [hook(`echo \u202etxt${" ".repeat(300)}; rm -rf all`)],
          }],
          Stop: [{ hooks: [hook("./second.sh", { args: ["a b"] })] }],
          SessionStart: [{ hooks: [hook("touch ran")] }],
        },
      }),
    );
  },
}, async (terminal, { workspace }) => {
  const screen = await terminal.waitFor(/\[y\/N\]|\(y\/N\)|y = /i);
  const joined = screen.replaceAll("\n", "");
  assert.match(joined, /hook PreToolUse Edit: echo \\u202etxt/);
  assert.match(joined, /; rm -rf all/);
  assert.match(joined, /hook Stop: \.\/second\.sh a b/);
  await terminal.press("n");
  await terminal.press("Enter");
  await terminal.ready();
  await terminal.submit("go");
  await assert.rejects(Deno.stat(join(workspace, "ran")));
  await quit(terminal);
});

Deno.test("--doctor, --schema hook: what there is, and its form", () =>
  withScratch(async ({ root, workspace, home }) => {
    await writeHookFiles(root, {
      "home/.nimlet/config.json": hookSettings(
        { matcher: "Bash", command: "~/bin/check.sh --all", required: true },
        { event: "Stop", command: "notify", args: ["a"], async: true },
      ),
    });
    const run = (...args: string[]) =>
      runProgram(args, { cwd: workspace, env: { HOME: home, OPENAI_API_KEY: "x" } });
    const file = join(home, ".nimlet/config.json");
    const { hooks } = JSON.parse((await run("--doctor", "--mode", "json")).stdout);
    assert.deepEqual(hooks, [
      {
        event: "PreToolUse",
        matcher: "Bash",
        name: "check.sh",
        command: "~/bin/check.sh --all",
        file,
        scope: "user",
        required: true,
        async: false,
      },
      {
        event: "Stop",
        matcher: "",
        name: "notify",
        command: "notify a",
        file,
        scope: "user",
        required: false,
        async: true,
      },
    ]);
    assert.match(
      (await run("--doctor")).stdout,
      /^hook check\.sh \(PreToolUse, Bash\): ~\/bin\/check\.sh --all \(yours, .*; required\)$/m,
    );
    const schema = JSON.parse((await run("--schema", "hook")).stdout);
    assert.equal(schema.oneOf.length, 12);
  }));

Deno.test("--try-hook says what each hook makes of a call, and of a prompt", () =>
  withScratch(async ({ root, workspace, home }) => {
    await writeHookFiles(root, {
      "home/.nimlet/config.json": hookSettings(
        { matcher: "Edit", command: "exit 2", name: "other" },
        { matcher: "Bash", command: decides({ updatedInput: { command: "echo b" } }), name: "b" },
        { matcher: "Bash", command: "grep -q 'echo b' && echo saw >&2; exit 2", name: "c" },
        { matcher: "mcp__x", command: "exit 5", name: "m" },
        {
          event: "PostToolUse",
          command: answers({ hookSpecificOutput: { additionalContext: "note" } }),
          name: "after",
        },
        { event: "UserPromptSubmit", command: "grep -q secret && exit 2; exit 0", name: "p" },
        { event: "Notification", command: "echo told >&2", name: "n" },
        { event: "Stop", command: "exit 2", name: "s", async: true },
      ),
    });
    const run = (...args: string[]) =>
      runProgram(["--try-hook", ...args], { cwd: workspace, env: { HOME: home } });
    const bash = await run("PreToolUse", "bash", '{"command":"echo a"}');
    assert.equal(bash.code, 0);
    assert.equal(
      bash.stdout.replace(/[\d.]+ ms/g, "N ms").split("\n").filter((line) =>
        !/^ {2}stdout:/.test(line)
      ).join("\n"),
      [
        "other  PreToolUse  Edit: does not match",
        "b  PreToolUse  Bash: status 0, N ms",
        '  arguments: {"command":"echo b"}',
        "c  PreToolUse  Bash: status 2, N ms",
        "  deny: hook c: saw",
        "  stderr: saw",
        "m  PreToolUse  mcp__x: does not match",
        "",
      ].join("\n"),
    );
    const server = await run("PreToolUse", "mcp__x__y", "{}", "--mode", "json");
    assert.equal(server.code, 1);
    const last = JSON.parse(server.stdout.trim().split("\n").at(-1)!);
    assert.deepEqual([last.name, last.matched, last.status, last.answer], [
      "m",
      true,
      5,
      { failed: true },
    ]);
    assert.match(
      (await run("PostToolUse", "bash", '{"command":"x"}', "out")).stdout,
      /context: \[hook after: note\]/,
    );
    assert.match(
      (await run("UserPromptSubmit", "a secret")).stdout,
      /block: hook p: it gave no reason/,
    );
    assert.match(
      (await run("Notification")).stdout,
      /^n {2}Notification: status 0, .*\n {2}stderr: told$/m,
    );
    assert.match((await run("Stop", "done")).stdout, /goOn: \[hook s: it gave no reason\]/);
    assert.equal((await run("SessionEnd")).stdout, "No hooks for SessionEnd.\n");
    const wrong = await run("PreToolUse", "bahs", "{}");
    assert.equal(wrong.code, 2);
    assert.match(wrong.stderr, /no tool is called "?bahs"?; did you mean bash/);
    assert.match((await run("PreToolUse", "bash", '{"cmd":1}')).stderr, /invalid_arguments/);
    assert.equal((await run("PreToolUs")).code, 2);
    assert.match((await run("PreToolUse")).stderr, /expected a TOOL and its arguments as JSON/);
  }));

Deno.test("a program without hooks has nothing of them in its state", () =>
  withHookRun({ steps: [bash("true"), say("ok")] }, ({ records }) => {
    assert.equal(only(records, "tool_result")[0]!.hooks, undefined);
    assert.equal(only(records, "run_end")[0]!.hooks, undefined);
  }));

Deno.test("a hook that takes longer says so where it has a message for that", () =>
  withHookRun({
    settings: hookSettings({ command: "sleep 1.4", statusMessage: "asking the office" }),
    steps: [bash("true"), say("ok")],
  }, ({ records }) => {
    const told = only(records, "diagnostic").map(({ message }) => message);
    assert.deepEqual(told, ["asking the office"]);
  }));

Deno.test("a guard is not the same hook as one that is none, nor one with another condition", () =>
  withHookRun({
    settings: hookSettings(
      { command: "echo x >> n; exit 3" },
      { command: "echo x >> n; exit 3", if: "Write(*.ts)" },
      { command: "echo x >> n; exit 3", required: true },
    ),
    steps: [bash("true"), say("ok")],
  }, async ({ outputs, place }) => {
    assert.match(outputs[0]!, /^approval_denied: the guard echo failed: status 3$/);
    assert.equal(await Deno.readTextFile(join(place.workspace, "n")), "x\nx\n");
  }));

Deno.test("project settings that are a link are shown, and their hooks compared", () =>
  withScratch(async ({ root, workspace, home }) => {
    await writeHookFiles(root, {
      "W/real.json": settings({
        PreToolUse: [{ hooks: [hook("./check.sh", { required: true, name: "g" })] }],
      }),
      "W/check.sh": "#!/bin/sh\nexit 0\n",
      "W/.nimlet/x": "",
      "model.jsonl": [
        bash("echo first"),
        bash("printf '#!/bin/sh\\ntouch evil\\n' > check.sh"),
        bash("echo second"),
        say("ok"),
      ].map((step) => JSON.stringify(step)).join("\n") + "\n",
    });
    await Deno.symlink("../real.json", join(workspace, ".nimlet/config.json"));
    const model = ["--provider", "replay", "--model", join(root, "model.jsonl")];
    const env = { HOME: home };
    const without = await runProgram([...model, "-p", "go", "--plan"], { cwd: workspace, env });
    assert.match(without.stderr, /1 hook: this folder is not trusted/);
    const { stdout } = await runProgram([...model, "--approve", "--mode", "json", "-p", "go"], {
      cwd: workspace,
      env,
    });
    const outputs = stdout.split("\n").filter((line) => line.includes('"tool_result"'))
      .map((line) => JSON.parse(line).output);
    assert.match(outputs[0], /first/);
    assert.match(outputs[2], /^approval_denied: the guard g failed: it is not what was trusted/);
    await assert.rejects(Deno.stat(join(workspace, "evil")));
  }));
