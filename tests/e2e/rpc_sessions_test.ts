import assert from "node:assert/strict";
import { call, cassette, say } from "../support/cassette.ts";
import { callAnswer, startFakeProvider, textAnswer } from "../support/fake_provider.ts";
import { pointAt } from "../support/pointed.ts";
import { png as largePng } from "../tools/file_fixture.ts";
import { runProgram, withScratch } from "../support/program.ts";
import { checkedRecords, only, type Record } from "../support/records.ts";
import { type RpcClient, startRpc } from "../support/rpc.ts";

const stateOf = ({ state }: Record) => state as { [key: string]: unknown };
const resultOf = ({ result }: Record) => result as { [key: string]: unknown };
const refusal = ({ ok, error }: Record) => (assert.equal(ok, false), String(error));

/** Works on one prompt to its end. */
async function work(rpc: RpcClient, message: string, more: object = {}): Promise<void> {
  const { ok, error } = await rpc.ask("prompt", { message, ...more });
  assert.equal(ok, true, String(error));
  await rpc.next("run_end");
}

async function end(rpc: RpcClient): Promise<void> {
  await rpc.ask("shutdown");
  assert.equal((await rpc.program.ended).code, 0);
}

Deno.test("sessions begin, are named, listed, measured and switched to", async () => {
  await withScratch(async ({ workspace, root, home }) => {
    const play = await cassette(`${root}/c.jsonl`, [say("a"), say("b"), say("c")]);
    const rpc = startRpc(play, workspace);
    await work(rpc, "first");
    const first = String(stateOf(await rpc.ask("get_state")).session_id);
    const begun = await rpc.ask("new_session", { name: "the second" });
    const second = String(resultOf(begun).session_id);
    assert.notEqual(second, first);
    assert.deepEqual(resultOf(begun), { session_id: second, name: "the second", messages: 0 });
    assert.equal(stateOf(begun).session_name, "the second");
    await work(rpc, "hello");
    const stats = resultOf(await rpc.ask("get_stats"));
    assert.deepEqual(
      [stats.messages, stats.tool_calls, stats.usage, stats.context_window],
      [2, 0, { input_tokens: 10, output_tokens: 5 }, undefined],
    );

    const { sessions } = resultOf(await rpc.ask("list_sessions")) as {
      sessions: { [key: string]: unknown }[];
    };
    assert.deepEqual(sessions.map(({ id }) => id).sort(), [first, second].sort());
    const listed = sessions.find(({ id }) => id === second)!;
    assert.deepEqual(
      [listed.name, listed.prompt, listed.workspace, listed.path],
      ["the second", "hello", workspace, `${home}/.nimlet/sessions/${second}.jsonl`],
    );
    const lines = await runProgram(["--list-sessions", "--mode", "json"], { cwd: workspace });
    assert.deepEqual(JSON.parse(lines.stdout).sessions, sessions, "the form of --list-sessions");

    for (const own of [second, second.slice(0, -2), "the second"]) {
      const refused = refusal(await rpc.ask("switch_session", { session_id: own }));
      assert.equal(refused, "that is the current session", own);
    }
    assert.match(
      refusal(await rpc.ask("switch_session", { session_id: "nope" })),
      /there is no session "nope"/,
    );
    assert.match(refusal(await rpc.ask("switch_session", { session_id: "" })), /session_id: /);
    assert.match(refusal(await rpc.ask("new_session", { name: "a\nb" })), /one line/);
    assert.equal(stateOf(await rpc.ask("get_state")).session_id, second, "as it was");

    const back = await rpc.ask("switch_session", { session_id: first });
    assert.deepEqual(resultOf(back), { session_id: first, messages: 2 });
    const started = only(rpc.seen, "session_start");
    assert.deepEqual(started.map(({ session_id, resumed }) => [session_id, resumed]), [
      [first, undefined],
      [second, undefined],
      [first, true],
    ]);
    await work(rpc, "again");
    await end(rpc);
    const { stdout } = await rpc.program.ended;
    assert.ok(checkedRecords(stdout).length > 0);
  });
});

