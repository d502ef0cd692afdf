import assert from "node:assert/strict";
import type { CallMoments } from "../../src/agent/run_context.ts";
import type { JsonObject } from "../../src/core/json.ts";
import type { CallAnswer, Participant, ResultAnswer } from "../../src/core/moments.ts";
import type { PermissionAdvice, PermissionGate } from "../../src/core/permission.ts";
import { call, finish, text } from "../support/scripted_model.ts";
import { type Changes, type Harness, harness, tool } from "./harness.ts";

type Before = (given: JsonObject) => Omit<CallAnswer, "event"> | undefined;
type After = (output: string) => Omit<ResultAnswer, "event"> | undefined;

function participant(
  name: string,
  { before, after, ...more }: Partial<Participant> & { before?: Before; after?: After },
): Participant {
  const answer = <Given>(given: Given | undefined) =>
    given && Promise.resolve({ event: "E", ...given });
  return {
    name,
    scope: "personal",
    isGuard: false,
    ...before && { beforeCall: (call) => answer(before(call.arguments)) },
    ...after && { afterCall: (call) => answer(after(call.output)) },
    ...more,
  };
}

const guard = (name: string, more: Parameters<typeof participant>[1]) =>
  participant(name, { ...more, isGuard: true });

const momentsOf = (participants: Participant[]): CallMoments => ({
  participants: () => participants,
  now: () => ({ sessionId: "s", mode: "act", questions: "asked", model: "m" }),
});

/** One call of a tool that says what it got, with these participants. */
async function callWith(
  participants: Participant[],
  { given = { a: 1 }, ...changes }: Changes & { given?: JsonObject } = {},
) {
  const h = harness([[call("1", "echo", JSON.stringify(given)), finish("tool_calls")], [
    text("ok"),
    finish(),
  ]], {
    tools: [
      tool("echo", (input) => JSON.stringify(input), {
        input: {
          jsonSchema: { type: "object", properties: {} },
          parse: (raw) =>
            Promise.resolve(
              "bad" in (raw as JsonObject)
                ? { problems: ["bad: not known"] }
                : { input: raw as JsonObject },
            ),
        },
      }),
    ],
    moments: momentsOf(participants),
    ...changes,
  });
  return { h, end: await h.run("go"), result: resultOf(h) };
}

function resultOf(h: Harness) {
  const event = h.events.find((event) => event.type === "tool_result");
  assert.ok(event?.type === "tool_result");
  return event;
}

Deno.test("each participant gets what those before made of the arguments", async () => {
  const seen: string[] = [];
  const looks = (name: string, more?: JsonObject) =>
    participant(name, {
      before: (given) => {
        seen.push(`${name} ${JSON.stringify(given)}`);
        return more ? { arguments: { ...given, ...more } } : {};
      },
    });
  const { result, h } = await callWith([looks("x", { b: 2 }), looks("y"), looks("z", { c: 3 })]);
  assert.deepEqual(seen, ['x {"a":1}', 'y {"a":1,"b":2}', 'z {"a":1,"b":2}']);
  assert.equal(result.output, '{"a":1,"b":2,"c":3}');
  assert.deepEqual(result.input, { a: 1, b: 2, c: 3 });
  assert.deepEqual(result.hooks?.map(({ name, outcome }) => `${name} ${outcome}`), [
    "x changed",
    "y passed",
    "z changed",
  ]);
  const asked = h.records.find((record) => record.kind === "assistant");
  assert.ok(JSON.stringify(asked).includes('"input":{"a":1}'), "the session keeps what was asked");
});

Deno.test("a denial ends the chain and the call, and is counted", async () => {
  let asked = 0;
  const { result, end } = await callWith([
    participant("one", { before: () => ({ deny: "hook one: no" }) }),
    guard("two", { before: () => void asked++ }),
  ]);
  assert.equal(result.output, "approval_denied: hook one: no");
  assert.equal(result.is_error, true);
  assert.equal(end.denials, 1);
  assert.equal(asked, 0);
});

Deno.test("guards see the final arguments, whatever their place", async () => {
  const seen: JsonObject[] = [];
  const { result } = await callWith([
    guard("g", {
      before: (given) => {
        seen.push(given);
        return given.b === 2 ? { deny: "the guard g: b" } : {};
      },
    }),
    participant("later", { before: (given) => ({ arguments: { ...given, b: 2 } }) }),
  ]);
  assert.deepEqual(seen, [{ a: 1, b: 2 }]);
  assert.equal(result.output, "approval_denied: the guard g: b");
});

