import assert from "node:assert/strict";
import { call, cassette, say } from "../support/cassette.ts";
import {
  callAnswer,
  eventPieces,
  startFakeProvider,
  textAnswer,
} from "../support/fake_provider.ts";
import { pointAt } from "../support/pointed.ts";
import { programCommand, programEnv, runProgram, withScratch } from "../support/program.ts";
import { checkedRecords, only, typesOf } from "../support/records.ts";
import { startRpc } from "../support/rpc.ts";
import { isAlive, until } from "../support/until.ts";

Deno.test("a session of prompts: responses, events in between, state, shutdown", async () => {
  await withScratch(async ({ workspace, root }) => {
    const play = await cassette(`${root}/c.jsonl`, [say("one"), say("two")]);
    const rpc = startRpc(play, workspace);
    const start = await rpc.next("session_start");
    const state = (await rpc.ask("get_state")).state as { [key: string]: unknown };
    assert.deepEqual([state.session_id, state.busy, state.mode, state.queue_depth], [
      start.session_id,
      false,
      "act",
      0,
    ]);
    for (const text of ["one", "two"]) {
      const response = await rpc.ask("prompt", { message: `say ${text}` });
      assert.equal(response.ok, true);
      assert.equal((response.state as { busy: boolean }).busy, true);
      const final = await rpc.next("message", (record) => record.final === true);
      assert.equal(final.content, text);
      await rpc.next("run_end");
    }
    assert.equal((await rpc.ask("shutdown")).ok, true);
    const { code, stdout, stderr } = await rpc.program.ended;
    assert.deepEqual([code, stderr], [0, ""]);
    const records = checkedRecords(stdout);
    assert.deepEqual(typesOf(records).filter((type) => /^(session|run)_/.test(type)), [
      "session_start",
      "run_start",
      "run_end",
      "run_start",
      "run_end",
      "session_end",
    ]);
    assert.equal(records.at(-1)!.success, true);
    const responses = only(records, "response");
    assert.ok(responses.every((record) => record.session_id === start.session_id));
    assert.equal(new Set(responses.map(({ id }) => id)).size, responses.length);
  });
});

Deno.test("a prompt while busy needs to say where it goes; the queue is told and can be cleared", async () => {
  const go = Promise.withResolvers<void>();
  const provider = startFakeProvider([
    callAnswer("chat", [{
      name: "bash",
      input: { command: "while [ ! -e go ]; do sleep 0.02; done" },
    }]),
    (
      request,
    ) => (go.resolve(), textAnswer("chat", `steered ${request.text.includes("turn left")}`)),
    textAnswer("chat", "followed"),
  ]);
  try {
    await withScratch(async ({ workspace, home }) => {
      const rpc = startRpc(await pointAt(home, provider.url), workspace);
      await rpc.ask("prompt", { message: "work" });
      await rpc.next("tool_call");
      assert.equal((await rpc.ask("reload")).ok, false);
      const refused = await rpc.ask("prompt", { message: "more" });
      assert.equal(refused.ok, false);
      assert.match(String(refused.error), /streaming_behavior: expected steer or follow_up/);

      const old = await rpc.ask("prompt", { message: "more", streamingBehavior: "steer" });
      assert.deepEqual(
        [old.ok, old.error],
        [false, "streamingBehavior: expected snake_case: streaming_behavior"],
      );

      await rpc.ask("prompt", { message: "dropped", streaming_behavior: "steer" });
      await rpc.ask("clear_queue");
      const steered = await rpc.ask("steer", { message: "turn left" });
      assert.equal((steered.state as { queue_depth: number }).queue_depth, 1);
      const later = await rpc.ask("prompt", {
        message: "then right",
        streaming_behavior: "follow_up",
      });
      assert.equal((later.state as { queue_depth: number }).queue_depth, 2);
      await Deno.writeTextFile(`${workspace}/go`, "");
      const first = await rpc.next("queue", ({ action }) => action === "dequeue");
      assert.deepEqual([first.mode, first.content, first.depth], ["steer", "turn left", 1]);
      const second = await rpc.next("queue", ({ action }) => action === "dequeue");
      assert.deepEqual([second.mode, second.content, second.depth], ["follow_up", "then right", 0]);
      assert.equal(second.request_id, later.id);
      assert.equal((await rpc.next("message", ({ final }) => final === true)).content, "followed");
      await rpc.next("run_end");
      await rpc.program.closeInput();
      assert.equal((await rpc.program.ended).code, 0);
      const actions = only(rpc.seen, "queue").map(({ action }) => action);
      assert.deepEqual(actions, ["enqueue", "clear", "enqueue", "enqueue", "dequeue", "dequeue"]);
      assert.ok(!provider.requests[1]!.text.includes("dropped"));
      assert.ok(!provider.requests[1]!.text.includes("then right"));
      assert.ok(provider.requests[2]!.text.includes("then right"));
    });
  } finally {
    await provider.close();
  }
});

