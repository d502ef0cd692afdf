import assert from "node:assert/strict";
import { bashTool } from "../../src/tools/bash.ts";
import { detectShell } from "../../src/host/shell.ts";
import { realHost } from "../../src/host/real_host.ts";
import { Interruption } from "../../src/core/interruption.ts";
import type { JsonObject } from "../../src/core/json.ts";
import type { ToolContext } from "../../src/core/tool.ts";
import { listenHttp } from "../support/fake_http.ts";
import { linux, testWhere } from "../support/test_where.ts";
import { callTool, toolContext, withWorkspace } from "../support/tool_context.ts";

const tool = bashTool(() => detectShell(realHost()));

/** Runs one command in a fresh workspace. */
function bash(input: JsonObject, options: Parameters<typeof toolContext>[1] = {}) {
  return withWorkspace((workspace) => callTool(tool, input, toolContext(workspace, options)));
}

function section(text: string, name: "stdout" | "stderr"): string | undefined {
  return new RegExp(`(?:^|\\n)${name}:\\n([^]*?)(?=\\nstderr:\\n|$)`).exec(text)?.[1];
}

Deno.test("a result holds the exit code, the duration, and what each stream said", async () => {
  const { text, isError } = await bash({ command: "echo out; echo err >&2; exit 3" });
  assert.equal(isError, false);
  assert.match(text, /^exit_code: 3\nduration_ms: \d+\n\nstdout:\nout\nstderr:\nerr\n$/);
  assert.match((await bash({ command: "true" })).text, /^exit_code: 0\nduration_ms: \d+$/);
  assert.match((await bash({ command: "printf x; printf y >&2" })).text, /\nx\nstderr:\ny\n$/);
});

Deno.test("a signal that ended the command is named, and is no success", async () => {
  const { text } = await bash({ command: "kill -9 $$" });
  assert.match(text, /^exit_code: 137\nduration_ms: \d+\nended_by: signal 9 \(SIGKILL\)$/);
});

Deno.test("a background child neither delays the result nor outlives it", async () => {
  const { text } = await bash({ command: "sleep 61.5 & echo done" });
  assert.equal(section(text, "stdout"), "done\n");
  assert.match(text, /^exit_code: 0\n/);
  assert.match(text, /\nbackground: left-over processes were ended\n/);
  assert.deepEqual(await running("sleep\0" + "61.5"), []);
});

Deno.test("a background child that keeps talking is ended, and nothing of it comes later", async () => {
  const deltas: string[] = [];
  await withWorkspace(async (workspace) => {
    const context = toolContext(workspace, { deltas });
    const command = "(while :; do echo x; sleep 0.02; done) & echo ready";
    const first = await callTool(tool, { command }, context);
    assert.match(section(first.text, "stdout")!, /^(?:x\n)*ready\n(?:x\n)*$/);
    assert.match(first.text, /left-over processes were ended/);
    const heard = deltas.length;
    const second = await callTool(tool, { command: "echo second" }, context);
    assert.equal(section(second.text, "stdout"), "second\n");
    assert.deepEqual(deltas.slice(heard), ["second\n"]);
  });
});

testWhere(
  linux,
  "a process in a session of its own is left running, and its number reported",
  async () => {
    const { text } = await bash({
      command: "setsid sh -c ': >ready; exec sleep 62.5' >/dev/null 2>&1 & " +
        "while [ ! -e ready ]; do sleep 0.02; done; echo done",
    });
    const pid = Number(/\nbackground: left running: pid (\d+)\n/.exec(text)?.[1]);
    assert.deepEqual(await running("sleep\0" + "62.5"), [pid]);
    Deno.kill(pid, "SIGKILL");
  },
);

testWhere(
  linux,
  "a timeout also ends what replaces itself all the time in a session of its own",
  async () => {
    const name = `again-${crypto.randomUUID()}`;
    const command =
      `printf '#!/bin/sh\\nexec ./${name}\\n' >${name}; chmod +x ${name}; setsid ./${name} & wait`;
    const { text } = await bash({ command, timeout_seconds: 1 });
    assert.match(text, /^TIMEOUT after 1 s: /);
    // its command line is empty for a moment each time, so one look would not tell
    for (let look = 0; look < 20; look++) assert.deepEqual(await running(name), []);
  },
);