Deno.test("a session that another process holds is not switched to", async () => {
  await withScratch(async ({ workspace, root }) => {
    const play = await cassette(`${root}/c.jsonl`, [say("a"), say("b")]);
    const holder = startRpc(play, workspace);
    await work(holder, "mine");
    const id = String(stateOf(await holder.ask("get_state")).session_id);
    const rpc = startRpc(play, workspace);
    const own = String((await rpc.next("session_start")).session_id);
    assert.match(
      refusal(await rpc.ask("switch_session", { session_id: id })),
      /is in use by another process/,
    );
    await work(rpc, "mine goes on");
    assert.equal(stateOf(await rpc.ask("get_state")).session_id, own);
    await end(holder);
    const switched = await rpc.ask("switch_session", { session_id: id });
    assert.deepEqual(resultOf(switched), { session_id: id, messages: 2 });
    await end(rpc);
  });
});

Deno.test("without kept sessions there are new ones, and none to switch to", async () => {
  await withScratch(async ({ workspace, root }) => {
    const play = await cassette(`${root}/c.jsonl`, [say("a")]);
    const rpc = startRpc([...play, "--no-session"], workspace);
    const begun = await rpc.ask("new_session", { name: "n" });
    assert.equal(resultOf(begun).name, "n");
    assert.match(
      refusal(await rpc.ask("switch_session", { session_id: "20260101-000000-abcdefgh" })),
      /no sessions are kept/,
    );
    assert.deepEqual(resultOf(await rpc.ask("list_sessions")), { sessions: [] });
    await end(rpc);
  });
});

Deno.test("while a prompt runs or waits for approval, sessions, history and files stay", async () => {
  await withScratch(async ({ workspace, root }) => {
    const play = await cassette(`${root}/c.jsonl`, [
      call("write", { path: "a.txt", content: "a\n" }),
      call("bash", { command: "pwd" }),
      say("done"),
    ]);
    const rpc = startRpc(play, workspace);
    await rpc.ask("prompt", { message: "go", permissions: "ask" });
    const { request_id } = await rpc.next("approval_required");
    const commands: [string, object?][] = [
      ["new_session"],
      ["switch_session", { session_id: "x" }],
      ["compact"],
      ["undo"],
      ["reload"],
    ];
    for (const [command, fields] of commands) {
      assert.equal(
        refusal(await rpc.ask(command, { ...fields })),
        "a prompt is being worked on: interrupt it, or wait for its end",
        command,
      );
    }
    for (const command of ["get_state", "get_stats", "list_sessions", "list_tools"]) {
      assert.equal((await rpc.ask(command)).ok, true, command);
    }
    const thinking = await rpc.ask("set_thinking", { level: "high" });
    assert.deepEqual([stateOf(thinking).thinking, stateOf(thinking).busy], ["high", true]);
    assert.equal((await rpc.ask("set_model", { model: "nowhere.jsonl" })).ok, false);
    await rpc.ask("approve", { request_id, answer: "once" });
    await rpc.next("run_end");
    assert.equal(await Deno.readTextFile(`${workspace}/a.txt`), "a\n");
    const undone = resultOf(await rpc.ask("undo"));
    assert.deepEqual(undone, {
      prompt: "go",
      files: [{ path: "a.txt", action: "remove" }],
      kept: [],
    });
    assert.throws(() => Deno.statSync(`${workspace}/a.txt`));
    assert.equal(refusal(await rpc.ask("undo")), "there is nothing to take back");
    await end(rpc);
  });
});

Deno.test("a file that changed since is not taken back", async () => {
  await withScratch(async ({ workspace, root }) => {
    const write = call("write", { path: "a.txt", content: "a\n" });
    const play = await cassette(`${root}/c.jsonl`, [write, say("done")]);
    const rpc = startRpc(play, workspace);
    await work(rpc, "go");
    await Deno.writeTextFile(`${workspace}/a.txt`, "mine\n");
    assert.match(refusal(await rpc.ask("undo")), /^nothing could be taken back: a\.txt: /);
    assert.equal(await Deno.readTextFile(`${workspace}/a.txt`), "mine\n");
    await end(rpc);
  });
});