Deno.test("queue modes: one at a time, or all at once", async () => {
  const provider = startFakeProvider([
    callAnswer("chat", [{
      name: "bash",
      input: { command: "while [ ! -e go ]; do sleep 0.02; done" },
    }]),
    textAnswer("chat", "both"),
    callAnswer("chat", [{
      name: "bash",
      input: { command: "while [ ! -e go2 ]; do sleep 0.02; done" },
    }]),
    textAnswer("chat", "first"),
    textAnswer("chat", "second"),
    textAnswer("chat", "third"),
  ]);
  try {
    await withScratch(async ({ workspace, home }) => {
      const rpc = startRpc(await pointAt(home, provider.url), workspace);
      const set = await rpc.ask("set_steering_mode", { mode: "all" });
      assert.equal((set.state as { steering_mode: string }).steering_mode, "all");
      await rpc.ask("prompt", { message: "work" });
      await rpc.next("tool_call");
      await rpc.ask("steer", { message: "AAA" });
      await rpc.ask("steer", { message: "BBB" });
      await Deno.writeTextFile(`${workspace}/go`, "");
      await rpc.next("run_end");
      assert.match(provider.requests[1]!.text, /AAA.*BBB/s);

      await rpc.ask("set_follow_up_mode", { mode: "one-at-a-time" });
      await rpc.ask("prompt", { message: "work" });
      await rpc.next("tool_call");
      await rpc.ask("follow_up", { message: "CCC" });
      await rpc.ask("follow_up", { message: "DDD" });
      await Deno.writeTextFile(`${workspace}/go2`, "");
      await rpc.next("queue", ({ action, depth }) => action === "dequeue" && depth === 0);
      assert.match(provider.requests[4]!.text, /CCC/);
      assert.doesNotMatch(provider.requests[4]!.text, /DDD/);
      assert.equal((await rpc.ask("set_follow_up_mode", { mode: "some" })).ok, false);
      rpc.program.kill("SIGKILL");
      await rpc.program.ended;
    });
  } finally {
    await provider.close();
  }
});

Deno.test("interrupt is answered at once, ends the call with a result, and a next prompt works", async () => {
  await withScratch(async ({ workspace, root }) => {
    const play = await cassette(`${root}/c.jsonl`, [
      call("bash", { command: "echo $$ > pid; exec -a NIMMARK sleep 300" }),
      say("on"),
    ]);
    const rpc = startRpc(play, workspace);
    await rpc.ask("prompt", { message: "work" });
    await rpc.next("tool_call");
    await until(() => exists(`${workspace}/pid`), "the child has started");
    const startMs = Date.now();
    assert.equal((await rpc.ask("interrupt")).ok, true);
    assert.ok(Date.now() - startMs < 2000);
    const result = await rpc.next("tool_result");
    assert.equal(result.is_error, true);
    assert.match(String(result.output), /INTERRUPTED/);
    assert.equal((await rpc.next("run_end")).status, "interrupted");
    const pid = Number(await Deno.readTextFile(`${workspace}/pid`));
    assert.ok(!isAlive(pid), "the child is gone");
    await rpc.ask("prompt", { message: "go on" });
    assert.equal((await rpc.next("message", ({ final }) => final === true)).content, "on");
    await rpc.next("run_end");
    await rpc.ask("interrupt");
    await rpc.ask("shutdown");
    assert.equal((await rpc.program.ended).code, 0);
  });
});