Deno.test("a timeout ends everything, also what ignores TERM or left the session", async () => {
  const command = "trap '' TERM; (trap '' TERM; exec -a NIMMARK sleep 63.5) & " +
    "(trap '' TERM; exec setsid sleep 63.5) & echo begun; " +
    "(trap '' TERM; exec -a NIMMARK sleep 63.5); wait";
  const { text, isError, code } = await bash({ command, timeout_seconds: 1 });
  assert.equal(isError, true);
  assert.equal(code, "timeout");
  assert.match(text, /^TIMEOUT after 1 s: /);
  assert.equal(section(text, "stdout"), "begun\n");
  assert.deepEqual(await running("\0" + "63.5"), []);
});

testWhere(linux, "a timeout ends what took off its marks but holds the output", async () => {
  const sleep = `sleep 65.${Deno.pid}`;
  const command = `env -i setsid -f ${sleep}; ` +
    `(env -i setsid sh -c 'exec 5>&1 >/dev/null 2>&1; exec ${sleep}' &); ${sleep}`;
  const { text, code } = await bash({ command, timeout_seconds: 1 });
  assert.equal(code, "timeout");
  assert.deepEqual(await running("\0" + `65.${Deno.pid}`), []);
  assert.doesNotMatch(text, /background:/);
});

testWhere(linux, "what a command leaves without any mark is named after a timeout", async () => {
  const sleep = `sleep 66.${Deno.pid}`;
  const command = `env -i setsid -f ${sleep} >/dev/null 2>&1 </dev/null; echo begun; ${sleep}`;
  const { text, code } = await bash({ command, timeout_seconds: 1 });
  assert.equal(code, "timeout");
  const left = await running("\0" + `66.${Deno.pid}`);
  assert.equal(left.length, 1);
  try {
    assert.match(
      text,
      new RegExp(`^background: may be of this call, and still runs: pid ${left[0]}$`, "m"),
    );
  } finally {
    for (const pid of left) Deno.kill(Number(pid), "SIGKILL");
  }
});

testWhere(
  linux,
  "a process without marks that holds the output of a command that ended is named",
  async () => {
    const { text, isError } = await bash({
      command: `env -i setsid -f sleep 67.${Deno.pid}; echo done`,
    });
    assert.equal(isError, false);
    const left = await running("\0" + `67.${Deno.pid}`);
    try {
      assert.deepEqual(/^background: left running: pid (\d+)$/m.exec(text)?.[1], String(left[0]));
      assert.equal(section(text, "stdout"), "done\n");
    } finally {
      for (const pid of left) Deno.kill(Number(pid), "SIGKILL");
    }
  },
);

Deno.test("an interrupt ends the command and tells what it had said", async () => {
  const stop = new AbortController();
  const context = (workspace: string): ToolContext => ({
    ...toolContext(workspace, { signal: stop.signal }),
    progress: () => stop.abort(new Interruption("SIGINT")),
  });
  const { text, code } = await withWorkspace((workspace) =>
    callTool(tool, { command: "echo begun; exec -a NIMMARK sleep 64.5" }, context(workspace))
  );
  assert.equal(code, "interrupted");
  assert.match(
    text,
    /^INTERRUPTED \(interrupted by SIGINT\)\nduration_ms: \d+\n\nstdout:\nbegun\n$/,
  );
  assert.deepEqual(await running("\0" + "64.5"), []);
});

Deno.test("timeouts are clamped, read from strings, and never overflow", async () => {
  for (const timeout_seconds of ["1", 0, -5, 0.5]) {
    const { text } = await bash({ command: "sleep 30", timeout_seconds });
    assert.match(text, /^TIMEOUT after 1 s: /, String(timeout_seconds));
  }
  for (const timeout_seconds of [1e12, "1e12", null, 86_400]) {
    const { text } = await bash({ command: "sleep 0.05; echo hi", timeout_seconds });
    assert.equal(section(text, "stdout"), "hi\n", String(timeout_seconds));
  }
  for (const timeout_seconds of ["soon", true, {}]) {
    const { text } = await bash({ command: "echo hi", timeout_seconds });
    assert.equal(text, "invalid_arguments: timeout_seconds: expected number");
  }
});

