import assert from "node:assert/strict";
import { ToolFailure } from "../../src/core/failure.ts";
import { Interruption } from "../../src/core/interruption.ts";
import { ModelError, type ModelEvent } from "../../src/core/model.ts";
import type { PermissionDecision } from "../../src/core/permission.ts";
import { realHost } from "../../src/host/real_host.ts";
import { call, finish, text } from "../support/scripted_model.ts";
import { harness, tool } from "./harness.ts";

const types = (events: { type: string }[]) => events.map((event) => event.type);

Deno.test("an answer without calls ends the run", async () => {
  const h = harness([[text("he"), text("llo"), finish()]]);
  const end = await h.run("hi");
  assert.equal(end.status, "done");
  assert.equal(end.text, "hello");
  assert.deepEqual(end.usage, { input_tokens: 1, output_tokens: 2 });
  assert.deepEqual(types(h.events), ["step_start", "message_delta", "message_delta", "step_end"]);
});

Deno.test("calls get their results, in order, and the model is asked again", async () => {
  const tools = [tool("a", () => "A"), tool("b", () => "B")];
  const h = harness(
    [[call("1", "a"), call("2", "b"), finish("tool_calls")], [text("ok"), finish()]],
    { tools },
  );
  const end = await h.run("go");
  assert.equal(end.status, "done");
  assert.equal(end.steps, 2);
  const results = h.history.messages.filter((message) => message.role === "tool_result");
  assert.deepEqual(results.map((message) => message.toolId), ["1", "2"]);
  assert.deepEqual(types(h.events), [
    "step_start",
    "tool_call",
    "tool_result",
    "tool_call",
    "tool_result",
    "step_end",
    "step_start",
    "message_delta",
    "step_end",
  ]);
});

Deno.test("a result is in the session before it is announced", async () => {
  const order: string[] = [];
  const h = harness([[call("1", "a"), finish("tool_calls")], [text("ok"), finish()]], {
    tools: [tool("a", () => "A")],
    journal: { append: (record) => Promise.resolve(void order.push(`record ${record.kind}`)) },
    emit: (event) => Promise.resolve(void order.push(`event ${event.type}`)),
  });
  await h.run("go");
  assert.ok(order.indexOf("record tool_result") < order.indexOf("event tool_result"));
  assert.ok(order.indexOf("record assistant") < order.indexOf("event tool_call"));
});

Deno.test("parallel neighbours run together, others alone", async () => {
  let running = 0;
  const seen: string[] = [];
  const gate = Promise.withResolvers<void>();
  const read = tool("read", async () => {
    if (++running === 2) gate.resolve();
    await gate.promise;
    seen.push(`read with ${running}`);
    return "r";
  }, { parallel: true });
  const write = tool("write", () => {
    seen.push("write");
    return "w";
  });
  const h = harness([
    [call("1", "read"), call("2", "read"), call("3", "write"), finish("tool_calls")],
    [text("ok"), finish()],
  ], { tools: [read, write] });
  await h.run("go");
  assert.deepEqual(seen, ["read with 2", "read with 2", "write"]);
});

Deno.test("a result is recorded and announced while its neighbour still runs; requests keep the calls' order", async () => {
  const order: string[] = [];
  const announced = Promise.withResolvers<void>();
  const slow = tool("slow", async () => {
    await announced.promise;
    return "S";
  }, { parallel: true });
  const quick = tool("quick", () => "Q", { parallel: true });
  const h = harness([
    [call("1", "slow"), call("2", "quick"), finish("tool_calls")],
    [text("ok"), finish()],
  ], {
    tools: [slow, quick],
    journal: {
      append: (record) =>
        Promise.resolve(
          void (record.kind === "tool_result" && order.push(`record ${record.tool_id}`)),
        ),
    },
    emit: (event) => {
      if (event.type !== "tool_result") return Promise.resolve();
      order.push(`event ${event.tool_id}`);
      if (event.tool_id === "2") announced.resolve();
      return Promise.resolve();
    },
  });
  await h.run("go");
  assert.deepEqual(order, ["record 2", "event 2", "record 1", "event 1"]);
  const results = h.requests[1]!.messages.filter((message) => message.role === "tool_result");
  assert.deepEqual(results.map((message) => message.toolId), ["1", "2"]);
});

