import assert from "node:assert/strict";
import { call, cassette, say } from "../support/cassette.ts";
import { errorAnswer, startFakeProvider, textAnswer } from "../support/fake_provider.ts";
import { pointAt } from "../support/pointed.ts";
import { recordsOf, runProgram, startProgram, withScratch } from "../support/program.ts";
import { checkedRecords, only } from "../support/records.ts";
import { runShell } from "../support/shell.ts";
import { posix, testWhere } from "../support/test_where.ts";
import { isAlive, until } from "../support/until.ts";

const oneLine = /^nimlet: [^\n]+\n$/;

Deno.test("print mode: stdout holds the answer and one newline, stderr the rest", async () => {
  await withScratch(async ({ workspace, root }) => {
    for (const [said, printed] of [["OK", "OK\n"], ["OK\n\n\n", "OK\n"], ["a\n\nb", "a\n\nb\n"]]) {
      const play = await cassette(`${root}/c.jsonl`, [
        call("bash", { command: "echo noise; echo noise >&2" }),
        say(said!),
      ]);
      const { code, stdout, stderr } = await runProgram([...play, "-p", "x"], { cwd: workspace });
      assert.deepEqual([code, stdout, stderr], [0, printed, ""]);
      const json = await runProgram([...play, "--mode", "json", "x"], { cwd: workspace });
      const final = only(checkedRecords(json.stdout), "message").at(-1)!;
      assert.equal(String(final.content).replace(/\n+$/, ""), printed!.trimEnd());
    }
  });
});

Deno.test("an answer whose stream broke off and was repeated stands on stdout once", async () => {
  await withScratch(async ({ workspace, root }) => {
    const broken = (text: string) => [
      { type: "text", delta: text },
      { type: "error", status: 500, message: "broken", retry_after_ms: 0 },
    ];
    const play = await cassette(`${root}/c.jsonl`, [
      broken("Let me lo"),
      [{ type: "text", delta: "Let me look.\n" }, ...call("glob", { pattern: "*" })],
      broken("There is noth"),
      broken("There is"),
      say("There is nothing."),
    ]);
    const { code, stdout, stderr } = await runProgram([...play, "x"], { cwd: workspace });
    assert.deepEqual([code, stdout], [0, "Let me look.\nThere is nothing.\n"]);
    assert.equal(stderr.match(/trying again/g)?.length, 3, stderr);

    const failing = await cassette(`${root}/d.jsonl`, Array(5).fill(broken("half an ans")));
    const failed = await runProgram([...failing, "x"], { cwd: workspace });
    assert.deepEqual([failed.code, failed.stdout], [1, "half an ans\n"], "what there is of it");
  });
});

Deno.test("a full device under stdout is exit status 1 and one line on stderr", async () => {
  await withScratch(async ({ workspace, root }) => {
    const play = (await cassette(`${root}/c.jsonl`, [
      call("bash", { command: "echo $$ > pid; echo out" }),
      say("done"),
    ])).join(" ");
    for (const flags of ["-p x", "--mode json x", "x", "--help", "--version", "--schema events"]) {
      const { code, stderr } = await runShell(`nimlet ${play} ${flags} > /dev/full`, {
        root,
        cwd: workspace,
      });
      assert.equal(code, 1, flags);
      assert.match(stderr.split("\n").slice(-2).join("\n"), oneLine, flags);
      assert.doesNotMatch(stderr, /\bat .*:\d+:\d+|Uncaught/, flags);
    }
    const rpc = await runShell(
      `echo '{"id":"1","type":"get_state"}' | nimlet ${play} --mode rpc > /dev/full`,
      { root, cwd: workspace },
    );
    assert.equal(rpc.code, 1);
    assert.match(rpc.stderr, oneLine);
  });
});

Deno.test("closed streams are no fault: the run goes its way", async () => {
  await withScratch(async ({ workspace, root }) => {
    const play = (await cassette(`${root}/c.jsonl`, [
      call("bash", { command: "cat; echo made > made.txt" }),
      say("done"),
    ])).join(" ");
    const lines: [string, string][] = [
      [`nimlet ${play} -p x <&-`, "done\n"],
      [`nimlet ${play} -p x </dev/null`, "done\n"],
      [`nimlet ${play} -p x 2>&-`, "done\n"],
      [`TERM=dumb nimlet ${play} -p x`, "done\n"],
      [`nimlet ${play} -p x >&-; true`, ""],
      [
        `nimlet ${play} --mode json x <&- 2>&- | tail -1 | jq -c '[.type, .success]'`,
        '["session_end",true]\n',
      ],
    ];
    for (const [line, stdout] of lines) {
      const result = await runShell(line, { root, cwd: workspace });
      assert.deepEqual([result.code, result.stdout, result.stderr], [0, stdout, ""], line);
      await Deno.remove(`${workspace}/made.txt`);
    }
  });
});

