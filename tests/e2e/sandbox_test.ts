import assert from "node:assert/strict";
import { callAll, cassette, say } from "../support/cassette.ts";
import { type ProgramOptions, runProgram, withScratch } from "../support/program.ts";
import { checkedRecords, only, type Record as EventRecord } from "../support/records.ts";
import { startRpc } from "../support/rpc.ts";
import { exists, sandboxNeed } from "../support/sandbox.ts";
import { installed, testWhere } from "../support/test_where.ts";

type Scratch = Parameters<Parameters<typeof withScratch>[0]>[0];
type Call = [string, unknown];

interface Ran {
  readonly code: number;
  readonly stderr: string;
  readonly records: EventRecord[];
  /** Outputs of the calls. */
  readonly outputs: string[];
}

/** Runs the calls, all of one answer, in JSON mode. */
async function play(
  { workspace, root }: Scratch,
  flags: readonly string[],
  calls: readonly Call[],
  options: Partial<ProgramOptions> = {},
): Promise<Ran> {
  const model = await cassette(`${root}/c.jsonl`, [callAll(...calls), say("done")]);
  const { stdout, stderr, code } = await runProgram(
    [...model, "--mode", "json", ...flags, "x"],
    { cwd: workspace, limitMs: 120_000, ...options },
  );
  const records = checkedRecords(stdout);
  const outputs = only(records, "tool_result").map(({ output }) => String(output));
  return { code, stderr, records, outputs };
}

const bash = (command: string, more: object = {}): Call => ["bash", { command, ...more }];

async function userConfig({ home }: Scratch, config: object): Promise<void> {
  await Deno.mkdir(`${home}/.nimlet`, { recursive: true });
  await Deno.writeTextFile(`${home}/.nimlet/config.json`, JSON.stringify(config));
}

async function projectConfig({ workspace }: Scratch, config: object): Promise<void> {
  await Deno.mkdir(`${workspace}/.nimlet`, { recursive: true });
  await Deno.writeTextFile(`${workspace}/.nimlet/config.json`, JSON.stringify(config));
}

testWhere(
  sandboxNeed,
  "a run in the sandbox says so, and leaves nothing but its work",
  () =>
    withScratch(async (scratch) => {
      const { workspace, home } = scratch;
      const { records, outputs } = await play(scratch, ["--sandbox", "workspace"], [
        bash(
          'echo "$NIMLET_SANDBOX" > made; touch /etc/nimlet-test-x ~/private; curl -sS http://x.invalid; exit 3',
        ),
      ]);
      assert.deepEqual(records[0]!.sandbox, {
        mode: "workspace",
        net: "off",
        backend: "bubblewrap",
      });
      assert.match(
        outputs[0]!,
        /^exit_code: 3\nsandbox: only the workspace and \/tmp can be written/,
      );
      assert.match(outputs[0]!, /^sandbox: there is no network$/m);
      assert.match(
        outputs[0]!,
        /^Nobody can allow it in this run: do without, and say what is missing$/m,
      );
      assert.equal(await Deno.readTextFile(`${workspace}/made`), "workspace\n");
      assert.ok(!exists("/etc/nimlet-test-x") && !exists(`${home}/private`));
      assert.deepEqual([...Deno.readDirSync(workspace)].map(({ name }) => name), ["made"]);
    }),
);

testWhere(
  sandboxNeed,
  "without the flag nothing of it is there",
  () =>
    withScratch(async (scratch) => {
      const { records, outputs } = await play(scratch, [], [bash('echo "[$NIMLET_SANDBOX]"')]);
      assert.equal(records[0]!.sandbox, undefined);
      assert.match(outputs[0]!, /^\[\]$/m);
      assert.ok(!exists(`${scratch.home}/.nimlet/sandbox`));
    }),
);

testWhere(
  sandboxNeed,
  "a variable that looks secret is handed on where the settings name it",
  () =>
    withScratch(async (scratch) => {
      const env = { GITHUB_TOKEN: "tok" };
      const show = [bash('echo "[$GITHUB_TOKEN]"')];
      const flags = ["--sandbox", "workspace"];
      assert.match((await play(scratch, flags, show, { env })).outputs[0]!, /^\[\]$/m);
      await userConfig(scratch, { sandbox: { env: ["GITHUB_TOKEN"] } });
      assert.match((await play(scratch, flags, show, { env })).outputs[0]!, /^\[tok\]$/m);
    }),
);