Deno.test("a result that cannot be announced leaves no call of the batch without its result", async () => {
  const h = harness([[call("1", "a"), call("2", "a"), finish("tool_calls")]], {
    tools: [tool("a", () => "A", { parallel: true })],
    emit: (event) =>
      event.type === "tool_result" && event.tool_id === "1"
        ? Promise.reject(new Error("gone"))
        : Promise.resolve(),
  });
  await assert.rejects(h.run("go"), /gone/);
  const results = h.history.messages.filter((message) => message.role === "tool_result");
  assert.deepEqual(results.map((message) => message.toolId), ["1", "2"]);
  assert.equal(h.records.filter((record) => record.kind === "tool_result").length, 2);
});

Deno.test("arguments that are not JSON, an unknown tool, and a failing tool are answered", async () => {
  const bad = tool("bad", () => {
    throw new ToolFailure("not_found", "no such thing");
  });
  const broken = tool("broken", () => {
    throw new TypeError("boom");
  });
  const h = harness([
    [
      call("1", "bad", "{"),
      call("2", "nope"),
      call("3", "bad"),
      call("4", "broken"),
      finish("tool_calls"),
    ],
    [text("ok"), finish()],
  ], { tools: [bad, broken] });
  await h.run("go");
  const outputs = h.events.filter((event) => event.type === "tool_result");
  assert.deepEqual(outputs.map((event) => event.is_error), [true, true, true, true]);
  assert.match(outputs[0]!.output, /^invalid_arguments: expected a JSON object/);
  assert.match(outputs[1]!.output, /^unknown_tool: .*"nope".*bad, broken/);
  assert.equal(outputs[2]!.output, "no such thing");
  assert.match(outputs[3]!.output, /boom/);
});

Deno.test("arguments nested without end are refused, as text, in strings and where JSON allows them", async () => {
  const a = tool("a", () => "A");
  const nested = (levels: number) => `{"x":${"[".repeat(levels)}${"]".repeat(levels)}}`;
  const h = harness([
    [
      call("1", "a", nested(100_000)),
      call("2", "a", JSON.stringify(nested(100_000))),
      call("3", "a", nested(50)),
      finish("tool_calls"),
    ],
    [text("ok"), finish()],
  ], { tools: [a] });
  await h.run("go");
  const outputs = h.events.filter((event) => event.type === "tool_result")
    .map((event) => event.output);
  const refusal = "invalid_arguments: expected a JSON object, found values nested more than 100 " +
    "levels deep";
  assert.deepEqual(outputs, [refusal, refusal, "A"]);
  assert.ok(JSON.stringify(h.events).length > 0);
});

Deno.test("what a failure quotes of the arguments is short", async () => {
  const h = harness([
    [call("1", "x".repeat(1_000_000)), finish("tool_calls")],
    [text("ok"), finish()],
  ], { tools: [] });
  await h.run("go");
  const [result] = h.events.filter((event) => event.type === "tool_result");
  assert.ok(result!.output.length < 10_000, `${result!.output.length} characters`);
});

Deno.test("no, empty and null arguments are an empty object", async () => {
  const inputs: unknown[] = [];
  const a = tool("a", (input) => String(inputs.push(input)));
  const h = harness([
    [
      call("1", "a", ""),
      call("2", "a", " "),
      call("3", "a", "null"),
      call("4", "a", "{}"),
      finish("tool_calls"),
    ],
    [text("ok"), finish()],
  ], { tools: [a] });
  await h.run("go");
  assert.deepEqual(inputs, [{}, {}, {}, {}]);
});