Deno.test("good lines are handled and bad ones answered, in whatever pieces they come", async () => {
  await withScratch(async ({ workspace, root }) => {
    const play = await cassette(`${root}/c.jsonl`, [say("ok"), say("ok"), say("ok"), say("last")]);
    const rpc = startRpc(play, workspace);
    const odd = "a\u2028b\u2029c\u0085d\u000be\\rf";
    const prompted = async (id: string, text: string) => {
      assert.equal((await rpc.next("response")).id, id);
      assert.equal((await rpc.next("message", ({ role }) => role === "user")).content, text);
      await rpc.next("run_end");
    };
    await rpc.send(
      `{"id":"crlf","type":"prompt","message":"${odd.replace("\u000b", "\\u000b")}"}\r\n`,
    );
    await prompted("crlf", "a\u2028b\u2029c\u0085d\u000be\rf");

    const bytes = new TextEncoder().encode('{"id":"split","type":"prompt","message":"漢字"}\n');
    const cut = bytes.findIndex((byte) => byte > 0x7f) + 1;
    await rpc.send(bytes.slice(0, cut));
    await rpc.send(bytes.slice(cut));
    await prompted("split", "漢字");

    const large = "x".repeat(5_000_000);
    await rpc.send(`{"id":"large","type":"prompt","message":"${large}"}\n`);
    await prompted("large", large);

    await rpc.send("\n  \n\r\n");
    const bad: [string, RegExp][] = [
      ['{"id":"1","type":"get_state"}{"id":"2","type":"get_state"}', /one JSON object a line/],
      ["[]", /one JSON object a line/],
      ["null", /one JSON object a line/],
      ['{"id":"1","type":', /one JSON object a line/],
      ['"text"', /one JSON object a line/],
      ['{"type":"get_state"}', /id: expected string/],
      ['{"id":7,"type":"get_state"}', /id: expected string/],
    ];
    for (const [line, error] of bad) {
      await rpc.send(`${line}\n`);
      const response = await rpc.next("response");
      assert.deepEqual([response.id, response.ok], ["", false], line);
      assert.match(String(response.error), error, line);
    }
    const unknown = await rpc.ask("promt", { message: "x" });
    assert.match(String(unknown.error), /did you mean prompt/);
    assert.equal((await rpc.ask("prompt")).ok, false);
    assert.equal((await rpc.ask("prompt", { message: "  " })).ok, false);
    assert.equal((await rpc.ask("steer", { message: 5 })).ok, false);
    assert.equal((await rpc.ask("get_state")).ok, true, "what was bad has no effect later");
    await rpc.send('{"id":"end","type":"get_state"}');
    await rpc.program.closeInput();
    assert.equal((await rpc.next("response")).id, "end");
    assert.equal((await rpc.program.ended).code, 0);
  });
});

Deno.test("the end of stdin and SIGINT act like shutdown, SIGTERM as everywhere", async () => {
  await withScratch(async ({ workspace, root }) => {
    const steps = [call("bash", { command: "echo $$ > pid; echo begun; sleep 300" }), say("late")];
    for (const way of ["eof", "SIGINT", "SIGTERM", "shutdown"] as const) {
      for (const busy of [false, true]) {
        const rpc = startRpc(await cassette(`${root}/c.jsonl`, steps), workspace);
        await rpc.next("session_start");
        if (busy) {
          await rpc.ask("prompt", { message: "work" });
          await rpc.next("tool_output_delta");
        }
        if (way === "eof") await rpc.program.closeInput();
        else if (way === "shutdown") await rpc.ask("shutdown");
        else rpc.program.kill(way);
        const { code, stdout, stderr } = await rpc.program.ended;
        const told = `${way} ${busy}: ${stderr}`;
        assert.equal(code, way === "SIGTERM" ? 143 : 0, told);
        const records = checkedRecords(stdout);
        assert.equal(records.at(-1)!.type, "session_end", told);
        assert.equal(records.at(-1)!.exit_code, code, told);
        assert.equal(only(records, "tool_call").length, only(records, "tool_result").length, told);
        assert.equal(only(records, "run_start").length, only(records, "run_end").length, told);
        if (!busy) continue;
        const pid = Number(await Deno.readTextFile(`${workspace}/pid`));
        await until(() => !isAlive(pid), `${told}: the child is gone`, 3000);
      }
    }
  });
});