Deno.test("compact: nothing to summarise is refused, and an interrupt ends it", async () => {
  const asked = Promise.withResolvers<void>();
  const summary = Promise.withResolvers<void>();
  const provider = startFakeProvider([
    textAnswer("chat", "answer one ".repeat(40)),
    textAnswer("chat", "answer two"),
    async () => {
      asked.resolve();
      await summary.promise;
      return textAnswer("chat", "never read");
    },
    textAnswer("chat", "THE SUMMARY"),
    ({ text }) => textAnswer("chat", String(text.includes("THE SUMMARY"))),
  ]);
  try {
    await withScratch(async ({ workspace, home }) => {
      const settings = { agent: { keep_recent_tokens: 20 } };
      const rpc = startRpc(await pointAt(home, provider.url, settings), workspace);
      assert.equal(refusal(await rpc.ask("compact")), "there is nothing older to summarise");
      await work(rpc, "one");
      await work(rpc, "two");

      await rpc.send('{"id":"slow","type":"compact"}\n{"id":"later","type":"get_state"}\n');
      await asked.promise;
      await rpc.send('{"id":"stop","type":"interrupt"}\n');
      const ends: Record[] = [];
      while (ends.length < 3) ends.push(await rpc.next("response"));
      const errors = Object.fromEntries(ends.map(({ id, error }) => [id, error]));
      assert.equal(errors.stop, undefined);
      assert.equal(errors.slow, "interrupted by the client");
      assert.equal(errors.later, "interrupted before it was begun");
      summary.resolve();

      const done = await rpc.ask("compact", { instruction: "dwell on ZEBRAS" });
      const { tokens_before, tokens_after } = resultOf(done) as { [key: string]: number };
      assert.ok(tokens_before! > tokens_after!, JSON.stringify(done));
      assert.match(provider.requests[3]!.text, /dwell on ZEBRAS/);
      await rpc.ask("prompt", { message: "three" });
      const final = await rpc.next("message", (record) => record.final === true);
      assert.equal(final.content, "true");
      await rpc.next("run_end");
      await end(rpc);
    });
  } finally {
    summary.resolve();
    await provider.close();
  }
});

Deno.test("what comes while a command takes long waits for it, and is begun in order", async () => {
  const go = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  const provider = startFakeProvider([
    textAnswer("chat", "answer one ".repeat(40)),
    textAnswer("chat", "answer two"),
    async () => {
      asked.resolve();
      await go.promise;
      return textAnswer("chat", "THE SUMMARY");
    },
    ({ text }) => textAnswer("chat", String(text.includes("THE SUMMARY"))),
  ]);
  try {
    await withScratch(async ({ workspace, home }) => {
      const settings = { agent: { keep_recent_tokens: 20 } };
      const rpc = startRpc(await pointAt(home, provider.url, settings), workspace);
      await work(rpc, "one");
      await work(rpc, "two");
      await rpc.send(
        '{"id":"slow","type":"compact"}\n{"id":"next","type":"prompt","message":"3"}\n',
      );
      await asked.promise;
      go.resolve();
      assert.equal((await rpc.next("response")).id, "slow");
      assert.equal((await rpc.next("response")).id, "next");
      const final = await rpc.next("message", (record) => record.final === true);
      assert.equal(final.content, "true");
      await end(rpc);
    });
  } finally {
    go.resolve();
    await provider.close();
  }
});