Deno.test("repeated, missing and reused call ids become unique", async () => {
  const a = tool("a", () => "A");
  const h = harness([
    [call("x", "a"), call("x", "a"), call("", "a"), finish("tool_calls")],
    [call("x", "a"), finish("tool_calls")],
    [text("ok"), finish()],
  ], { tools: [a] });
  await h.run("go");
  const used = h.history.messages.flatMap((message) =>
    message.role === "assistant"
      ? message.content.flatMap((part) => part.type === "tool_use" ? [part.id] : [])
      : []
  );
  const answered = h.history.messages.flatMap((message) =>
    message.role === "tool_result" ? [message.toolId] : []
  );
  assert.equal(new Set(used).size, 4);
  assert.deepEqual(answered, used);
});

Deno.test("plan mode offers and runs only what reads", async () => {
  const ran: string[] = [];
  const look = tool("look", () => String(ran.push("look")), { capabilities: ["read", "user"] });
  const change = tool("change", () => String(ran.push("change")), {
    capabilities: ["read", "write"],
  });
  const silent = tool("silent", () => String(ran.push("silent")), { capabilities: [] });
  const h = harness([
    [call("1", "look"), call("2", "change"), call("3", "silent"), finish("tool_calls")],
    [text("ok"), finish()],
  ], { tools: [look, change, silent], mode: () => "plan" });
  await h.run("go");
  assert.deepEqual(h.requests[0]!.tools.map(({ name }) => name), ["look"]);
  assert.deepEqual(ran, ["look"]);
  const outputs = h.events.filter((event) => event.type === "tool_result");
  assert.match(outputs[1]!.output, /^Tool unavailable in plan mode\. /);
  assert.match(outputs[2]!.output, /^Tool unavailable in plan mode\. /);
});

Deno.test("a denial is a result that the model can read", async () => {
  const h = harness([[call("1", "a"), finish("tool_calls")], [text("ok"), finish()]], {
    tools: [tool("a", () => "A")],
    permission: { check: () => Promise.resolve({ allowed: false, reason: "not now" }) },
  });
  const end = await h.run("go");
  assert.equal(end.denials, 1);
  const result = h.events.find((event) => event.type === "tool_result");
  assert.equal(result?.output, "approval_denied: not now");
});

Deno.test("a person's time to decide is no time of the call", async () => {
  let nowMs = 0;
  const takes = <T>(ms: number, value: T) => Promise.resolve(value).finally(() => nowMs += ms);
  const durations = async (decision: PermissionDecision) => {
    const h = harness([[call("1", "a"), finish("tool_calls")], [text("ok"), finish()]], {
      host: { ...realHost(), clock: { ...realHost().clock, monotonic: () => nowMs } },
      tools: [tool("a", () => takes(70, "A"))],
      permission: { check: () => takes(5000, decision) },
    });
    await h.run("go");
    return h.events.flatMap((event) => event.type === "tool_result" ? [event.duration_ms] : []);
  };
  assert.deepEqual(await durations({ allowed: true }), [70]);
  assert.deepEqual(await durations({ allowed: false, reason: "not now" }), [0]);
});

Deno.test("a retryable failure starts the same step again", async () => {
  const overload = new ModelError("overload", "busy", { retryable: true });
  const h = harness([[text("par"), overload], [overload], [text("whole"), finish()]]);
  const end = await h.run("go");
  assert.equal(end.text, "whole");
  const starts = h.events.filter((event) => event.type === "step_start");
  assert.deepEqual(starts.map(({ step }) => step), [1, 1, 1]);
  assert.equal(h.events.filter((event) => event.type === "diagnostic").length, 2);
  assert.equal(h.history.messages.length, 2);
});

Deno.test("retries end after four", async () => {
  const overload = new ModelError("overload", "busy", { retryable: true });
  const h = harness(Array.from({ length: 9 }, () => [overload]));
  const end = await h.run("go");
  assert.equal(end.status, "failed");
  assert.equal(end.error, overload);
  assert.equal(h.requests.length, 5);
});

Deno.test("a final failure is not repeated", async () => {
  const h = harness([[new ModelError("auth", "no key", { retryable: false })]]);
  const end = await h.run("go");
  assert.equal(end.status, "failed");
  assert.equal(h.requests.length, 1);
});

