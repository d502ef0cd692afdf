import assert from "node:assert/strict";
import { callAll, cassette, say } from "../support/cassette.ts";
import { runProgram, withScratch } from "../support/program.ts";
import { checkedRecords, only } from "../support/records.ts";

type Scratch = Parameters<Parameters<typeof withScratch>[0]>[0];

/** Names that only ever may be judged, as stubs that leave a mark. */
const stubs = [
  ...["rm", "sudo", "curl", "wget", "ssh", "scp", "chmod", "chown", "kill", "pkill", "dd"],
  ...["mkfs", "shutdown", "reboot", "git", "npm", "make", "xargs", "busybox", "doas", "find"],
];

interface Verdict {
  readonly output: string;
  readonly denied: boolean;
}

/** Runs each command as a call of bash, with `granted` in the trusted project's file. */
async function ask(
  { workspace, root }: Scratch,
  granted: readonly string[],
  commands: readonly string[],
  flags: readonly string[] = ["--approve", "--ask", "deny"],
): Promise<Verdict[]> {
  const bin = `${root}/stubs`;
  await Deno.mkdir(bin, { recursive: true });
  for (const name of stubs) {
    const script = `#!/bin/sh\necho "$0 $*" >> '${root}/ran'\n`;
    await Deno.writeTextFile(`${bin}/${name}`, script, { mode: 0o755 });
  }
  await Deno.mkdir(`${workspace}/.nimlet`, { recursive: true });
  const allow = granted.map((key) => /^(bash|tool):/.test(key) ? key : `bash:${key}`);
  await Deno.writeTextFile(`${workspace}/.nimlet/permissions.json`, JSON.stringify({ allow }));
  const play = await cassette(`${root}/c.jsonl`, [
    callAll(...commands.map((command) => ["bash", { command }] as [string, unknown])),
    say("done"),
  ]);
  const { stdout, code, stderr } = await runProgram(
    [...play, "--mode", "json", ...flags, "x"],
    { cwd: workspace, env: { PATH: `${bin}:${Deno.env.get("PATH") ?? ""}` }, limitMs: 120_000 },
  );
  assert.equal(code, 0, stderr);
  const results = only(checkedRecords(stdout), "tool_result");
  assert.equal(results.length, commands.length);
  return results.map(({ output }) => ({
    output: String(output),
    denied: String(output).startsWith("approval_denied: "),
  }));
}

async function exists(path: string): Promise<boolean> {
  return await Deno.lstat(path).then(() => true, () => false);
}

Deno.test("a grant covers its own command, and nothing that holds it", () =>
  withScratch(async (scratch) => {
    const bypasses = [
      "npm test && touch PWN",
      "npm test; touch PWN",
      "npm test\ntouch PWN",
      "npm test | tee PWN",
      "npm test & touch PWN",
      "npm test > PWN",
      "npm test $(touch PWN)",
      "npm test `touch PWN`",
      "npm test || touch PWN",
      "npm test <(touch PWN)",
      "npm test2",
      "npm testing --x",
      "NPM test",
      "npm test --prefix /tmp",
      "npm\ntest",
      "npm\u00a0test",
      "npm 'test'",
      "npm test #",
      "LD_PRELOAD=./x.so npm test",
      "PATH=.:$PATH npm test",
      "BASH_ENV=./x npm test",
      "CI=1 npm test",
      "cd .. && npm test",
      "(npm test)",
      "echo 'a  b'",
    ];
    const verdicts = await ask(scratch, ["npm test", "echo 'a b'"], bypasses);
    for (const [index, { output, denied }] of verdicts.entries()) {
      assert.ok(denied, `${bypasses[index]}: ${output}`);
      assert.match(output, /^approval_denied: (no remembered permission covers bash:|it )/);
    }
    assert.equal(await exists(`${scratch.workspace}/PWN`), false);
    assert.equal(await exists(`${scratch.root}/ran`), false);
    const own = await ask(
      scratch,
      ["npm test", "CI=1 make test"],
      ["npm test", "npm  \t test", "  npm test ", "CI=1 make test"],
    );
    assert.deepEqual(own.map(({ denied }) => denied), [false, false, false, false]);
  }));

Deno.test("what is asked every time is denied where nobody can be asked, whatever was granted", () =>
  withScratch(async (scratch) => {
    const commands = [
      "rm -rf ~",
      "rm -rf $HOME",
      'rm -rf "${HOME}"/',
      "/bin/rm -rf ~",
      "command rm -rf ~",
      "env X=1 rm -rf ~",
      "env -S 'rm -rf x'",
      "nice rm -rf ~",
      "bash -c 'rm -rf ~'",
      'eval "rm -rf ~"',
      "r''m -rf ~",
      "$'\\x72m' -rf ~",
      "cd && rm -rf *",
      "r\\\nm x",
      "X=rm; $X y",
      "${x:-rm} y",
      "a=(rm y); ${a[0]} z",
      "coproc rm x",
      "trap 'rm x' EXIT",
      "alias x='rm y'",
      "printf rm | xargs -I{} {} x",
      "find . -exec sh -c 'rm x' \\;",
      "find . -delete",
      "busybox rm x",
      "doas rm x",
      "timeout 5 rm x",
      "nohup setsid rm x",
      "bash <<< 'rm x'",
      'eval "$(echo rm) x"',
      "echo cm0geAo= | base64 -d | sh",
      "echo $((1+$(rm x)))",
      "case a in a) rm x;; esac",
      "diff <(rm x) y",
      "git clean -fdx",
      "git -C x clean -fd",
      "git -c alias.x='!rm y' x",
      "git reset --hard",
      "git restore .",
      "git checkout -- .",
      "sudo ls",
      "curl https://example.org",
      "chmod +x f",
      "kill 1",
      "dd if=a of=b",
    ];
    const verdicts = await ask(scratch, commands, commands);
    for (const [index, { output, denied }] of verdicts.entries()) {
      assert.ok(denied, `${commands[index]}: ${output}`);
      assert.match(output, /needs approval every time/);
    }
    assert.equal(await exists(`${scratch.root}/ran`), false);
  }));

