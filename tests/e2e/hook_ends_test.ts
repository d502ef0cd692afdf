/** Output of hooks stays where it belongs, and after every way of ending nothing of them is left. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { call, cassette, say } from "../support/cassette.ts";
import { hookSettings, withHookRun, writeHookFiles } from "../support/hooks.ts";
import { runProgram, startProgram, withScratch } from "../support/program.ts";
import { checkedRecords, only } from "../support/records.ts";
import { loadedFiles, recordedSource } from "../support/loaded_files.ts";
import { linux, testWhere } from "../support/test_where.ts";
import { isAlive, until } from "../support/until.ts";

const bash = (command: string) => call("bash", { command });

Deno.test("whatever hooks print, stdout holds records alone, and print mode the answer", async () => {
  const noise = "echo out; echo err >&2; printf '\\033[31mred'; exit 0";
  const events = [
    "SessionStart",
    "UserPromptSubmit",
    "PreToolUse",
    "PostToolUse",
    "Stop",
    "SessionEnd",
  ];
  const settings = hookSettings(...events.map((event) => ({ event, command: noise, name: event })));
  const steps = [bash("echo x"), say("the answer")];
  await withHookRun({ settings, steps }, ({ stdout, code }) => {
    assert.equal(code, 0);
    for (const line of stdout.trim().split("\n")) JSON.parse(line);
  });
  await withHookRun({ settings, steps, mode: "print" }, ({ stdout, stderr }) => {
    assert.equal(stdout, "the answer\n");
    // deno-lint-ignore no-control-regex -- this is what must not be there
    assert.doesNotMatch(stderr, /\x1b/);
  });
});

Deno.test("a hook may write a lot to stderr before it reads or answers", () =>
  withHookRun({
    settings: hookSettings({
      command: `head -c 1048576 /dev/zero | tr '\\0' e >&2; cat >/dev/null; echo '{}'`,
      name: "loud",
    }),
    steps: [bash("echo one"), bash("echo two"), say("ok")],
  }, ({ outputs, stderr, code }) => {
    assert.equal(code, 0);
    assert.match(outputs.join("\n"), /one[^]*two/);
    assert.doesNotMatch(stderr, /eee|hook loud/);
  }));

/** A hook with a child in its session, and one that holds its stdout; both note who they are. */
const family = (more: string) =>
  `cat >/dev/null; echo $$ >> pids; sleep 300 & echo $! >> pids; sleep 300 >/dev/null 2>&1 & echo $! >> pids; ${more}`;

async function pids(workspace: string): Promise<number[]> {
  const text = await Deno.readTextFile(join(workspace, "pids")).catch(() => "");
  return text.split("\n").filter((line) => line !== "").map(Number);
}

for (
  const { how, event, steps, args = [], end, deaf } of [
    { how: "an answer", event: "PreToolUse", steps: [bash("true"), say("ok")] },
    { how: "a failure", event: "PreToolUse", steps: [bash("true")] },
    { how: "a time-out", event: "PreToolUse", steps: [bash("true"), say("ok")], deaf: true },
    {
      how: "SIGTERM in a hook",
      event: "PreToolUse",
      steps: [bash("true"), say("ok")],
      deaf: true,
      end: "SIGTERM",
    },
    {
      how: "SIGINT in a hook",
      event: "PostToolUse",
      steps: [bash("true"), say("ok")],
      deaf: true,
      end: "SIGINT",
    },
    {
      how: "SIGTERM at the beginning of a session",
      event: "SessionStart",
      steps: [say("ok")],
      deaf: true,
      end: "SIGTERM",
    },
    {
      how: "SIGTERM while a Stop hook works",
      event: "Stop",
      steps: [say("ok")],
      deaf: true,
      end: "SIGTERM",
    },
    {
      how: "the time limit",
      event: "PreToolUse",
      steps: [bash("true"), say("ok")],
      deaf: true,
      args: ["--timeout", "1.5"],
    },
  ] as {
    how: string;
    event: string;
    steps: Parameters<typeof cassette>[1];
    args?: string[];
    deaf?: boolean;
    end?: Deno.Signal;
  }[]
) {
  testWhere(
    linux,
    `after ${how} nothing of a hook is left`,
    () =>
      withScratch(async ({ root, workspace, home }) => {
        const more = deaf ? `trap '' TERM INT; while :; do sleep 0.1; done` : "exit 0";
        const isTimedOut = how === "a time-out";
        await writeHookFiles(root, {
          "home/.nimlet/config.json": hookSettings({
            event,
            command: family(more),
            timeout: isTimedOut ? 1 : 50,
          }),
        });
        const model = await cassette(join(root, "model.jsonl"), steps);
        const program = startProgram([...model, ...args, "-p", "go"], {
          cwd: workspace,
          env: { HOME: home },
        });
        await until(async () => (await pids(workspace)).length >= 3, "the hook", 20_000);
        const startMs = Date.now();
        if (end !== undefined) program.kill(end);
        const { code } = await program.ended;
        if (end !== undefined) {
          assert.equal(code, end === "SIGTERM" ? 143 : 130);
          assert.ok(Date.now() - startMs < 10_000);
        }
        const left = await pids(workspace);
        await until(() => !left.some(isAlive), `the end of ${left.filter(isAlive)}`, 3000);
      }),
  );
}