Deno.test("a stream without a finish and an empty answer are failures, and tried again", async () => {
  const h = harness([[text("half")], [finish()], [text("ok"), finish()]]);
  const end = await h.run("go");
  assert.equal(end.text, "ok");
  assert.equal(h.requests.length, 3);
});

Deno.test("silence longer than the limit counts as broken", async () => {
  const never = () => new Promise<void>(() => {});
  const h = harness([[text("a"), never], [text("ok"), finish()]], {
    limits: { idleMs: 50, maxOutputBytes: 1000, maxRepeats: 10 },
  });
  const end = await h.run("go");
  assert.equal(end.text, "ok");
});

Deno.test("finish reasons that are no success end the run as failed", async () => {
  for (const reason of ["length", "content_filter", "error"] as const) {
    const h = harness([[text("so far"), finish(reason)]]);
    const end = await h.run("go");
    assert.equal(end.status, "failed", reason);
    assert.equal(end.error?.kind, "stopped");
  }
});

Deno.test("cut arguments never run, and end the run when they keep coming", async () => {
  let ran = 0;
  const h = harness(
    Array.from({ length: 5 }, (_, n) => [call(String(n), "a", '{"x": "y'), finish("length")]),
    { tools: [tool("a", () => String(++ran))] },
  );
  const end = await h.run("go");
  assert.equal(ran, 0);
  assert.equal(end.status, "failed");
  assert.equal(h.requests.length, 3);
});

Deno.test("the step limit stops before the next request", async () => {
  const h = harness([[call("1", "a"), finish("tool_calls")], [text("late"), finish()]], {
    tools: [tool("a", () => "A")],
    limits: { maxSteps: 1, idleMs: 1000, maxOutputBytes: 1000, maxRepeats: 10 },
  });
  const end = await h.run("go");
  assert.equal(end.status, "limit");
  assert.equal(h.requests.length, 1);
});

Deno.test("an abort in a tool gives every call its one result", async () => {
  const stop = new AbortController();
  const slow = tool("slow", (_, { signal }) => {
    queueMicrotask(() => stop.abort(new Interruption("SIGINT")));
    return new Promise((_, reject) =>
      signal.addEventListener("abort", () => reject(signal.reason))
    );
  });
  const h = harness([[call("1", "slow"), call("2", "slow"), finish("tool_calls")]], {
    tools: [slow],
  });
  const end = await h.run("go", stop.signal);
  assert.equal(end.status, "interrupted");
  const results = h.events.filter((event) => event.type === "tool_result");
  assert.deepEqual(results.map((event) => event.tool_id), ["1", "2"]);
  for (const { output } of results) assert.match(output, /^INTERRUPTED \(interrupted by SIGINT\)/);
});

Deno.test("an abort while streaming keeps what was shown", async () => {
  const stop = new AbortController();
  const hang = () => {
    stop.abort(new Interruption("SIGTERM"));
    return new Promise<void>(() => {});
  };
  const h = harness([[text("so far"), call("1", "a"), hang]]);
  const end = await h.run("go", stop.signal);
  assert.equal(end.status, "interrupted");
  assert.equal(end.text, "so far");
  const last = h.history.messages.at(-1)!;
  assert.deepEqual(last.content, [{ type: "text", text: "so far" }]);
});

Deno.test("an abort in the pause before a retry ends the run, and keeps what was shown", async () => {
  const stop = new AbortController();
  const broken = new ModelError("network", "broke off", { retryable: true });
  const { clock, ...host } = realHost();
  const delay = (_ms: number, signal?: AbortSignal) => {
    stop.abort(new Interruption("person"));
    return Promise.reject(signal!.reason);
  };
  const h = harness([[text("half"), broken]], { host: { ...host, clock: { ...clock, delay } } });
  const end = await h.run("go", stop.signal);
  assert.deepEqual([end.status, end.text], ["interrupted", "half"]);
  assert.deepEqual(types(h.events), ["step_start", "message_delta", "diagnostic"]);
  assert.equal(h.history.messages.length, 2);
});