Deno.test("shutdown and the end of stdin end a command that takes long", async () => {
  const asked = Promise.withResolvers<void>(), over = Promise.withResolvers<void>();
  const provider = startFakeProvider([
    textAnswer("chat", "answer one ".repeat(40)),
    textAnswer("chat", "answer two"),
    () => (asked.resolve(), { before: over.promise }),
  ]);
  try {
    await withScratch(async ({ workspace, home }) => {
      const settings = { agent: { keep_recent_tokens: 20 } };
      const rpc = startRpc(await pointAt(home, provider.url, settings), workspace);
      await work(rpc, "one");
      await work(rpc, "two");
      await rpc.send('{"id":"slow","type":"compact"}\n');
      await asked.promise;
      await rpc.ask("shutdown");
      const { code, stdout } = await rpc.program.ended;
      assert.equal(code, 0);
      const records = checkedRecords(stdout);
      assert.equal(only(records, "response").at(-1)!.id, "slow");
      assert.equal(records.at(-1)!.type, "session_end");
    });
  } finally {
    over.resolve();
    await provider.close();
  }
});

Deno.test("commands that came before the end of stdin are answered", async () => {
  await withScratch(async ({ workspace }) => {
    const provider = startFakeProvider([{ body: '{"data":[{"id":"m1"}]}' }], { repeatLast: true });
    try {
      const lines = ['{"id":"1","type":"list_models"}', '{"id":"2","type":"get_state"}'];
      const { code, stdout } = await runProgram(
        ["--mode", "rpc", "--endpoint", provider.url, "--model", "m1"],
        { cwd: workspace, stdin: lines.join("\n") },
      );
      assert.equal(code, 0);
      const responses = only(checkedRecords(stdout), "response");
      assert.deepEqual(responses.map(({ id, ok }) => [id, ok]), [["1", true], ["2", true]]);
    } finally {
      await provider.close();
    }
  });
});

Deno.test("--resume takes a session's id in RPC mode, and nothing else", async () => {
  await withScratch(async ({ workspace, root }) => {
    const play = await cassette(`${root}/c.jsonl`, [say("a")]);
    const first = startRpc(play, workspace);
    await work(first, "hello");
    const id = String(stateOf(await first.ask("get_state")).session_id);
    await end(first);
    for (const word of [id, id.slice(0, 12)]) {
      const rpc = startRpc([...play, "--resume", word], workspace);
      const start = await rpc.next("session_start");
      assert.deepEqual([start.session_id, start.resumed], [id, true]);
      await end(rpc);
    }
    const refused: [string[], number, RegExp][] = [
      [["--resume", "hello"], 2, /--resume: expected the id of a session.*found hello/],
      [["--resume", "20990101-000000"], 1, /there is no session "20990101-000000"/],
      [["--resume", id, "more"], 2, /takes its prompts from stdin/],
      [["hello"], 2, /takes its prompts from stdin/],
    ];
    for (const [args, status, problem] of refused) {
      const { code, stderr } = await runProgram([...play, "--mode", "rpc", ...args], {
        cwd: workspace,
      });
      assert.equal(code, status, args.join(" "));
      assert.match(stderr, problem);
    }
  });
});

Deno.test("files go with a prompt: by path, as text, in base64, and with what waits", async () => {
  const provider = startFakeProvider([
    ({ text }) =>
      textAnswer(
        "chat",
        ["FROM A FILE", "FROM TEXT", "FROM DATA"].map((part) => text.includes(part)).join(),
      ),
    callAnswer("chat", [{
      name: "bash",
      input: { command: "while [ ! -e go ]; do sleep 0.02; done" },
    }]),
    ({ text }) => textAnswer("chat", String(text.includes("STEERED FILE"))),
  ]);
  try {
    await withScratch(async ({ workspace, home }) => {
      await Deno.writeTextFile(`${workspace}/a.txt`, "FROM A FILE\n");
      const rpc = startRpc(await pointAt(home, provider.url), workspace);
      await rpc.ask("prompt", {
        message: "look",
        attachments: ["a.txt", { name: "b", text: "FROM TEXT" }, {
          name: "c",
          data: btoa("FROM DATA"),
        }],
      });
      const seen = await rpc.next("message", (record) => record.final === true);
      assert.equal(seen.content, "true,true,true");
      await rpc.next("run_end");

      await rpc.ask("prompt", { message: "work" });
      await rpc.next("tool_call");
      const steered = await rpc.ask("prompt", {
        message: "see",
        streaming_behavior: "steer",
        attachments: [{ name: "d", text: "STEERED FILE" }],
      });
      assert.equal(steered.ok, true, String(steered.error));
      await Deno.writeTextFile(`${workspace}/go`, "");
      const final = await rpc.next("message", (record) => record.final === true);
      assert.equal(final.content, "true");
      await rpc.next("run_end");

      const wrong: [unknown, RegExp][] = [
        [["none.txt"], /^attachments: .*none\.txt is not there$/],
        [["."], /^attachments: .* is a folder, not a file$/],
        [[{ name: "x", data: "?" }], /^attachments: x is not valid: expected base64/],
        [[{ name: "x", data: btoa("\0\x01\0") }], /neither text nor an image/],
        [[{ name: "x", text: "y".repeat(1_000_001) }], /^attachments: x is too much: /],
        [{}, /^attachments: expected an array$/],
        [[{}], /^attachments\[0\]: expected a path, or /],
      ];
      for (const [attachments, problem] of wrong) {
        assert.match(refusal(await rpc.ask("prompt", { message: "x", attachments })), problem);
      }
      assert.equal(provider.requests.length, 3, "what is refused is not sent");
      await end(rpc);
    });
  } finally {
    await provider.close();
  }
});