Deno.test("a sandbox that cannot be had is exit status 2 before a request", () =>
  withScratch(async (scratch) => {
    const { root } = scratch;
    await Deno.mkdir(`${root}/bin`);
    const bin = (said: string) =>
      Deno.writeTextFile(`${root}/bin/bwrap`, `#!/bin/sh\necho "bwrap: ${said}" >&2; exit 1\n`, {
        mode: 0o755,
      });
    // all that the test's commands need, and no bwrap
    for (const name of ["bash", "sh", "touch", "env", "ls"]) {
      const found = (Deno.env.get("PATH") ?? "").split(":").map((folder) => `${folder}/${name}`)
        .find(exists);
      await Deno.symlink(found!, `${root}/bin/${name}`);
    }
    const failure = async (flags: string[] = ["--sandbox", "workspace"]) => {
      const env = { PATH: `${root}/bin` };
      const { code, records } = await play(scratch, flags, [bash("touch ran")], { env });
      const [error] = only(records, "error");
      return code === 2 ? [error?.code, error?.message].join(": ") : `status ${code}`;
    };
    const had = "config: the sandbox was asked for and cannot be had: ";
    assert.equal(await failure([]), "status 0");
    await Deno.remove(`${scratch.workspace}/ran`);
    assert.equal(await failure(), `${had}bubblewrap is not installed (apt install bubblewrap)`);
    const seen: [said: string, sentence: RegExp][] = [
      [
        "Creating new namespace failed: No space left on device",
        /max_user_namespaces is 0, or nimlet runs inside a sandbox/,
      ],
      [
        "No permissions to create new namespace, likely because ...",
        /this container refuses user namespaces/,
      ],
      [
        "Creating new namespace failed: Operation not permitted",
        /this container refuses user namespaces/,
      ],
      [
        "Can't mount proc on /newroot/proc: Operation not permitted",
        /\/proc is masked \(docker: systempaths=unconfined/,
      ],
      ["Unknown option --cap-drop", /bubblewrap is older than 0\.5$/],
      ["something else", /bwrap failed with status 1 \(bwrap: something else\)$/],
    ];
    for (const [said, sentence] of seen) {
      await bin(said);
      const message = await failure();
      assert.ok(message.startsWith(had), message);
      assert.match(message, sentence);
    }
    assert.ok(!exists(`${scratch.workspace}/ran`));
    // asked for by the settings
    await userConfig(scratch, { sandbox: { mode: "read" } });
    assert.match(await failure([]), /cannot be had/);
    assert.equal(await failure(["--sandbox", "off"]), "status 0");
  }));

testWhere(
  sandboxNeed,
  "where the system refuses, its own words are understood",
  () =>
    withScratch(async ({ workspace }) => {
      const within = async (...words: string[]) => {
        const outer = ["bwrap", "--unshare-user", "--dev-bind", "/", "/", ...words].join(" ");
        const asked = ["--sandbox", "workspace", "--call-tool", "bash", '{"command":"touch ran"}'];
        const { code, stderr } = await runProgram(asked, {
          cwd: workspace,
          shell: `exec ${outer} "$@"`,
        });
        assert.equal(code, 2, stderr);
        assert.ok(!exists(`${workspace}/ran`));
        return stderr;
      };
      assert.match(
        await within("--disable-userns"),
        /cannot be had: user\.max_user_namespaces is 0, or nimlet runs inside a sandbox already/,
      );
      assert.match(
        await within("--disable-userns", "--setenv", "NIMLET_SANDBOX", "read"),
        /cannot be had: nimlet runs inside a sandbox already/,
      );
    }),
);

Deno.test("workspaces and flags that no sandbox can be made for are refused", () =>
  withScratch(async (scratch) => {
    const { workspace, home, root } = scratch;
    for (const cwd of [home, root, "/"]) {
      const { code, stderr } = await runProgram(
        ["--sandbox", "workspace", "--call-tool", "bash", '{"command":"true"}'],
        { cwd: workspace, env: { HOME: home }, shell: `cd ${cwd} && exec "$@"` },
      );
      assert.equal(code, 2, `${cwd}: ${stderr}`);
      assert.match(stderr, /the sandbox was asked for and cannot be had: the workspace /);
    }
    const usage = async (...flags: string[]) =>
      (await runProgram([...flags, "-p", "x"], { cwd: workspace })).stderr;
    assert.match(await usage("--sandbox", "loose"), /expected one of off, commit, workspace, read/);
    assert.match(await usage("--sandbox-net", "on"), /--sandbox-net needs a sandbox/);
    assert.match(
      await usage("--sandbox", "read", "--sandbox-net", "http://x"),
      /--sandbox-net: expected off, on, or hosts/,
    );
  }));

testWhere(sandboxNeed, "a project may only make it stricter", () =>
  withScratch(async (scratch) => {
    const flags = ["--approve", "--sandbox", "workspace"];
    const tries = [bash("touch made; cat .env; cat ~/x || true")];
    await Deno.writeTextFile(`${scratch.workspace}/.env`, "SECRET-CONTENT");
    await projectConfig(scratch, {
      sandbox: { mode: "off", write: ["~"], env: ["X"], net: "on", escape: "ask" },
    });
    const loose = await play(scratch, flags, tries);
    assert.equal((loose.records[0]!.sandbox as { mode: string }).mode, "workspace");
    const warnings = only(loose.records, "diagnostic").map(({ message }) => String(message));
    for (const key of ["mode", "write", "env", "net", "escape"]) {
      assert.ok(warnings.some((text) => text.includes(`sandbox.${key}: left out`)), key);
    }
    assert.ok(exists(`${scratch.workspace}/made`));
    await Deno.remove(`${scratch.workspace}/made`);
    await projectConfig(scratch, { sandbox: { mode: "read", hide: [".env"] } });
    const strict = await play(scratch, flags, tries);
    assert.equal((strict.records[0]!.sandbox as { mode: string }).mode, "read");
    assert.doesNotMatch(strict.outputs[0]!, /SECRET-CONTENT/);
    assert.ok(!exists(`${scratch.workspace}/made`));
  }));

testWhere(
  sandboxNeed,
  "file tools refuse what is protected, and do not show what is hidden",
  () =>
    withScratch(async (scratch) => {
      const { workspace } = scratch;
      await Deno.mkdir(`${workspace}/.vscode`);
      await Deno.writeTextFile(`${workspace}/.vscode/s.json`, "{}");
      await Deno.writeTextFile(`${workspace}/.env`, "KEY=1\n");
      await Deno.symlink(".env", `${workspace}/link`);
      await Deno.symlink(".vscode", `${workspace}/alias`);
      await userConfig(scratch, { sandbox: { hide: [".env"] } });
      const { outputs } = await play(scratch, ["--sandbox", "workspace", "--yolo"], [
        ["write", { path: ".git/hooks/pre-commit", content: "x" }],
        ["write", { path: "sub/.git/config", content: "x" }],
        ["edit", { path: ".vscode/s.json", old_text: "{}", new_text: "[]" }],
        ["read", { path: ".env" }],
        ["read", { path: "link" }],
        ["grep", { pattern: "KEY" }],
        ["grep", { pattern: "KEY", path: ".env" }],
        ["glob", { pattern: "**" }],
        ["write", { path: "free", content: "x" }],
        ["edit", { path: "alias/s.json", old_text: "{}", new_text: "[]" }],
        ["write", { path: "alias/new.json", content: "x" }],
        ["write", { path: "HEAD", content: "ref: refs/heads/main" }],
      ]);
      const refused = (index: number, sentence: RegExp) => assert.match(outputs[index]!, sentence);
      for (const index of [0, 1, 2, 9, 10, 11]) {
        refused(index, /path is protected by the sandbox: /);
      }
      for (const index of [3, 4]) refused(index, /path is hidden by the sandbox: /);
      for (const index of [5, 6]) assert.doesNotMatch(outputs[index]!, /KEY=1/);
      assert.doesNotMatch(outputs[7]!, /^\.env$|^link$/m);
      assert.ok(
        exists(`${workspace}/free`) && !exists(`${workspace}/.git`) && !exists(`${workspace}/sub`),
      );
      const read = await play(scratch, ["--sandbox", "read", "--yolo"], [
        ["write", { path: "more", content: "x" }],
      ]);
      assert.match(read.outputs[0]!, /path is protected by the sandbox: more/);
    }),
);

testWhere(
  sandboxNeed,
  "plan mode has no commands, in the sandbox neither",
  () =>
    withScratch(async (scratch) => {
      const { outputs } = await play(scratch, ["--sandbox", "workspace", "--plan"], [
        bash("touch made"),
        ["write", { path: "made", content: "x" }],
      ]);
      for (const output of outputs) assert.match(output, /plan mode/);
      assert.ok(!exists(`${scratch.workspace}/made`));
    }),
);

testWhere(
  sandboxNeed,
  "where nobody can be asked the model cannot ask to leave",
  () =>
    withScratch(async (scratch) => {
      const { outputs } = await play(scratch, ["--sandbox", "workspace", "--yolo"], [
        bash("touch /tmp/nimlet-left", { outside_sandbox: true, reason: "please" }),
      ]);
      assert.match(outputs[0]!, /^invalid_arguments: .*"outside_sandbox"/);
      assert.ok(!exists("/tmp/nimlet-left"));
    }),
);

testWhere(
  sandboxNeed,
  "inside, commands run under --ask deny but for those of the list",
  () =>
    withScratch(async (scratch) => {
      const { outputs } = await play(scratch, ["--sandbox", "workspace", "--ask", "deny"], [
        bash("echo plain"),
        bash('for i in 1 2; do echo "involved $((i * 2))"; done'),
        bash("rm -rf build"),
      ]);
      assert.match(outputs[0]!, /^exit_code: 0/);
      assert.match(outputs[1]!, /involved 4/);
      assert.match(outputs[2]!, /^approval_denied: it runs rm/);
      const without = await play(scratch, ["--ask", "deny"], [bash("echo plain")]);
      assert.match(without.outputs[0]!, /^approval_denied/);
    }),
);

async function addTool({ home }: Scratch, name: string, above = home): Promise<void> {
  const folder = `${above}/.nimlet/tools/${name}`;
  await Deno.mkdir(folder, { recursive: true });
  await Deno.writeTextFile(
    `${folder}/tool.json`,
    JSON.stringify({
      name,
      description: "Looks around.",
      command: ["run"],
      capabilities: ["read"],
      input_schema: { type: "object", properties: {}, additionalProperties: false },
    }),
  );
  await Deno.writeTextFile(`${folder}/beside`, "beside");
  await Deno.writeTextFile(
    `${folder}/run`,
    '#!/bin/sh\ncat "$NIMLET_TOOL_DIR/beside" >/dev/null || exit 1\n' +
      'ls -A ~ | grep -q secret && s=seen || s=absent\necho "\\"[$NIMLET_SANDBOX] $s\\""\n',
    { mode: 0o755 },
  );
}

testWhere(
  sandboxNeed,
  "external tools run inside, and outside where the settings say so",
  () =>
    withScratch(async (scratch) => {
      await Deno.mkdir(`${scratch.home}/secret`);
      await addTool(scratch, "look");
      await userConfig(scratch, { sandbox: { outside: ["away"] } });
      await addTool(scratch, "away");
      const flags = ["--sandbox", "workspace"];
      const calls: Call[] = [["look", {}], ["away", {}]];
      const { outputs } = await play(scratch, flags, calls);
      assert.equal(outputs[0], "[workspace] absent");
      assert.match(outputs[1]!, /^approval_denied: away would run outside the sandbox/);
      const named = await play(scratch, [...flags, "--allow", "tool:away"], calls);
      assert.equal(named.outputs[1], "[] seen");
      const denied = await play(scratch, [...flags, "--ask", "deny"], calls);
      assert.match(
        denied.outputs[0]!,
        /^approval_denied: no remembered permission covers tool:look/,
      );
    }),
);

testWhere(
  sandboxNeed,
  "a project's tool of the same name as one of the person's stays inside",
  () =>
    withScratch(async (scratch) => {
      await Deno.mkdir(`${scratch.home}/secret`);
      await userConfig(scratch, { sandbox: { outside: ["away"] } });
      const flags = ["--sandbox", "workspace", "--allow", "tool:away", "--approve"];
      const calls: Call[] = [["away", {}]];
      await addTool(scratch, "away");
      assert.equal((await play(scratch, flags, calls)).outputs[0], "[] seen");
      await addTool(scratch, "away", scratch.workspace);
      assert.equal((await play(scratch, flags, calls)).outputs[0], "[workspace] absent");
    }),
);

testWhere(
  [sandboxNeed, installed("curl"), installed("socat", ["-V"])],
  "a refused host is in the result's head, and a warning",
  () =>
    withScratch(async (scratch) => {
      const flags = ["--sandbox", "workspace", "--sandbox-net", "a.test"];
      const { records, outputs } = await play(scratch, flags, [
        bash("curl -sSf http://b.test/ || exit 4"),
      ]);
      assert.match(outputs[0]!, /^exit_code: 4\nsandbox: b\.test:80 is not allowed$/m);
      const warnings = only(records, "diagnostic").filter(({ level }) => level === "warning");
      assert.ok(
        warnings.some(({ message }) => String(message).includes("b.test:80 is not allowed")),
      );
      assert.equal((records[0]!.sandbox as { net: string }).net, "a.test");
    }),
);

testWhere(
  sandboxNeed,
  "a command that runs out of time has its last word, and is killed where it is deaf",
  () =>
    withScratch(async (scratch) => {
      const timed = (command: string) => bash(command, { timeout_seconds: 1 });
      const { outputs } = await play(scratch, ["--sandbox", "workspace"], [
        timed("trap 'echo last word; exit 3' TERM; while :; do sleep 0.05; done"),
        timed("trap '' TERM; echo deaf; while :; do sleep 0.05; done"),
        timed("for i in $(seq 50); do setsid sleep 7321 & done; sleep 7321"),
        bash("ls -d /proc/[0-9]* | wc -l"),
      ]);
      assert.match(outputs[0]!, /TIMEOUT[^]*last word/);
      assert.match(outputs[1]!, /TIMEOUT[^]*deaf/);
      assert.match(outputs[2]!, /TIMEOUT/);
      assert.deepEqual(sleepers(), []);
    }),
);

/** Processes of this machine that the test above left. */
function sleepers(): string[] {
  return [...Deno.readDirSync("/proc")].map(({ name }) => name).filter((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      return Deno.readTextFileSync(`/proc/${name}/cmdline`).includes("sleep\x007321");
    } catch {
      // gone, or another's
      return false;
    }
  });
}