Deno.test("a command that reads its stdin does not eat the client's lines", async () => {
  await withScratch(async ({ workspace, root }) => {
    const play = await cassette(`${root}/c.jsonl`, [call("bash", { command: "cat" }), say("done")]);
    const rpc = startRpc(play, workspace);
    await rpc.ask("prompt", { message: "x" });
    assert.match(String((await rpc.next("tool_result")).output), /exit_code: 0/);
    assert.equal((await rpc.ask("get_state")).ok, true);
    await rpc.ask("shutdown");
    assert.equal((await rpc.program.ended).code, 0);
  });
});

Deno.test("plan mode, tools and reload", async () => {
  await withScratch(async ({ workspace, root, home }) => {
    const play = await cassette(`${root}/c.jsonl`, [
      call("write", { path: "a.txt", content: "a" }),
      say("no"),
      call("hello", {}),
      say("yes"),
    ]);
    const rpc = startRpc(play, workspace);
    await rpc.next("session_start");
    const names = async () =>
      ((await rpc.ask("list_tools")).result as { tools: { name: string }[] }).tools
        .map(({ name }) => name);
    assert.ok((await names()).includes("write"));
    const plan = await rpc.ask("set_mode", { mode: "plan" });
    assert.equal((plan.state as { mode: string }).mode, "plan");
    assert.ok(!(await names()).includes("write"));
    await rpc.ask("prompt", { message: "try" });
    assert.match(String((await rpc.next("tool_result")).output), /plan mode/);
    await rpc.next("run_end");

    await Deno.mkdir(`${home}/.nimlet/tools/hello`, { recursive: true });
    await Deno.writeTextFile(
      `${home}/.nimlet/tools/hello/tool.json`,
      JSON.stringify({
        name: "hello",
        description: "Says hello.",
        command: ["run.sh"],
        input_schema: { type: "object" },
        capabilities: ["read"],
      }),
    );
    await Deno.writeTextFile(
      `${home}/.nimlet/tools/hello/run.sh`,
      "#!/bin/sh\necho '\"hello there\"'\n",
      { mode: 0o755 },
    );
    const reloaded = await rpc.ask("reload");
    assert.equal(reloaded.ok, true, String(reloaded.error));
    assert.equal((reloaded.state as { mode: string }).mode, "plan", "what was set stays");
    assert.ok((await names()).includes("hello"));
    await rpc.ask("prompt", { message: "again" });
    assert.match(String((await rpc.next("tool_result")).output), /hello there/);
    await rpc.next("run_end");
    await rpc.ask("shutdown");
    const { code, stdout } = await rpc.program.ended;
    assert.equal(code, 0);
    assert.equal(only(checkedRecords(stdout), "session_start").length, 1);
    const sessions = [...Deno.readDirSync(`${home}/.nimlet/sessions`)];
    assert.equal(sessions.length, 1, "the session goes on in its file");
  });
});

Deno.test("a reload of settings that cannot be used is refused, and all stays as it was", async () => {
  await withScratch(async ({ workspace, root, home }) => {
    const play = await cassette(`${root}/c.jsonl`, [say("one"), say("two")]);
    const rpc = startRpc(play, workspace);
    await rpc.ask("prompt", { message: "x" });
    await rpc.next("run_end");
    await Deno.writeTextFile(`${home}/.nimlet/config.json`, '{"agent":{"max_tokens":[]}}');
    const refused = await rpc.ask("reload");
    assert.equal(refused.ok, false);
    assert.match(String(refused.error), /max_tokens/);
    await rpc.ask("prompt", { message: "y" });
    assert.equal((await rpc.next("message", ({ final }) => final === true)).content, "two");
    await rpc.ask("shutdown");
    assert.equal((await rpc.program.ended).code, 0);
  });
});

