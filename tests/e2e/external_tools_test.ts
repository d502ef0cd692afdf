import assert from "node:assert/strict";
import { join } from "node:path";
import { call, callAll, cassette, say } from "../support/cassette.ts";
import { runProgram, withScratch } from "../support/program.ts";
import { checkedRecords, only } from "../support/records.ts";
import { isAlive } from "../support/until.ts";

type Scratch = Parameters<Parameters<typeof withScratch>[0]>[0];

interface ToolFiles {
  readonly script: string;
  readonly manifest?: Record<string, unknown>;
  readonly executable?: string;
}

/** Puts a tool of the user's own into the home folder; gives its folder. */
async function addTool({ home }: Scratch, name: string, files: ToolFiles): Promise<string> {
  const folder = join(home, ".nimlet/tools", name);
  await Deno.mkdir(folder, { recursive: true });
  const executable = files.executable ?? "run";
  const manifest = {
    name,
    description: `Does ${name}.`,
    command: [executable],
    input_schema: { type: "object" },
    ...files.manifest,
  };
  await Deno.writeTextFile(join(folder, "tool.json"), JSON.stringify(manifest));
  await Deno.mkdir(join(folder, executable, ".."), { recursive: true });
  await Deno.writeTextFile(join(folder, executable), files.script, { mode: 0o755 });
  return folder;
}

/** Calls without a model: exit status, output, and what the person sees. */
async function callTool({ workspace }: Scratch, name: string, input: unknown = {}, env = {}) {
  const args = ["--mode", "json", "--call-tool", name, JSON.stringify(input)];
  const { code, stdout, stderr } = await runProgram(args, { cwd: workspace, env });
  return { code, result: JSON.parse(stdout) as { output: string; is_error: boolean }, stderr };
}

Deno.test("a tool is offered, called by the model, and its value goes back", () =>
  withScratch(async (scratch) => {
    const { workspace, root } = scratch;
    await addTool(scratch, "shout", {
      script: "#!/bin/sh\necho working >&2\ntr a-z A-Z\n",
      manifest: { input_schema: { type: "object", required: ["text"] } },
    });
    const play = await cassette(`${root}/c.jsonl`, [
      callAll(["shout", { text: "hello" }], ["shout", {}]),
      say("done"),
    ]);
    const { stdout, stderr } = await runProgram([...play, "--mode", "json", "x"], {
      cwd: workspace,
    });
    const records = checkedRecords(stdout);
    const [good, bad] = only(records, "tool_result");
    assert.deepEqual([good!.output, good!.is_error], ['{"TEXT":"HELLO"}', false]);
    assert.match(String(bad!.output), /^invalid_arguments: text: required, but missing/);
    assert.deepEqual(only(records, "tool_output_delta").map(({ delta }) => delta), ["working\n"]);
    assert.equal(stderr, "");
  }));

Deno.test("paths and arguments of every spelling reach the program as they are", () =>
  withScratch(async (scratch) => {
    const executable = 'a b/it\'s "$(x)"\n;&*';
    const args = ["-c", "--", "$HOME", "`x`", "a\nb", "", "*", "é", "'\"\\"];
    await addTool(scratch, "odd", {
      executable,
      script: '#!/bin/sh\nfor a in "$@"; do printf "%s|" "$a" >&2; done\necho 1\n',
      manifest: { command: [executable, ...args] },
    });
    const { code, result, stderr } = await callTool(scratch, "odd");
    assert.deepEqual([code, result.output], [0, "1"]);
    assert.ok(stderr.includes(args.join("|")), stderr);
  }));

const endings: [string, string, RegExp][] = [
  ["exits before it reads", "exec <&-; echo 1", /^1$/],
  ["never reads", "sleep 0.1; echo '{\"a\":1}'", /^\{"a":1\}$/],
  ["says nothing", "cat > /dev/null", /empty stdout/],
  ["says two values", "echo 1; echo 2", /more than one JSON value/],
  ["says what is no UTF-8", "printf '\"\\377\"'", /invalid UTF-8/],
  ["floods standard error", "head -c 3000000 /dev/zero | tr '\\0' e >&2; echo 1", /^1$/],
  ["fails with a value", "echo 7; exit 3", /exited with status 3\.\nresult: 7/],
  ["is ended by a signal", "kill -9 $$", /SIGKILL/],
  [
    "leaves a child behind that holds its output",
    "(sleep 60) & echo 1",
    /^1\n\nbackground: left-over processes were ended$/,
  ],
  [
    "fails and leaves a child behind",
    "(sleep 60) & echo no >&2; exit 3",
    /^tool_failed: t exited with status 3\.\nstderr:\nno\nbackground: left-over processes were ended$/,
  ],
];