testWhere(
  sandboxNeed,
  "without a wish for it nothing of it is looked for",
  () =>
    withScratch(async (scratch) => {
      const { root } = scratch;
      await Deno.mkdir(`${root}/bin`);
      for (const name of ["bwrap", "socat"]) {
        await Deno.writeTextFile(
          `${root}/bin/${name}`,
          `#!/bin/sh\ntouch ${root}/asked-${name}\nexit 1\n`,
          { mode: 0o755 },
        );
      }
      const env = { PATH: `${root}/bin:${Deno.env.get("PATH")}` };
      await play(scratch, [], [bash("true")], { env });
      assert.ok(!exists(`${root}/asked-bwrap`) && !exists(`${root}/asked-socat`));
      const { code } = await play(scratch, ["--sandbox", "workspace"], [bash("true")], { env });
      assert.equal(code, 2);
      assert.ok(exists(`${root}/asked-bwrap`));
    }),
);

testWhere(
  sandboxNeed,
  "a person may let one command out, and --yolo does not",
  () =>
    withScratch(async (scratch) => {
      const { workspace, root } = scratch;
      const outside = bash('echo "[$NIMLET_SANDBOX]"', {
        outside_sandbox: true,
        reason: "needs docker",
      });
      const model = await cassette(`${root}/c.jsonl`, [
        callAll(outside),
        callAll(outside),
        callAll(bash("echo other", { outside_sandbox: true, reason: "r" })),
        callAll(bash("echo unasked")),
        callAll(bash("true", { outside_sandbox: true })),
        say("done"),
      ]);
      const rpc = startRpc([...model, "--sandbox", "workspace", "--yolo"], workspace);
      await rpc.ask("prompt", { message: "x", permissions: "ask" });
      for (const answer of ["session", "deny"]) {
        const question = await rpc.next("approval_required");
        assert.deepEqual(question.answers, ["once", "session", "deny"]);
        assert.equal(question.outside_sandbox, answer === "session" ? "needs docker" : "r");
        await rpc.ask("approve", { request_id: question.request_id, answer });
      }
      await rpc.next("run_end");
      const outputs = only(rpc.seen, "tool_result").map(({ output }) => String(output));
      assert.match(outputs[0]!, /^\[\]$/m);
      assert.match(outputs[1]!, /^\[\]$/m);
      assert.match(outputs[2]!, /^approval_denied: the person said no/);
      assert.match(outputs[3]!, /unasked/);
      assert.match(outputs[4]!, /^invalid_arguments: .*outside_sandbox needs a reason/);
      assert.equal(only(rpc.seen, "approval_required").length, 2);
      await rpc.ask("shutdown");
      await rpc.program.ended;
    }),
);