Deno.test("guards are asked again where one of them changes the arguments", async () => {
  const seen: string[] = [];
  const note = (name: string) => (given: JsonObject) => {
    seen.push(`${name} ${JSON.stringify(given)}`);
    return name === "b" ? { arguments: { a: 9 } } : {};
  };
  const { result } = await callWith([
    guard("a", { before: note("a") }),
    guard("b", { before: note("b") }),
  ]);
  assert.deepEqual(seen, ['a {"a":1}', 'b {"a":1}', 'a {"a":9}', 'b {"a":9}']);
  assert.equal(result.output, '{"a":9}');
});

Deno.test("a second change by a guard denies", async () => {
  let count = 0;
  const { result } = await callWith([
    guard("b", { before: () => ({ arguments: { a: ++count } }) }),
    guard("c", { before: () => ({}) }),
  ], { given: { a: 0 } });
  assert.match(result.output, /^approval_denied: b changed the arguments after all guards/);
});

Deno.test("changed arguments that do not fit deny the call, and say what", async () => {
  const { result } = await callWith([
    participant("fmt", { before: () => ({ arguments: { bad: 1 } }) }),
  ]);
  assert.match(result.output, /^approval_denied: fmt changed .* bad: not known$/);
});

Deno.test("changed arguments are judged by the mode again", async () => {
  let mode: "act" | "plan" = "act";
  let ran = false;
  const { result } = await callWith([
    participant("slow", {
      before: (given) => {
        mode = "plan";
        return { arguments: { ...given, b: 1 } };
      },
    }),
  ], {
    tools: [tool("echo", () => String(ran = true), { capabilities: ["write"] })],
    mode: () => mode,
  });
  assert.match(result.output, /unavailable in plan mode/);
  assert.equal(ran, false);
});

Deno.test("the permission gate is told of ask and allow, and ask is the stronger", async () => {
  const given: (PermissionAdvice | undefined)[] = [];
  const permission: PermissionGate = {
    check(_tool, _input, _signal, advice) {
      given.push(advice);
      return Promise.resolve({ allowed: true });
    },
  };
  const allows = participant("y", { before: () => ({ allow: true }) });
  await callWith([allows], { permission });
  await callWith([{ ...allows, scope: "project" }], { permission });
  await callWith([allows, participant("z", { before: () => ({ ask: "hook z: why" }) })], {
    permission,
  });
  assert.deepEqual(given, [{ isAllowed: true }, {}, { ask: "hook z: why" }]);
});

Deno.test("results pass through all, guards last, and contexts come after them", async () => {
  const { result } = await callWith([
    guard("g", { after: (output) => ({ output: `${output}!`, context: "from g" }) }),
    participant("p", { after: () => ({ output: "new", isError: true, context: "from p" }) }),
  ]);
  assert.equal(result.output, "new!\n\nfrom p\n\nfrom g");
  assert.equal(result.is_error, true);
});

Deno.test("a withheld result leaves nothing of it, neither in output nor live", async () => {
  const { h, result } = await callWith([
    participant("p", { after: (output) => ({ context: output }) }),
    guard("g", { after: () => ({ withhold: "hook_failed: g" }), withholdsOutput: () => true }),
  ], {
    tools: [tool("echo", (_, context) => {
      context.progress("secret");
      return "secret";
    })],
  });
  assert.equal(result.output, "hook_failed: g");
  assert.ok(!JSON.stringify([h.events, h.records, h.history]).includes("secret"));
});

Deno.test("a participant ends the run after its call, and later calls do not run", async () => {
  let ran = 0;
  const h = harness([
    [call("1", "a"), call("2", "a"), finish("tool_calls")],
    [text("never"), finish()],
  ], {
    tools: [tool("a", () => `ran ${++ran}`)],
    moments: momentsOf([participant("p", { after: () => ({ stop: "hook p: enough" }) })]),
  });
  const end = await h.run("go");
  assert.equal(end.status, "failed");
  assert.equal(end.stop, "hook p: enough");
  assert.equal(ran, 1);
  const results = h.events.filter((event) => event.type === "tool_result");
  assert.deepEqual(results.map(({ output }) => output), [
    "ran 1",
    "INTERRUPTED (hook p: enough): the call was not run",
  ]);
});

Deno.test("an interrupt while a guard looks at the result withholds it", async () => {
  const stop = new AbortController();
  const h = harness([[call("1", "a"), finish("tool_calls")], [text("ok"), finish()]], {
    tools: [tool("a", () => "secret")],
    moments: momentsOf([
      guard("g", {
        afterCall(_call, signal) {
          stop.abort();
          return Promise.reject(signal.reason);
        },
      }),
    ]),
  });
  await h.run("go", stop.signal);
  assert.match(resultOf(h).output, /^hook_failed: g was interrupted/);
});