Deno.test("what is too involved to remember is denied where nobody can be asked, whatever was granted", () =>
  withScratch(async (scratch) => {
    const commands = [
      "echo $(touch PWN)",
      "sh -c 'touch PWN'",
      "echo 'touch PWN' | sh",
      "F=touch; $F PWN",
      "eval touch PWN",
      "printf 'r%s f' m > PWN; sh PWN",
      "echo touch PWN rm | xargs env",
      "git -c alias.x='!touch PWN' x",
      "choom -n 0 r''m PWN",
      "sed '1e rm PWN' /etc/hosts",
    ];
    const verdicts = await ask(scratch, commands, commands);
    for (const [index, { output }] of verdicts.entries()) {
      assert.equal(
        output,
        "approval_denied: it is too involved to remember, so it needs approval every time, " +
          "and nobody can be asked in this mode",
        commands[index]!,
      );
    }
    assert.equal(await exists(`${scratch.workspace}/PWN`), false);
    assert.equal(await exists(`${scratch.root}/ran`), false);
  }));

Deno.test("what only speaks of such commands runs by its grant", () =>
  withScratch(async (scratch) => {
    const commands = [
      'grep -rn "rm -rf /" . || true',
      'echo "sudo"',
      "echo rm sudo kill",
      "printf '%s' 'git reset --hard'",
      "make clean",
      "cat > notes <<'EOF'\nrm -rf x\nEOF",
      "type rm",
      "# rm x\ntrue",
      "find . -executable",
      'git commit -m "never rm -rf /"',
      "git clean -h",
      "git commit -F - <<'EOF'\nRemove the `rm`\nEOF",
      "awk '/rm/' /dev/null",
      "make 2>&1 | grep -v rm",
    ];
    const verdicts = await ask(scratch, commands, commands);
    for (const [index, { output, denied }] of verdicts.entries()) {
      assert.equal(denied, false, `${commands[index]}: ${output}`);
    }
  }));

Deno.test("without a word about it tools run unasked, and settings can forbid it", () =>
  withScratch(async (scratch) => {
    const { workspace, home } = scratch;
    const [unasked] = await ask(scratch, [], ["touch made"], ["--approve"]);
    assert.equal(unasked!.denied, false);
    assert.ok(await exists(`${workspace}/made`));
    await Deno.mkdir(`${home}/.nimlet`, { recursive: true });
    await Deno.writeTextFile(
      `${home}/.nimlet/config.json`,
      '{"permissions":{"headless":"deny"}}',
    );
    const [forbidden] = await ask(scratch, [], ["touch other"], ["--approve"]);
    assert.ok(forbidden!.denied);
    const [all] = await ask(scratch, [], ["touch other"], ["--yolo"]);
    assert.equal(all!.denied, false);
    assert.ok(await exists(`${workspace}/other`));
  }));

Deno.test("grants of an untrusted folder count for nothing", () =>
  withScratch(async (scratch) => {
    for (const flags of [["--no-approve"], []]) {
      const [verdict] = await ask(scratch, ["touch made"], ["touch made"], [
        ...flags,
        "--ask",
        "deny",
      ]);
      assert.ok(verdict!.denied);
      assert.equal(await exists(`${scratch.workspace}/made`), false);
    }
  }));

Deno.test("--ask deny holds for --call-tool, as the setting does; grants and --yolo are heard", () =>
  withScratch(async ({ workspace, home }) => {
    const callBash = async (command: string, ...flags: string[]) => {
      const args = [...flags, "--call-tool", "bash", JSON.stringify({ command })];
      const { code, stdout } = await runProgram(args, { cwd: workspace });
      return { code, stdout };
    };
    const denied = /^approval_denied: no remembered permission covers bash:echo hi, /;
    assert.match((await callBash("echo hi")).stdout, /^exit_code: 0\n/);
    const asked = await callBash("echo hi", "--ask", "deny");
    assert.equal(asked.code, 1);
    assert.match(asked.stdout, denied);
    const read = ["--ask", "deny", "--call-tool", "glob", '{"pattern":"*"}'];
    assert.equal((await runProgram(read, { cwd: workspace })).code, 0);
    await Deno.mkdir(`${workspace}/.nimlet`);
    await Deno.writeTextFile(
      `${workspace}/.nimlet/permissions.json`,
      JSON.stringify({ allow: ["bash:echo hi"] }),
    );
    const granted = await callBash("echo hi", "--approve", "--ask", "deny");
    assert.match(granted.stdout, /^exit_code: 0\n/);
    assert.match((await callBash("echo hi", "--ask", "deny")).stdout, denied);
    await Deno.mkdir(`${home}/.nimlet`);
    await Deno.writeTextFile(
      `${home}/.nimlet/config.json`,
      JSON.stringify({ permissions: { headless: "deny" } }),
    );
    assert.match((await callBash("echo hi")).stdout, denied);
    for (const flags of [["--yolo"], ["--ask", "allow"]]) {
      assert.match((await callBash("echo hi", ...flags)).stdout, /^exit_code: 0\n/);
    }
  }));