testWhere(
  sandboxNeed,
  "with sandbox.escape never the model cannot ask, whoever answers",
  () =>
    withScratch(async (scratch) => {
      const { workspace, root } = scratch;
      await userConfig(scratch, { sandbox: { escape: "never" } });
      const model = await cassette(`${root}/c.jsonl`, [
        callAll(bash("true", { outside_sandbox: true, reason: "r" })),
        say("done"),
      ]);
      const rpc = startRpc([...model, "--sandbox", "workspace"], workspace);
      await rpc.ask("prompt", { message: "x", permissions: "ask" });
      await rpc.next("run_end");
      assert.match(String(only(rpc.seen, "tool_result")[0]!.output), /^invalid_arguments/);
      await rpc.ask("shutdown");
      await rpc.program.ended;
    }),
);

testWhere(
  sandboxNeed,
  "--doctor tells what the sandbox does, or why there is none",
  () =>
    withScratch(async ({ workspace, root }) => {
      const doctor = async (env: { [key: string]: string }, ...flags: string[]) => {
        const args = ["--doctor", "--mode", "json", ...flags];
        const { stdout } = await runProgram(args, { cwd: workspace, env });
        return JSON.parse(stdout);
      };
      const asked = ["--sandbox", "workspace"];
      const { sandbox } = await doctor({ GITHUB_TOKEN: "x" }, ...asked);
      assert.equal(sandbox.mode, "workspace (from the command line)");
      const lines = new Map<string, string>(sandbox.lines);
      assert.match(lines.get("backend")!, /^bubblewrap \(.*bwrap\); seccomp: yes/);
      assert.match(lines.get("workspace")!, /\(write\); read-only in it: .*\.git/);
      assert.match(lines.get("variables not handed on")!, /GITHUB_TOKEN/);
      assert.equal((await doctor({})).sandbox, null);
      const without = await doctor({ PATH: root }, ...asked);
      assert.match(without.problem, /bubblewrap is not installed/);
      assert.equal(without.ok, false);
    }),
);