Deno.test("a client is told what needs approval every time, and cannot have it remembered", async () => {
  await withScratch(async ({ workspace, root }) => {
    const play = await cassette(`${root}/c.jsonl`, [
      call("bash", { command: "rm nothing-here" }),
      call("bash", { command: "echo $(pwd)" }),
      call("bash", { command: "pwd" }),
      say("done"),
    ]);
    const rpc = startRpc(play, workspace);
    await rpc.ask("prompt", { message: "x", permissions: "ask" });
    const expected = [
      { danger: "runs rm", involved: undefined, answers: ["once", "deny"] },
      { danger: undefined, involved: true, answers: ["once", "deny"] },
      { danger: undefined, involved: undefined, answers: ["once", "session", "deny"] },
    ];
    for (const one of expected) {
      const { request_id, danger, involved, answers } = await rpc.next("approval_required");
      assert.deepEqual({ danger, involved, answers }, one);
      const remembered = await rpc.ask("approve", { request_id, answer: "project" });
      assert.match(String(remembered.error), /^answer: expected once or .*deny, found "project"/);
      await rpc.ask("approve", { request_id, answer: "deny" });
    }
    await rpc.next("run_end");
    await rpc.ask("shutdown");
    await rpc.program.ended;
  });
});

Deno.test("a client that opts in is asked, and its answer counts", async () => {
  await withScratch(async ({ workspace, root }) => {
    const play = await cassette(`${root}/c.jsonl`, [
      call("bash", { command: "touch one" }),
      call("bash", { command: "touch two" }),
      say("done"),
    ]);
    const rpc = startRpc(play, workspace);
    await rpc.ask("prompt", { message: "x", permissions: "ask" });
    const first = await rpc.next("approval_required");
    assert.deepEqual([first.tool_name, first.subject], ["bash", "touch one"]);
    const wrong = await rpc.ask("approve", { request_id: "nope", answer: "once" });
    assert.equal(wrong.ok, false);
    await rpc.ask("approve", { request_id: first.request_id, answer: "once" });
    const second = await rpc.next("approval_required");
    await rpc.ask("approve", { request_id: second.request_id, answer: "deny" });
    await rpc.next("run_end");
    const results = only(rpc.seen, "tool_result");
    assert.deepEqual(results.map(({ is_error }) => is_error), [false, true]);
    assert.match(String(results[1]!.output), /^approval_denied/);
    assert.ok(await exists(`${workspace}/one`));
    assert.ok(!await exists(`${workspace}/two`));
    await rpc.ask("shutdown");
    await rpc.program.ended;
  });
});

Deno.test("a permission given for the session outlasts a reload, and its id stays", async () => {
  await withScratch(async ({ workspace, root }) => {
    const touch = call("bash", { command: "touch one" });
    const play = await cassette(`${root}/c.jsonl`, [touch, say("a"), touch, say("b")]);
    const rpc = startRpc(play, workspace);
    const sessionOf = ({ state }: { [key: string]: unknown }) =>
      (state as { session_id: string }).session_id;
    const id = sessionOf(await rpc.ask("get_state", { permissions: "ask" }));
    assert.equal(sessionOf(await rpc.ask("reload")), id);
    await rpc.ask("prompt", { message: "x" });
    const { request_id } = await rpc.next("approval_required");
    await rpc.ask("approve", { request_id, answer: "session" });
    await rpc.next("run_end");
    assert.equal(sessionOf(await rpc.ask("reload")), id);
    await rpc.ask("prompt", { message: "y" });
    await rpc.next("run_end");
    assert.equal(only(rpc.seen, "approval_required").length, 1);
    assert.deepEqual(only(rpc.seen, "tool_result").map(({ is_error }) => is_error), [false, false]);
    await rpc.ask("shutdown");
    assert.equal((await rpc.program.ended).code, 0);
  });
});

Deno.test("an open question ends with the run", async () => {
  await withScratch(async ({ workspace, root }) => {
    const play = await cassette(`${root}/c.jsonl`, [
      call("bash", { command: "touch one" }),
      say("x"),
    ]);
    const rpc = startRpc(play, workspace);
    await rpc.ask("prompt", { message: "x", permissions: "ask" });
    await rpc.next("approval_required");
    await rpc.program.closeInput();
    const { code, stdout } = await rpc.program.ended;
    assert.equal(code, 0);
    assert.equal(only(checkedRecords(stdout), "tool_result").length, 1);
    assert.ok(!await exists(`${workspace}/one`));
  });
});

