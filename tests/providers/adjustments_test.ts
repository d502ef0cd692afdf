import assert from "node:assert/strict";
import type { JsonObject } from "../../src/core/json.ts";
import type { Message } from "../../src/core/message.ts";
import type { RecordedRequest } from "../support/fake_http.ts";
import { errorAnswer, textAnswer } from "../support/fake_provider.ts";
import { ask, failureOf, readTool, user, withProvider } from "./ask.ts";

/** A server that refuses what `problem` names, however often it is asked. */
const refusing =
  (problem: (body: JsonObject) => object | undefined) => (request: RecordedRequest) => {
    const error = problem(request.body);
    return error === undefined
      ? textAnswer("chat", "ok")
      : { status: 400, body: JSON.stringify({ error }) };
  };

Deno.test("a parameter that a server refuses by name is left out or renamed, and that is told once", async () => {
  const cases: [problem: (body: JsonObject) => object | undefined, notice: RegExp][] = [
    [
      (body) =>
        body.max_tokens === undefined ? undefined : {
          message: "Unsupported parameter: 'max_tokens' is not supported with this model.",
          param: "max_tokens",
        },
      /does not take the parameter max_tokens; max_completion_tokens is sent instead/,
    ],
    [
      (body) =>
        body.stream_options === undefined ? undefined : {
          detail: [{
            type: "extra_forbidden",
            loc: ["body", "stream_options", "include_usage"],
            msg: "Extra inputs are not permitted",
          }],
        },
      /the parameter stream_options; it is left out/,
    ],
    [
      (body) =>
        body.temperature === undefined
          ? undefined
          : { message: "`temperature` is not supported for this model" },
      /the parameter temperature; it is left out/,
    ],
    [
      (body) =>
        body.reasoning_effort === undefined
          ? undefined
          : { message: "Unrecognized request argument supplied: reasoning_effort" },
      /the parameter reasoning_effort; it is left out/,
    ],
    ...[
      "Model m does not support parameter reasoningEffort.",
      '"m" does not support thinking',
    ].map((message): typeof cases[number] => [
      (body) => body.reasoning_effort === undefined ? undefined : { message },
      /the parameter reasoning_effort; it is left out/,
    ]),
    [
      (body) =>
        body.temperature === undefined
          ? undefined
          : { message: "`temperature` is deprecated for this model." },
      /the parameter temperature; it is left out/,
    ],
  ];
  for (const [problem, expected] of cases) {
    const server = refusing(problem);
    await withProvider("openai-compatible", [server, server, server], async (model, fake) => {
      const first = await ask(model, { thinking: "high" });
      const second = await ask(model, { thinking: "high" });
      assert.equal(first.text + second.text, "okok");
      assert.match(first.notices.join("\n"), expected);
      assert.deepEqual(second.notices, []);
      assert.equal(fake.requests.length, 3, "the second request is right at once");
    }, { options: { temperature: 0 } });
  }
});

Deno.test("several refusals in a row are mended one by one, but not for ever", async () => {
  const picky = refusing(({ max_tokens, stream_options, tools }) => {
    if (max_tokens !== undefined) return { message: "unknown parameter max_tokens" };
    if (stream_options !== undefined) return { message: "unknown parameter stream_options" };
    return JSON.stringify(tools ?? []).includes("minLength")
      ? { message: "failed to parse grammar" }
      : undefined;
  });
  const schema = { type: "object", properties: { path: { type: "string", minLength: 1 } } };
  const tools = [{ ...readTool, inputSchema: schema }];
  await withProvider("local", Array(9).fill(picky), async (model, fake) => {
    assert.equal((await ask(model, { tools })).text, "ok");
    assert.equal(fake.requests.length, 4);
    assert.equal((await ask(model, { tools })).text, "ok");
    assert.equal(fake.requests.length, 5);
  });
  const strict = refusing(({ tools }) =>
    JSON.stringify(tools).includes("minLength")
      ? { message: "Invalid schema for function 'read': 'minLength' is not permitted." }
      : undefined
  );
  await withProvider("local", [strict, strict], async (model) => {
    assert.equal((await ask(model, { tools })).text, "ok");
  });
  const never = refusing(() => ({ message: "failed to parse grammar" }));
  await withProvider("local", Array(9).fill(never), async (model, fake) => {
    assert.match((await failureOf(model, { tools })).message, /failed to parse grammar/);
    assert.equal(fake.requests.length, 2);
  });
});

Deno.test("a refusal that names nothing of the request is a failure at once", async () => {
  for (const words of ["max_tokens: 100000 exceeds the maximum of 5120", "unknown model m", "no"]) {
    await withProvider("openai-compatible", [errorAnswer(400, words)], async (model, fake) => {
      assert.ok((await failureOf(model)).message.includes(words));
      assert.equal(fake.requests.length, 1);
    });
  }
});

Deno.test("user and model take turns: after a failed turn always, after results where a server wants it", async () => {
  const roles = (body: JsonObject) => (body.messages as JsonObject[]).map(({ role }) => role);
  const failed: Message[] = [user("one"), user("two")];
  await withProvider("local", [textAnswer("chat", "ok")], async (model, fake) => {
    await ask(model, { messages: failed });
    assert.deepEqual(roles(fake.requests[0]!.body), ["system", "user", "assistant", "user"]);
  });
  const interrupted: Message[] = [
    user("one"),
    {
      role: "assistant",
      provider: "local",
      model: "test-model",
      finish: "tool_calls",
      content: [{ type: "tool_use", id: "a", name: "read", input: {} }],
    },
    {
      role: "tool_result",
      toolId: "a",
      toolName: "read",
      content: [{ type: "text", text: "x" }],
      isError: false,
    },
    user("two"),
  ];
  const strict = refusing((body) =>
    roles(body).join().includes("tool,user")
      ? { message: "conversation roles must alternate user/assistant/user/assistant/..." }
      : undefined
  );
  await withProvider("local", [strict, strict], async (model, fake) => {
    assert.equal((await ask(model, { messages: interrupted })).text, "ok");
    assert.deepEqual(roles(fake.requests[1]!.body).slice(-3), ["tool", "assistant", "user"]);
  });
});