Deno.test("large answers reach a slow reader whole, whatever the end of the run", async () => {
  const big = "0123456789abcdef".repeat(25_000);
  const provider = startFakeProvider([
    textAnswer("chat", big),
    textAnswer("chat", big),
    { pieces: [textAnswer("chat", big).pieces![0]!], ending: "cut" },
    errorAnswer(400, "no more"),
  ]);
  try {
    await withScratch(async ({ workspace, home, root }) => {
      const flags = (await pointAt(home, provider.url)).join(" ");
      const run = (line: string) => runShell(line, { root, cwd: workspace });
      const print = await run(`nimlet ${flags} -p x | (sleep 1; wc -c)`);
      assert.equal(Number(print.stdout), big.length + 1);
      const json = `nimlet ${flags} --mode json x | (sleep 1; cat) | tail -1 | jq -r .type,.status`;
      assert.equal((await run(json)).stdout, "session_end\ndone\n");
      assert.equal((await run(json)).stdout, "session_end\nfailed\n");
    });
  } finally {
    await provider.close();
  }
});

Deno.test("a stop while the reader is slow still ends in whole lines", async () => {
  const big = "0123456789abcdef".repeat(25_000);
  const provider = startFakeProvider([
    { pieces: [textAnswer("chat", big).pieces![0]!], ending: "hang" },
  ]);
  try {
    await withScratch(async ({ workspace, home, root }) => {
      const flags = (await pointAt(home, provider.url)).join(" ");
      const { stdout } = await runShell(
        `mkfifo p; nimlet ${flags} --mode json x > p & pid=$!; exec 3< p
          sleep 1; kill -TERM $pid; sleep 1; cat <&3; wait $pid; echo "{\\"status\\":$?}"`,
        { root, cwd: workspace },
      );
      const records = recordsOf(stdout);
      assert.deepEqual(records.at(-1), { status: 143 });
      assert.deepEqual([records.at(-2)!.type, records.at(-2)!.exit_code], ["session_end", 143]);
    });
  } finally {
    await provider.close();
  }
});

Deno.test("a reader that goes away ends the run quietly, in a tool and while streaming", async () => {
  const provider = startFakeProvider([
    {
      pieces: [textAnswer("chat", "begun").pieces![0]!],
      ending: "hang",
      keepAlive: String(textAnswer("chat", "more").pieces![0]),
    },
  ]);
  try {
    await withScratch(async ({ workspace, home }) => {
      const flags = await pointAt(home, provider.url);
      const program = startProgram([...flags, "--mode", "json", "x"], { cwd: workspace });
      await program.waitFor((line) => line.includes('"message_delta"'));
      await program.closeOutput();
      const { stderr, code } = await program.ended;
      assert.deepEqual([stderr, code], ["", 1]);
    });
  } finally {
    await provider.close();
  }
  await withScratch(async ({ workspace, root }) => {
    const noisy = "echo $$ >> pids; while :; do echo line; sleep 0.01; done";
    const play = await cassette(`${root}/c.jsonl`, [call("bash", { command: noisy }), say("late")]);
    for (const form of [["--mode", "json"], ["--mode", "rpc"]]) {
      const rpc = form[1] === "rpc";
      const program = startProgram([...play, ...form, ...rpc ? [] : ["x"]], {
        cwd: workspace,
        ...rpc ? { stdin: "" } : {},
      });
      if (rpc) await program.write('{"id":"1","type":"prompt","message":"x"}\n');
      await program.waitFor((line) => line.includes('"tool_output_delta"'));
      await program.closeOutput();
      const { stderr, code } = await program.ended;
      assert.deepEqual([stderr, code], ["", 1], form.join(" "));
    }
    for (const pid of (await Deno.readTextFile(`${workspace}/pids`)).trim().split("\n")) {
      await until(() => !isAlive(Number(pid)), "the shell is gone", 3000);
    }
  });
});