Deno.test("--timeout ends the process with the run, with exit status 3", async () => {
  await withScratch(async ({ workspace, root }) => {
    const steps = [call("bash", { command: "echo begun; sleep 300" }), say("late")];
    const rpc = startRpc(
      [...await cassette(`${root}/c.jsonl`, steps), "--timeout", "2"],
      workspace,
    );
    await rpc.send('{"id":"1","type":"prompt","message":"x"}\n');
    const { code, stdout } = await rpc.program.ended;
    assert.equal(code, 3);
    const records = checkedRecords(stdout);
    assert.deepEqual([records.at(-1)!.status, records.at(-1)!.exit_code], ["limit", 3]);
    assert.equal(only(records, "tool_call").length, only(records, "tool_result").length);
  });
});

Deno.test("what a client sends all at once is worked on in order", async () => {
  await withScratch(async ({ workspace, root }) => {
    const play = await cassette(`${root}/c.jsonl`, [say("one"), say("two"), say("three")]);
    const rpc = startRpc(play, workspace);
    const line = (id: string) =>
      JSON.stringify({ id, type: "prompt", message: id, streaming_behavior: "follow_up" });
    await rpc.send(`${["a", "b", "c"].map(line).join("\n")}\n`);
    const answers: string[] = [];
    while (answers.at(-1) !== "three") {
      const { type, content, final } = await rpc.next(
        "message",
        ({ role }) => role === "assistant",
      );
      if (type === "message" && final) answers.push(String(content));
    }
    await rpc.ask("shutdown");
    await rpc.program.ended;
    const users = only(rpc.seen, "message").filter(({ role }) => role === "user");
    assert.deepEqual(users.map(({ content }) => content), ["a", "b", "c"]);
  });
});

Deno.test("a failed start is told in records", async () => {
  await withScratch(async ({ workspace }) => {
    const { code, stdout, stderr } = await runProgram(["--mode", "rpc"], { cwd: workspace });
    assert.equal(code, 2);
    assert.match(stderr, /OPENROUTER_API_KEY/);
    assert.deepEqual(checkedRecords(stdout).map(({ type }) => type), [
      "session_start",
      "error",
      "session_end",
    ]);
  });
});

Deno.test("a stream that hangs is left when the client shuts down", async () => {
  const provider = startFakeProvider([
    {
      pieces: eventPieces("chat", [{ choices: [{ delta: { content: "begun" } }] }]).slice(0, 1),
      ending: "hang",
    },
  ]);
  try {
    await withScratch(async ({ workspace, home }) => {
      const rpc = startRpc(await pointAt(home, provider.url), workspace);
      await rpc.ask("prompt", { message: "x" });
      await rpc.next("message_delta");
      await rpc.ask("shutdown");
      assert.equal((await rpc.program.ended).code, 0);
    });
  } finally {
    await provider.close();
  }
});

function exists(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}

Deno.test("a client that goes without reading is not waited for without end", async () => {
  await withScratch(async ({ workspace, root }) => {
    await cassette(`${root}/c.jsonl`, [say("never read")]);
    const [file, ...first] = programCommand();
    const child = new Deno.Command(file, {
      args: [...first, "--mode", "rpc", "--provider", "replay", "--model", `${root}/c.jsonl`],
      cwd: workspace,
      clearEnv: true,
      env: programEnv(`${root}/home`),
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    const writer = child.stdin.getWriter();
    // its echo alone is more than the pipe holds
    const prompt = { id: "1", type: "prompt", message: "x".repeat(1_000_000) };
    await writer.write(new TextEncoder().encode(`${JSON.stringify(prompt)}\n`));
    await writer.close();
    const stderr = new Response(child.stderr).text();
    const { code } = await child.status;
    assert.equal(code, 1);
    assert.match(await stderr, /the last records were not read/);
    await child.stdout.cancel();
  });
});