for (const [what, script, expected] of endings) {
  Deno.test(`a tool that ${what} ends the call by itself`, () =>
    withScratch(async (scratch) => {
      await addTool(scratch, "t", {
        script: `#!/bin/sh\n${script}\n`,
        manifest: { timeout_seconds: 2 },
      });
      const { result } = await callTool(scratch, "t", { text: "x".repeat(100_000) });
      assert.match(result.output, expected);
    }));
}

Deno.test("a process that a tool leaves in a session of its own is named by its number", () =>
  withScratch(async (scratch) => {
    await addTool(scratch, "daemon", {
      script:
        "#!/bin/sh\nsetsid -f sh -c 'echo $$ > \"$NIMLET_WORKSPACE/pid\"; exec sleep 60' >/dev/null 2>&1\n" +
        'while [ ! -s "$NIMLET_WORKSPACE/pid" ]; do sleep 0.01; done\necho 1\n',
    });
    const { result } = await callTool(scratch, "daemon");
    const pid = (await Deno.readTextFile(`${scratch.workspace}/pid`)).trim();
    try {
      assert.equal(result.output, `1\n\nbackground: left running: pid ${pid}`);
      assert.ok(isAlive(Number(pid)));
    } finally {
      Deno.kill(Number(pid), "SIGKILL");
    }
  }));

Deno.test("an executable beside the tool's folder is found from that folder", () =>
  withScratch(async (scratch) => {
    await addTool(scratch, "shared", { script: "#!/bin/sh\npwd >&2\necho 1\n" });
    await addTool(scratch, "user_of_it", {
      script: "#!/bin/sh\necho 2\n",
      manifest: { command: ["../shared/run"] },
    });
    const { code, result, stderr } = await callTool(scratch, "user_of_it");
    assert.deepEqual([code, result.output], [0, "1"], stderr);
    assert.match(stderr, new RegExp(`^${scratch.workspace}$`, "m"));
  }));

Deno.test("a tool that has no end is ended with all it started, in the run too", () =>
  withScratch(async (scratch) => {
    const { workspace, root } = scratch;
    await addTool(scratch, "endless", {
      script:
        '#!/bin/sh\necho $$ > "$NIMLET_WORKSPACE/pids"\nsleep 600 & echo $! >> "$NIMLET_WORKSPACE/pids"\nsetsid sleep 600 & echo $! >> "$NIMLET_WORKSPACE/pids"\nwait\n',
      manifest: { timeout_seconds: -3 },
    });
    const play = await cassette(`${root}/c.jsonl`, [call("endless", {}), say("done")]);
    const { stdout } = await runProgram([...play, "--mode", "json", "x"], { cwd: workspace });
    const [result] = only(checkedRecords(stdout), "tool_result");
    assert.match(String(result!.output), /^TIMEOUT after 1 s/);
    const pids = (await Deno.readTextFile(`${workspace}/pids`)).trim().split("\n").map(Number);
    assert.deepEqual([pids.length, pids.filter(isAlive)], [3, []]);
  }));

Deno.test("what is wrong with an executable is said in its own words", () =>
  withScratch(async (scratch) => {
    const folders = new Map<string, string>();
    for (const name of ["gone", "plain", "folder", "interpreter"]) {
      folders.set(name, await addTool(scratch, name, { script: "#!/no/such/program\n" }));
    }
    await Deno.remove(`${folders.get("gone")}/run`);
    await Deno.chmod(`${folders.get("plain")}/run`, 0o644);
    await Deno.remove(`${folders.get("folder")}/run`);
    await Deno.mkdir(`${folders.get("folder")}/run`);
    const output = async (name: string) => (await callTool(scratch, name)).result.output;
    assert.match(await output("gone"), /does not exist/);
    assert.match(await output("plain"), /is not executable; chmod \+x/);
    assert.match(await output("folder"), /is a folder, not a file/);
    assert.match(await output("interpreter"), /exited with status 12[67]/);
  }));

Deno.test("a pattern that leads astray does not hold up the run", () =>
  withScratch(async (scratch) => {
    await addTool(scratch, "astray", {
      script: "#!/bin/sh\necho 1\n",
      manifest: { input_schema: { properties: { a: { pattern: "^(a+)+$" } } } },
    });
    const { result } = await callTool(scratch, "astray", { a: `${"a".repeat(60)}!` });
    assert.match(result.output, /^invalid_arguments: a: expected text that matches/);
  }));