testWhere(
  sandboxNeed,
  "hooks run inside, but for your own that the settings take out",
  () =>
    withScratch(async (scratch) => {
      const { workspace, home } = scratch;
      await Deno.mkdir(`${home}/hooks`);
      await Deno.writeTextFile(
        `${home}/hooks/mark.sh`,
        '#!/bin/sh\ncat >/dev/null; echo "[$NIMLET_SANDBOX]" > "$1"; touch ~/left-"$1"\n',
        { mode: 0o755 },
      );
      const hook = (name: string, more: object = {}) => ({
        hooks: [{ type: "command", command: `~/hooks/mark.sh ${name}`, ...more }],
      });
      await userConfig(scratch, {
        hooks: { PreToolUse: [hook("one"), hook("two", { outside_sandbox: true })] },
      });
      const { outputs, code, stderr } = await play(scratch, ["--sandbox", "workspace"], [
        bash("cat one two"),
      ]);
      assert.equal(code, 0, stderr);
      assert.match(outputs[0]!, /^\[workspace\]\n\[\]$/m);
      assert.ok(!exists(`${home}/left-one`) && exists(`${home}/left-two`));
      assert.ok(exists(`${workspace}/one`));
    }),
);

testWhere(
  sandboxNeed,
  "a project's server is shown no folders that the project names",
  () =>
    withScratch(async (scratch) => {
      const { workspace, home } = scratch;
      await Deno.mkdir(`${home}/private`);
      await Deno.writeTextFile(`${home}/private/key`, "PRIVATE-KEY");
      await Deno.writeTextFile(
        `${workspace}/server.sh`,
        `#!/bin/sh\ncat "$1" > seen 2>&1; cd "$2" 2>>seen && ls >> seen\n`,
        { mode: 0o755 },
      );
      const key = `${home}/private/key`;
      await Deno.writeTextFile(
        `${workspace}/.mcp.json`,
        JSON.stringify({
          mcpServers: {
            one: { command: "./server.sh", args: [key, `${home}/private`] },
            two: { command: "./server.sh", args: [key, "."], cwd: `${home}/private` },
          },
        }),
      );
      const flags = ["--sandbox", "workspace", "--approve", "--list-tools"];
      await runProgram(flags, { cwd: workspace });
      const seen = await Deno.readTextFile(`${workspace}/seen`);
      assert.doesNotMatch(seen, /PRIVATE-KEY|^key$/m);
      assert.match(seen, /No such file/);
    }),
);