testWhere(
  linux,
  "after a kill of nimlet a hook's stdin ends",
  () =>
    withScratch(async ({ root, workspace, home }) => {
      await writeHookFiles(root, {
        "home/.nimlet/config.json": hookSettings({
          command: `echo $$ >> pids; cat >/dev/null; sleep 1; cat >/dev/null; touch ended; exit 0`,
          timeout: 50,
        }),
      });
      const model = await cassette(join(root, "model.jsonl"), [bash("true"), say("ok")]);
      const program = startProgram([...model, "-p", "go"], { cwd: workspace, env: { HOME: home } });
      await until(async () => (await pids(workspace)).length >= 1, "the hook", 20_000);
      program.kill("SIGKILL");
      await program.ended;
      await until(
        () => Deno.stat(join(workspace, "ended")).then(() => true, () => false),
        "the end of its input",
      );
    }),
);

testWhere(
  linux,
  "an async hook that outlives the run is ended with the program",
  () =>
    withScratch(async ({ root, workspace, home }) => {
      await writeHookFiles(root, {
        "home/.nimlet/config.json": hookSettings({
          command: family("sleep 300"),
          async: true,
          matcher: "Bash",
        }),
      });
      const model = await cassette(join(root, "model.jsonl"), [
        bash("until [ -s pids ] && [ $(wc -l < pids) -ge 3 ]; do sleep 0.05; done"),
        say("ok"),
      ]);
      const program = startProgram([...model, "--mode", "json", "-p", "go"], {
        cwd: workspace,
        env: { HOME: home },
      });
      const { code, stdout } = await program.ended;
      assert.equal(code, 0);
      assert.equal(only(checkedRecords(stdout), "run_end")[0]!.status, "done");
      const left = await pids(workspace);
      assert.equal(left.length, 3);
      await until(() => !left.some(isAlive), "the end of the hook", 3000);
    }),
);

Deno.test("SessionEnd has 1.5 s after a signal", () =>
  withScratch(async ({ root, workspace, home }) => {
    await writeHookFiles(root, {
      "home/.nimlet/config.json": hookSettings({
        event: "SessionEnd",
        command: "cat >> ends.jsonl; sleep 60",
      }),
    });
    const model = await cassette(join(root, "model.jsonl"), [
      bash("touch begun; sleep 60"),
      say("ok"),
    ]);
    const program = startProgram([...model, "-p", "go"], { cwd: workspace, env: { HOME: home } });
    await until(
      () => Deno.stat(join(workspace, "begun")).then(() => true, () => false),
      "the call",
      20_000,
    );
    const startMs = Date.now();
    program.kill("SIGTERM");
    assert.equal((await program.ended).code, 143);
    assert.ok(Date.now() - startMs < 8000, `${Date.now() - startMs} ms`);
    const ends = (await Deno.readTextFile(join(workspace, "ends.jsonl"))).trim().split("\n");
    assert.equal(ends.length, 1);
    assert.equal(JSON.parse(ends[0]!).reason, "other");
  }));

testWhere(
  recordedSource,
  "without hooks and extensions no code of either is loaded",
  () =>
    withScratch(async ({ root, workspace, home }) => {
      const loaded = async () => {
        const folder = await Deno.makeTempDir({ dir: root });
        const model = await cassette(join(root, "model.jsonl"), [bash("true"), say("ok")]);
        const { code, stderr } = await runProgram([...model, "-p", "go"], {
          cwd: workspace,
          env: { HOME: home, DENO_COVERAGE_DIR: folder },
        });
        assert.equal(code, 0, stderr);
        const files = loadedFiles(folder);
        assert.ok(files.includes("agent/dispatch.ts"));
        return files.filter((file) => /^(?:hooks|extensions)\/|call_moments/.test(file));
      };
      assert.deepEqual(await loaded(), []);
      await writeHookFiles(root, { "home/.nimlet/config.json": hookSettings({ command: "true" }) });
      assert.ok((await loaded()).includes("hooks/run_hook.ts"));
    }),
);