Deno.test("children see no key of a provider, unless the settings say so", () =>
  withScratch(async (scratch) => {
    const { workspace, home, root } = scratch;
    await addTool(scratch, "env_of", { script: "#!/bin/sh\nenv | sort >&2\necho 1\n" });
    const keys = {
      OPENAI_API_KEY: "sk-1-secret",
      ANTHROPIC_API_KEY: "sk-2-secret",
      ANTHROPIC_AUTH_TOKEN: "sk-5-secret",
      GEMINI_API_KEY: "sk-3-secret",
      MY_OWN_KEY: "sk-4-secret",
    };
    const providers = { openai: { api_key: "{env:MY_OWN_KEY}" } };
    const write = (tools: Record<string, unknown>) =>
      Deno.writeTextFile(`${home}/.nimlet/config.json`, JSON.stringify({ providers, tools }));
    const play = await cassette(`${root}/c.jsonl`, [
      callAll(["env_of", {}], ["bash", { command: "env; git config --get x; env" }]),
      say("done"),
    ]);
    const run = () =>
      runProgram([...play, "--mode", "json", "x"], {
        cwd: workspace,
        env: { ...keys, KEPT: "yes" },
      });
    await write({});
    const hidden = await run();
    assert.match(hidden.stdout, /KEPT=yes/);
    assert.doesNotMatch(hidden.stdout, /sk-\d-secret/);
    await write({ pass_credentials: true });
    const passed = (await run()).stdout;
    for (const value of Object.values(keys)) assert.ok(passed.includes(value), value);
  }));

Deno.test("--list-tools says where tools come from, what they replace, and what was skipped", () =>
  withScratch(async (scratch) => {
    const { workspace, home } = scratch;
    await addTool(scratch, "same", { script: "#!/bin/sh\necho 1\n" });
    await addTool(scratch, "bad", { script: "", manifest: { name: "Bash" } });
    await Deno.mkdir(`${workspace}/.nimlet`);
    await Deno.rename(`${home}/.nimlet/tools/bad`, `${workspace}/.nimlet/bad`);
    await Deno.mkdir(`${workspace}/.nimlet/tools`);
    await Deno.rename(`${workspace}/.nimlet/bad`, `${workspace}/.nimlet/tools/bad`);
    const copy = await addTool(scratch, "copy", {
      script: "#!/bin/sh\necho 2\n",
      manifest: { name: "SAME", capabilities: [] },
    });
    await Deno.rename(copy, `${workspace}/.nimlet/tools/copy`);
    const list = (...args: string[]) => runProgram(["--list-tools", ...args], { cwd: workspace });
    const trusted = await list("--approve");
    assert.match(
      trusted.stdout,
      /^SAME +\(write, shell, network\) +project, .*copy\/tool\.json, replaces .*same\/tool\.json$/m,
    );
    assert.match(trusted.stdout, /^read +\(read\) +built-in$/m);
    assert.match(trusted.stdout, /\n--list-tools NAME prints a tool's description and schema\.\n$/);
    assert.doesNotMatch(trusted.stdout, /schema:|"type"/);
    const one = await list("--approve", "SAME");
    assert.match(one.stdout, /^SAME \(.*\)\n +Does copy\.\n +origin: project, .*\n +schema: \{\n/);
    const json = await list("--mode", "json", "read");
    assert.equal(JSON.parse(json.stdout).input_schema.properties.path.type, "string");
    const unknown = await list("raed");
    assert.equal(unknown.code, 2);
    assert.match(unknown.stderr, /there is no tool named "raed"; did you mean read\?/);
    assert.match(
      trusted.stdout,
      /skipped .*bad\/tool\.json: name: "Bash" is the name of a built-in/,
    );
    assert.match((await list()).stdout, /^same +\(/m);
    assert.doesNotMatch((await list("--approve", "--plan")).stdout, /SAME|same +\(/);
  }));

Deno.test("--call-tool shows what a failed tool wrote to stderr once", () =>
  withScratch(async (scratch) => {
    await addTool(scratch, "fails", { script: "#!/bin/sh\necho the trouble >&2\nexit 3\n" });
    const { code, stdout, stderr } = await runProgram(["--call-tool", "fails"], {
      cwd: scratch.workspace,
    });
    assert.equal(code, 1);
    assert.equal(stdout, "tool_failed: fails exited with status 3.\n");
    assert.match(stderr, /^the trouble\nnimlet: fails took /);
    const json = await callTool(scratch, "fails");
    assert.match(json.result.output, /\nstderr:\nthe trouble$/);
  }));