Deno.test("the limit is on bytes, cuts between characters, and tells what is missing", async () => {
  const long = await bash({ command: "yes 漢 | tr -d '\\n' | head -c 120000" });
  const output = section(long.text, "stdout")!;
  const [head, tail] = output.split(/\n\[\.\.\. \d+ bytes omitted \.\.\.\]\n/) as [string, string];
  const kept = new TextEncoder().encode(head + tail.trimEnd()).length;
  const omitted = Number(/\[\.\.\. (\d+) bytes omitted/.exec(output)![1]);
  assert.ok(kept <= 100_000 && kept > 99_990);
  assert.equal(kept + omitted, 120_000);
  assert.match(head + tail, /^漢+\n?$/);

  const whole = await bash({ command: "head -c 100000 /dev/zero | tr '\\0' x" });
  assert.equal(section(whole.text, "stdout"), "x".repeat(100_000) + "\n");
});

Deno.test("pairs of surrogates are never split, in the result nor on the way", async () => {
  const deltas: string[] = [];
  const { text } = await bash({ command: "printf x; yes 😀 | tr -d '\\n' | head -c 240000" }, {
    deltas,
  });
  assert.ok(text.isWellFormed());
  assert.ok(!text.includes("\ufffd"));
  assert.ok(deltas.every((delta) => delta.isWellFormed()));
  assert.equal(deltas.join(""), "x" + "😀".repeat(60_000));
});

Deno.test("the last lines and stderr survive the cut", async () => {
  const { text } = await bash({ command: "seq 1 60000; echo 'error: line 9' >&2; exit 2" });
  assert.match(text, /^exit_code: 2\n/);
  assert.match(text, /\n59999\n60000\nstderr:\nerror: line 9\n$/);
  assert.match(text, /bytes omitted/);
  const both = await bash({ command: "seq 1 60000; seq 1 60000 >&2" }, { maxOutputBytes: 1000 });
  assert.match(both.text, /\n60000\nstderr:\n1\n[^]*\n60000\n$/);
  assert.ok(both.text.length < 1300);
});

Deno.test("stdin is empty and there is no terminal to ask", async () => {
  const { text } = await bash({
    command: "cat; read x </dev/tty; echo got:$x; test -t 0 || echo none",
  });
  assert.equal(section(text, "stdout"), "got:\nnone");
  assert.match(section(text, "stderr")!, /\/dev\/tty/);
});

Deno.test("the language is bash, whatever the login shell is", async () => {
  await withWorkspace(async (workspace) => {
    const context = toolContext(workspace);
    const childEnv = { ...context.childEnv, SHELL: "/usr/bin/fish" };
    const command = 'x=$(echo hi); echo "$x"; [[ a == a ]] && echo ok';
    const { text } = await callTool(tool, { command }, { ...context, childEnv });
    assert.equal(section(text, "stdout"), "hi\nok\n");
  });
});

Deno.test("no start-up file is read, and no variable changes the shell", async () => {
  await withWorkspace(async (workspace) => {
    const noise = "echo NOISE; PATH=/nonexistent; exit 7\n";
    const names = [".bashrc", ".bash_profile", ".profile", ".bash_login", ".bash_logout", "env"];
    for (const name of names) await Deno.writeTextFile(`${workspace}/${name}`, noise);
    await Deno.mkdir(`${workspace}/sub`);
    const context = toolContext(workspace);
    const childEnv = {
      ...context.childEnv,
      HOME: workspace,
      BASH_ENV: `${workspace}/env`,
      ENV: `${workspace}/env`,
      SHELLOPTS: "xtrace:noexec",
      CDPATH: "/:/usr",
    };
    const command = "ls / >/dev/null && cd sub && pwd";
    const { text } = await callTool(tool, { command }, { ...context, childEnv });
    assert.match(text, /^exit_code: 0\n/);
    assert.equal(section(text, "stdout"), `${workspace}/sub\n`);
    assert.equal(section(text, "stderr"), undefined);
  });
});

Deno.test("variables reach the command as they are, never as text of it", async () => {
  await withWorkspace(async (workspace) => {
    const context = toolContext(workspace);
    const childEnv = { ...context.childEnv, X: "a\ntouch PWN\n", Y: "$(touch PWN2)" };
    const command = 'printf %s "$X" | wc -l; printf %s "$Y" | cat';
    const { text } = await callTool(tool, { command }, { ...context, childEnv });
    assert.equal(section(text, "stdout")?.replace(/ /g, ""), "2\n$(touchPWN2)\n");
    assert.deepEqual([...Deno.readDirSync(workspace)], []);
  });
});

Deno.test("a progress bar counts as its last frame, and the result says so", async () => {
  const command =
    "for i in $(seq 1 30000); do printf '\\rReceiving %d/30000' $i; done; echo; echo done";
  const { text } = await bash({ command });
  assert.equal(section(text, "stdout"), "Receiving 30000/30000\ndone\n");
  assert.match(text, /\nprogress: 29999 frames that a carriage return overwrote left out\n/);
  const lines = await bash({ command: "printf 'a\\r\\nb\\r\\n'" });
  assert.equal(section(lines.text, "stdout"), "a\r\nb\r\n");
  assert.doesNotMatch(lines.text, /progress/);
});

Deno.test("a timeout that counts as another one is named", async () => {
  for (
    const [timeout_seconds, note] of [
      [120_000, "timeout: timeout_seconds 120000, read as milliseconds, counted as 120 s"],
      [172_800, "timeout: timeout_seconds 172800 counted as 86400 s"],
      [
        1e15 + 1,
        "timeout: timeout_seconds 1000000000000001, read as milliseconds, counted as 86400 s",
      ],
      [
        9_007_199_254_740_994,
        "timeout: timeout_seconds beyond 2^53, read as milliseconds, counted as 86400 s",
      ],
      [0, "timeout: timeout_seconds 0 counted as 1 s"],
    ] as const
  ) {
    const { text } = await bash({ command: "echo hi", timeout_seconds });
    assert.ok(text.includes(`\n${note}\n`), text);
  }
  for (const timeout_seconds of [120, 86_400, 1]) {
    assert.doesNotMatch((await bash({ command: "echo hi", timeout_seconds })).text, /timeout/);
  }
  const { text } = await bash({ command: "sleep 30", timeout_seconds: 0 });
  assert.match(text, /^TIMEOUT after 1 s: .*\n.*\ntimeout: timeout_seconds 0 counted as 1 s$/);
});

Deno.test("git asks no program for a password, whatever the desktop has set", () =>
  withWorkspace(async (workspace) => {
    const server = listenHttp(() => ({
      status: 401,
      headers: { "www-authenticate": 'Basic realm="x"' },
      body: "",
    }));
    try {
      const asks = `${workspace}/ask`;
      await Deno.writeTextFile(asks, `#!/bin/sh\n: > ${workspace}/asked\n`, { mode: 0o755 });
      const context = toolContext(workspace);
      const childEnv = {
        ...context.childEnv,
        GIT_ASKPASS: asks,
        SSH_ASKPASS: asks,
        DISPLAY: ":0",
        GIT_CONFIG_COUNT: "1",
        GIT_CONFIG_KEY_0: "core.askPass",
        GIT_CONFIG_VALUE_0: asks,
      };
      const run = async (command: string) =>
        (await callTool(tool, { command }, { ...context, childEnv })).text;
      const remote = `http://127.0.0.1:${server.port}/x.git`;
      assert.match(await run(`git ls-remote ${remote}`), /^exit_code: 128\n/);
      await assert.rejects(Deno.stat(`${workspace}/asked`), Deno.errors.NotFound);
      // the control: a command that names a program itself gets it
      await run(`GIT_ASKPASS=${asks} git ls-remote ${remote}`);
      assert.equal((await Deno.stat(`${workspace}/asked`)).isFile, true);
    } finally {
      await server.close();
    }
  }));

Deno.test("an editor that git would open does not wait for a person", async () => {
  await withWorkspace(async (workspace) => {
    const waits = `${workspace}/editor`;
    await Deno.writeTextFile(waits, "#!/bin/sh\nsleep 66.5\n", { mode: 0o755 });
    const context = toolContext(workspace);
    const childEnv = {
      ...context.childEnv,
      HOME: workspace,
      EDITOR: waits,
      VISUAL: waits,
      GIT_EDITOR: waits,
      GIT_CONFIG_COUNT: "1",
      GIT_CONFIG_KEY_0: "user.name",
      GIT_CONFIG_VALUE_0: "Ann",
    };
    const run = async (command: string) =>
      (await callTool(tool, { command, timeout_seconds: 20 }, { ...context, childEnv })).text;
    await run(`git init -q . && git config core.editor ${waits} && git config user.email a@b.c`);
    const commit = await run("git add editor && git commit");
    assert.match(commit, /^exit_code: 1\n[^]*empty commit message/);
    assert.match(await run("git commit -qm one && git commit --amend"), /^exit_code: 0\n[^]*one/);
    assert.match(await run("git rebase -i --root"), /^exit_code: 1\n/);
    const own = await run(
      "git -c core.editor='echo two >' commit -q --amend; git log --format=%an:%s",
    );
    assert.match(own, /\nAnn:two\n/);
  });
});

Deno.test("nothing carries over from one call to the next", async () => {
  await withWorkspace(async (workspace) => {
    const context = toolContext(workspace);
    await callTool(tool, { command: "export HOME=/elsewhere; cd /; umask 0; set -f" }, context);
    const { text } = await callTool(tool, { command: "echo $HOME; pwd" }, context);
    assert.equal(section(text, "stdout"), `${context.childEnv.HOME ?? ""}\n${workspace}\n`);
  });
  assert.match(tool.description, /do not carry over/);
});

Deno.test("a command longer than an argument may be runs like any other", async () => {
  const filler = `: ${"x".repeat(300_000)}\n`;
  const command = `${filler}cat; cat <<'E'\n$HOME "a  b"\nE\necho $0; (exit 4)`;
  const { text } = await bash({ command });
  assert.match(text, /^exit_code: 4\n/);
  assert.match(section(text, "stdout")!, /^\$HOME "a {2}b"\n.*bash\n$/);
  assert.match((await bash({ command: `${filler}kill -9 $$` })).text, /^exit_code: 137\n/);
});

Deno.test("a command with NUL, an empty one and one that is no string are refused", async () => {
  assert.match((await bash({ command: "echo \0" })).text, /^invalid_arguments: command: /);
  assert.match((await bash({ command: "echo \ud800" })).text, /^invalid_arguments: command: /);
  assert.match((await bash({ command: "" })).text, /^invalid_arguments: command: /);
  assert.match((await bash({ command: 5 })).text, /^invalid_arguments: command: expected string$/);
  assert.match((await bash({})).text, /^invalid_arguments: command: /);
});

Deno.test("output that is not UTF-8 is replaced, and said so", async () => {
  const { text } = await bash({ command: "printf 'caf\\351\\n'" });
  assert.match(text, /\nencoding: bytes that are not UTF-8 were replaced\n\nstdout:\ncaf\ufffd\n$/);
});

Deno.test("NIMLET_SHELL is obeyed, and a notice tells where there is no bash", async () => {
  const host = (variables: Record<string, string>) => ({
    platform: "linux" as const,
    env: { ...realHost().env, home: undefined, cwd: "/", get: (name: string) => variables[name] },
  });
  const path = Deno.env.get("PATH")!;
  assert.equal((await detectShell(host({ PATH: path }))).kind, "bash");
  const chosen = await detectShell(host({ PATH: path, NIMLET_SHELL: "sh" }));
  assert.equal(chosen.kind, "sh");
  assert.equal(chosen.notice, undefined);
  const wrong = await detectShell(host({ PATH: path, NIMLET_SHELL: "/nonexistent/shell" }));
  assert.match(wrong.notice!, /NIMLET_SHELL names \/nonexistent\/shell/);
  await withWorkspace(async (workspace) => {
    const failed = await callTool(
      bashTool(() => Promise.resolve(wrong)),
      { command: "true" },
      toolContext(workspace),
    );
    assert.equal(failed.isError, true);
    assert.match(failed.text, /NIMLET_SHELL/);
    const plain = bashTool(() => Promise.resolve(chosen));
    const long = `: ${"x".repeat(200_000)}\ncat; echo ok`;
    for (const command of ["echo ok", long]) {
      const { text } = await callTool(plain, { command }, toolContext(workspace));
      assert.equal(section(text, "stdout"), "ok\n");
    }
  });
});

Deno.test("a permission is filed under the command", () => {
  assert.equal(tool.grantKey?.({ command: "npm  test " }, { workspace: "/w" }), "bash:npm test");
});

/** Numbers of the processes whose command line holds `part`; arguments end in NUL. */
async function running(part: string): Promise<number[]> {
  if (Deno.build.os !== "linux") return runningByPs(part);
  const found: number[] = [];
  for await (const { name } of Deno.readDir("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const line = await Deno.readTextFile(`/proc/${name}/cmdline`).catch(() => "");
    if (line.includes(part)) found.push(Number(name));
  }
  return found;
}

/** The same where there is no /proc; ps puts spaces between arguments. */
async function runningByPs(part: string): Promise<number[]> {
  const { stdout } = await new Deno.Command("ps", { args: ["-A", "-o", "pid=,args="] }).output();
  const lines = new TextDecoder().decode(stdout).split("\n").map((line) => `${line} `);
  return lines.filter((line) => line.includes(part.replaceAll("\0", " "))).map(parseFloat);
}
