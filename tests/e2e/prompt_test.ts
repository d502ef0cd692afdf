import assert from "node:assert/strict";
import { cassette, say } from "../support/cassette.ts";
import { textAnswer } from "../support/fake_provider.ts";
import { pointAt } from "../support/pointed.ts";
import { programCommand, programEnv, runProgram, withScratch } from "../support/program.ts";
import { checkedRecords, only } from "../support/records.ts";
import { startRpc } from "../support/rpc.ts";
import { runShell } from "../support/shell.ts";
import { contentOf, messagesOf, startStrictServer } from "../support/strict_server.ts";

/** A server that answers with the last message that it was sent. */
function echoServer() {
  return startStrictServer(({ body }) => textAnswer("chat", contentOf(messagesOf(body).at(-1))));
}

Deno.test("an open stdin is waited for, and stderr says so and how to avoid it", async () => {
  await withScratch(async ({ workspace, root }) => {
    const play = await cassette(`${root}/c.jsonl`, [say("done")]);
    const [file, ...first] = programCommand();
    const child = new Deno.Command(file, {
      args: [...first, ...play, "-p", "hi"],
      cwd: workspace,
      clearEnv: true,
      env: programEnv(`${root}/home`),
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    let told = "";
    for await (const piece of child.stderr.pipeThrough(new TextDecoderStream())) {
      if (told === "") await child.stdin.close();
      told += piece;
    }
    assert.match(told, /^nimlet: waiting for stdin [^\n]*--no-stdin[^\n]*\n$/);
    assert.equal(await new Response(child.stdout).text(), "done\n");
    assert.equal((await child.status).code, 0);

    const play2 = play.join(" ");
    const held = await runShell(
      `mkfifo f; exec 3<>f; nimlet ${play2} -p hi --no-stdin <&3; timeout 10 nimlet ${play2} -p hi --timeout 3 <&3; echo $?`,
      { root, cwd: workspace },
    );
    assert.equal(held.stdout, "done\n3\n");
    assert.match(held.stderr, /--no-stdin[^\n]*\n.*--timeout/);
  });
});

Deno.test("white space alone is no prompt; text with words around it is kept as it is", async () => {
  const server = echoServer();
  try {
    await withScratch(async ({ workspace, home }) => {
      const flags = [...await pointAt(home, server.url), "-p"];
      for (const [stdin, words] of [["", []], [" \n\t\n", []], ["\n", ["  ", "\n"]]] as const) {
        const none = await runProgram([...flags, ...words], { cwd: workspace, stdin });
        assert.deepEqual([none.code, none.stdout], [2, ""], JSON.stringify(stdin));
        assert.match(none.stderr, /no prompt/);
      }
      const cases: [stdin: string | Uint8Array | undefined, words: string[], prompt: string][] = [
        ["diff\n\n", ["what", "changed?"], "diff\n\nwhat changed?"],
        ["  indented\n", [], "  indented"],
        ["\ufeffmarked\r\n", [], "marked"],
        [new Uint8Array([0x61, 0xff, 0x62]), [], "a\ufffdb"],
        [undefined, ["-x is", "a flag"], "-x is a flag"],
        ["漢".repeat(300_000), ["end"], `${"漢".repeat(300_000)}\n\nend`],
      ];
      for (const [stdin, words, prompt] of cases) {
        const { code, stdout } = await runProgram([...flags, "--", ...words], {
          cwd: workspace,
          ...stdin === undefined ? {} : { stdin },
        });
        assert.equal(code, 0);
        assert.equal(stdout, `${prompt}\n`);
      }
    });
  } finally {
    await server.close();
  }
});

Deno.test("a prompt of 30 MB arrives whole, a larger one is refused", async () => {
  await withScratch(async ({ workspace, root }) => {
    const play = await cassette(`${root}/c.jsonl`, [
      [{ type: "expect", last_message: "aaa\n\nsum up" }, ...say("read")],
    ]);
    const run = (megabytes: number) =>
      runShell(
        `head -c ${megabytes}000000 /dev/zero | tr '\\0' 'a' |
          nimlet ${play.join(" ")} --mode json sum up > out; echo $?; wc -c < out; tail -1 out`,
        { root, cwd: workspace },
      );
    const [code, bytes, last] = (await run(30)).stdout.split("\n");
    assert.equal(code, "0", last!);
    assert.ok(Number(bytes) > 60_000_000, "the prompt is in two records");
    const large = await run(40);
    assert.match(large.stdout, /^2\n/);
    assert.match(large.stderr, /at most \d+ bytes/);
  });
});

Deno.test("a prompt template is expanded from words, from stdin and over RPC", async () => {
  const server = echoServer();
  try {
    await withScratch(async ({ workspace, home }) => {
      const flags = await pointAt(home, server.url);
      await Deno.mkdir(`${home}/.nimlet/prompts`);
      await Deno.writeTextFile(`${home}/.nimlet/prompts/review.md`, "Review $1 with care.\n");
      const print = (args: string[], stdin?: string) =>
        runProgram([...flags, "-p", ...args], {
          cwd: workspace,
          ...stdin === undefined ? {} : { stdin },
        });
      const expanded = "Review src with care.";
      assert.equal((await print(["/review src"])).stdout.trim(), expanded);
      assert.equal((await print(["/review", "src"])).stdout.trim(), expanded);
      assert.equal((await print([], "/review src\n")).stdout.trim(), expanded);
      const both = await print(["/review src"], "some text\n");
      assert.equal(both.stdout.trim(), `some text\n\n${expanded}`);

      const rpc = startRpc(flags, workspace);
      await rpc.ask("prompt", { message: "/review src" });
      const final = await rpc.next("message", (record) => record.final === true);
      assert.equal(String(final.content).trim(), expanded);
      await rpc.ask("shutdown");
      await rpc.program.ended;

      const unknown = await print(["/nope"]);
      assert.deepEqual([unknown.code, unknown.stdout], [0, "/nope\n"]);
      assert.match(unknown.stderr, /^nimlet: [^\n]*\/nope[^\n]*\n$/);
      const path = await print(["/etc is a folder"]);
      assert.deepEqual([path.code, path.stdout], [0, "/etc is a folder\n"]);
    });
  } finally {
    await server.close();
  }
});

Deno.test("a model that fails is told in both modes, and nothing after && runs", async () => {
  const cases: [string, string][] = [
    ["401", '[{"type":"error","status":401,"message":"bad key"}]'],
    ["400", '[{"type":"error","status":400,"message":"bad field"}]'],
    [
      "HTML",
      '[{"type":"error","status":502,"message":"<html><h1>Bad Gateway</h1></html>","retry_after_ms":0}]',
    ],
    ["500", '[{"type":"error","status":500,"message":"broken","retry_after_ms":0}]'],
    ["429", '[{"type":"error","status":429,"message":"slow down","retry_after_ms":0}]'],
  ];
  await withScratch(async ({ workspace, root }) => {
    await Promise.all(cases.map(async ([name, step]) => {
      await Deno.writeTextFile(`${root}/${name}.jsonl`, `${step}\n`.repeat(5));
      const play = `--provider replay --model ${root}/${name}.jsonl`;
      const [print, json] = await Promise.all([
        runShell(`nimlet ${play} -p x && echo next; echo $?`, { root, cwd: workspace }),
        runProgram([...play.split(" "), "--mode", "json", "x"], { cwd: workspace }),
      ]);
      assert.equal(print.stdout, "1\n", name);
      assert.notEqual(print.stderr, "", name);
      const records = checkedRecords(json.stdout);
      assert.equal(json.code, 1, name);
      assert.equal(only(records, "error").length, 1, name);
      assert.deepEqual([records.at(-1)!.type, records.at(-1)!.status], ["session_end", "failed"]);
      const attempts = ["401", "400"].includes(name) ? 1 : 5;
      assert.equal(only(records, "step_start").length, attempts, name);
      assert.ok(only(records, "step_start").every((record) => record.step === 1));
    }));
  });
});

Deno.test("a server that is not there is exit status 1 after the retries", async () => {
  await withScratch(async ({ workspace, home }) => {
    const flags = await pointAt(home, "http://127.0.0.1:1/v1");
    const { code, stdout, stderr } = await runProgram([...flags, "--mode", "json", "x"], {
      cwd: workspace,
    });
    assert.equal(code, 1, stderr);
    const records = checkedRecords(stdout);
    assert.equal(only(records, "diagnostic").length, 4);
    assert.match(String(only(records, "error")[0]!.message), /127\.0\.0\.1:1/);
  });
});

Deno.test("denied calls are told at once, counted, and do not change the exit status", async () => {
  await withScratch(async ({ workspace, outside, root }) => {
    const step = (calls: [string, unknown][]) => [
      ...calls.map(([name, input], index) => ({
        type: "tool_call",
        id: `c${index}`,
        name,
        input: JSON.stringify(input),
      })),
      ...say("").slice(1),
    ];
    const play = await cassette(`${root}/c.jsonl`, [
      step([
        ["bash", { command: "touch f" }],
        ["write", { path: `${outside}/g`, content: "x" }],
        ["write", { path: "../O/g", content: "x" }],
      ]),
      say("done"),
    ]);
    const { code, stdout } = await runProgram([...play, "--ask", "deny", "--mode", "json", "x"], {
      cwd: workspace,
    });
    assert.equal(code, 0);
    const records = checkedRecords(stdout);
    const results = only(records, "tool_result").map(({ output }) => String(output));
    assert.match(results[0]!, /^approval_denied/);
    assert.match(results[1]!, /^path is outside the workspace/);
    assert.match(results[2]!, /^path is outside the workspace/);
    assert.equal(only(records, "run_end")[0]!.denials, 1);
    assert.deepEqual([...Deno.readDirSync(workspace), ...Deno.readDirSync(outside)], []);
  });
});