Deno.test("images beyond what a request can hold are refused before anything is sent", async () => {
  const provider = startFakeProvider([textAnswer("chat", "seen")], { repeatLast: true });
  try {
    await withScratch(async ({ workspace, home }) => {
      await Deno.writeFile(`${workspace}/large.png`, largePng(1, 1, 4_900_000));
      const rpc = startRpc(await pointAt(home, provider.url), workspace);
      const attachments = (count: number) => Array.from({ length: count }, () => "large.png");
      assert.match(
        refusal(await rpc.ask("prompt", { message: "x", attachments: attachments(5) })),
        /^attachments: .*large\.png is too much: expected 20971520 bytes of images, found 24/,
      );
      await rpc.ask("prompt", { message: "x", attachments: attachments(1) });
      assert.equal((await rpc.next("run_end")).status, "done");
      assert.equal(provider.requests.length, 1);
      await end(rpc);
    });
  } finally {
    await provider.close();
  }
});

Deno.test("an image for a model that takes none is reported, and refused with --strict", async () => {
  const image = { name: "dot.png", data: png };
  for (const strict of [false, true]) {
    const provider = startFakeProvider([textAnswer("chat", "seen")]);
    try {
      await withScratch(async ({ workspace, home }) => {
        const flags = await pointAt(home, provider.url);
        const rpc = startRpc(
          [...flags, "--model", "gpt-3.5-turbo", ...strict ? ["--strict"] : []],
          workspace,
        );
        await rpc.ask("prompt", { message: "x", attachments: [image] });
        const ended = await rpc.next("run_end");
        assert.equal(ended.status, strict ? "failed" : "done");
        const reported = only(rpc.seen, strict ? "error" : "diagnostic");
        assert.match(String(reported[0]!.message), /takes no images: an image of the prompt/);
        assert.equal(provider.requests.length, strict ? 0 : 1);
        await end(rpc);
      });
    } finally {
      await provider.close();
    }
  }
});

const png =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

Deno.test("the figures of a session hold what its summaries took, also when it is resumed", () =>
  withScratch(async ({ workspace, root }) => {
    const summary = [
      { type: "text", delta: "## Goal\nread on" },
      { type: "finish", reason: "stop", usage: { input_tokens: 700, output_tokens: 30 } },
    ];
    const play = await cassette(`${root}/c.jsonl`, [say("one"), say("two"), summary]);
    const rpc = startRpc(play, workspace);
    await work(rpc, "first");
    await work(rpc, "second");
    assert.equal((await rpc.ask("compact")).ok, true);
    const usage = { input_tokens: 720, output_tokens: 40 };
    assert.deepEqual(resultOf(await rpc.ask("get_stats")).usage, usage);
    await end(rpc);
    const again = startRpc([...play, "--resume"], workspace);
    assert.deepEqual(resultOf(await again.ask("get_stats")).usage, usage);
    await end(again);
  }));