Deno.test("a character split over two deltas is announced whole", async () => {
  const h = harness([[text("a\ud83d"), text("\ude00b"), finish()]]);
  const end = await h.run("go");
  assert.equal(end.text, "a😀b");
  const deltas = h.events.flatMap((event) => event.type === "message_delta" ? [event.delta] : []);
  assert.deepEqual(deltas, ["a", "😀b"]);
});

Deno.test("a notice of the model is announced where it comes, and is no part of the answer", async () => {
  const notice: ModelEvent = { type: "notice", message: "a lower level is used" };
  const h = harness([[text("a"), notice, text("b"), finish()]]);
  assert.equal((await h.run("go")).text, "ab");
  assert.deepEqual(types(h.events), [
    "step_start",
    "message_delta",
    "diagnostic",
    "message_delta",
    "step_end",
  ]);
  assert.deepEqual(h.events[2], {
    type: "diagnostic",
    level: "info",
    message: "a lower level is used",
    step: 1,
  });
});

Deno.test("interleaved blocks keep their own text and the order of their beginnings", async () => {
  const h = harness([[text("1", "x"), text("a", "y"), text("2", "x"), text("b", "y"), finish()]]);
  const end = await h.run("go");
  assert.equal(end.text, "12ab");
});

Deno.test("an overflow is shortened once and asked once more", async () => {
  const overflow = new ModelError("overflow", "too long", { retryable: false });
  let shortened = 0;
  const compactor = {
    ifNeeded: () => Promise.resolve(),
    afterOverflow: async <T>(_context: unknown, _signal: unknown, askAgain: () => Promise<T>) =>
      ++shortened === 1 ? await askAgain() : undefined,
  };
  const good = harness([[overflow], [text("ok"), finish()]], { compactor });
  assert.equal((await good.run("go")).status, "done");
  assert.equal(shortened, 1);
  shortened = 0;
  const bad = harness([[overflow], [overflow], [text("late"), finish()]], { compactor });
  const end = await bad.run("go");
  assert.equal(end.status, "failed");
  assert.equal(bad.requests.length, 2);
});

Deno.test("the tools are asked for once a request, and its calls are for those", async () => {
  let asked = 0;
  const offers = [["a", "b"], ["b", "c"], []].map((names) =>
    names.map((name) => tool(name, () => name.toUpperCase()))
  );
  const h = harness([
    [call("1", "a"), call("2", "c"), finish("tool_calls")],
    [call("3", "a"), call("4", "c"), finish("tool_calls")],
    [text("ok"), finish()],
  ], { tools: () => offers[asked++]! });
  await h.run("go");
  assert.equal(asked, 3);
  assert.deepEqual(h.requests.map(({ tools }) => tools.map(({ name }) => name).join()), [
    "a,b",
    "b,c",
    "",
  ]);
  const outputs = h.events.flatMap((event) => event.type === "tool_result" ? [event.output] : []);
  assert.equal(outputs[0], "A");
  assert.match(outputs[1]!, /^unknown_tool: .* the tools are a, b$/);
  assert.match(outputs[2]!, /^unknown_tool: .* the tools are b, c$/);
  assert.equal(outputs[3], "C");
});

Deno.test("queued input enters after results and at the end", async () => {
  const waiting = ["steer", "follow"];
  const moments: string[] = [];
  const h = harness([
    [call("1", "a"), finish("tool_calls")],
    [text("one"), finish()],
    [text("two"), finish()],
  ], {
    tools: [tool("a", () => "A")],
    takeQueued(moment) {
      moments.push(moment);
      const next = waiting.shift();
      if (next === undefined) return Promise.resolve([]);
      return Promise.resolve([{ role: "user", content: [{ type: "text", text: next }] }]);
    },
  });
  const end = await h.run("go");
  assert.equal(end.text, "two");
  assert.deepEqual(moments, ["after_results", "at_end", "at_end"]);
});