testWhere(
  posix,
  "a reader that goes away during a silent tool is noticed, in every form",
  async () => {
    await withScratch(async ({ workspace, root, home }) => {
      const silent = "echo $$ > pid; mv pid running; exec sleep 300";
      const play = await cassette(`${root}/c.jsonl`, [
        call("bash", { command: silent }),
        say("late"),
      ]);
      for (const form of [["-p", "x"], ["x"], ["--mode", "json", "x"], ["--mode", "rpc"]]) {
        const rpc = form[1] === "rpc";
        const program = startProgram([...play, ...form], {
          cwd: workspace,
          ...rpc ? { stdin: "" } : {},
        });
        if (rpc) await program.write('{"id":"1","type":"prompt","message":"x"}\n');
        await until(() => exists(`${workspace}/running`), "the tool runs", 30_000);
        const pid = Number(await Deno.readTextFile(`${workspace}/running`));
        await Deno.remove(`${workspace}/running`);
        await program.closeOutput();
        const { stderr, code } = await program.ended;
        assert.equal(code, 1, form.join(" "));
        if (form[0] !== "x") assert.equal(stderr, "", form.join(" "));
        assert.ok(!isAlive(pid), "the tool is gone");
      }
      for (const { name } of Deno.readDirSync(`${home}/.nimlet/sessions`)) {
        const text = await Deno.readTextFile(`${home}/.nimlet/sessions/${name}`);
        assert.match(
          text,
          /INTERRUPTED \(interrupted, as the reader of standard output has gone\)/,
        );
      }
    });
  },
);

function exists(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}

Deno.test("only line feeds part records, and no surrogate stands alone", async () => {
  await withScratch(async ({ workspace, root }) => {
    const odd = "ls\u2028ps\u2029nel\u0085vt\u000bcr\r\nff\f 😀 \u{10ffff} end";
    await Deno.writeTextFile(`${workspace}/odd.txt`, odd);
    const play = await cassette(`${root}/c.jsonl`, [
      call("bash", {
        command: "cat odd.txt; printf 'x'; printf '\\360\\237\\230\\200%.0s' $(seq 30000)",
      }),
      call("read", { path: "odd.txt" }),
      [
        { type: "text", delta: "half \ud83d" },
        { type: "text", delta: "\ude00 lone \ud800 \u2028" },
        ...say("").slice(1),
      ],
    ]);
    const { stdout, code } = await runProgram([...play, "--mode", "json", "x"], { cwd: workspace });
    assert.equal(code, 0);
    const records = checkedRecords(stdout);
    assert.ok(!/[\u0085\u2028\u2029]/.test(stdout));
    const [shell, read] = only(records, "tool_result").map(({ output }) => String(output));
    assert.ok(shell!.includes(odd.slice(0, 20)));
    assert.ok(read!.includes("ls\u2028ps"));
    assert.equal(only(records, "message").at(-1)!.content, "half 😀 lone \ufffd \u2028");
    const [file] = [...Deno.readDirSync(`${root}/home/.nimlet/sessions`)];
    for (
      const line of Deno.readTextFileSync(`${root}/home/.nimlet/sessions/${file!.name}`).trimEnd()
        .split("\n")
    ) {
      assert.doesNotMatch(JSON.stringify(JSON.parse(line)), /\\ud[89a-f]/);
    }
  });
});

Deno.test("whatever makes noise, stdout holds nothing but records", async () => {
  await withScratch(async ({ workspace, home, root }) => {
    await Deno.mkdir(`${home}/.nimlet/skills/broken`, { recursive: true });
    await Deno.writeTextFile(`${home}/.nimlet/skills/broken/SKILL.md`, "---\n: [\n---\n");
    await Deno.writeTextFile(`${home}/.nimlet/config.json`, '{"agent":{"max_tokns":1}}');
    await Deno.mkdir(`${home}/.nimlet/tools/noisy`, { recursive: true });
    await Deno.mkdir(`${home}/.nimlet/tools/bad`, { recursive: true });
    await Deno.writeTextFile(`${home}/.nimlet/tools/bad/tool.json`, "{");
    await Deno.writeTextFile(
      `${home}/.nimlet/tools/noisy/tool.json`,
      JSON.stringify({
        name: "noisy",
        description: "Makes noise.",
        command: ["run.sh"],
        input_schema: { type: "object" },
      }),
    );
    await Deno.writeTextFile(
      `${home}/.nimlet/tools/noisy/run.sh`,
      "#!/bin/sh\necho loud >&2\necho '{\"ok\":true}'\n",
      { mode: 0o755 },
    );
    await Deno.mkdir(`${workspace}/.nimlet`);
    await Deno.writeTextFile(`${workspace}/.nimlet/config.json`, "{}");
    const play = await cassette(`${root}/c.jsonl`, [call("noisy", {}), say("done")]);
    const { code, stdout } = await runShell(
      `nimlet ${
        play.join(" ")
      } --mode json x 2>/dev/null > out; jq -c . out > /dev/null && cat out`,
      { root, cwd: workspace },
    );
    assert.equal(code, 0);
    const records = checkedRecords(stdout);
    const told = only(records, "diagnostic").map(({ message }) => message).join("\n");
    for (const word of ["max_tokns", "broken", "bad", "--approve"]) {
      assert.match(told, new RegExp(word));
    }
    assert.equal(only(records, "tool_result")[0]!.is_error, false);
  });
});
