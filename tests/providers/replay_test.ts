import assert from "node:assert/strict";
import { join } from "node:path";
import { RunFailure } from "../../src/core/failure.ts";
import { createModel } from "../../src/providers/create_model.ts";
import { recordModel } from "../../src/providers/replay/record_model.ts";
import { withWorkspace } from "../support/tool_context.ts";
import {
  ask,
  delta,
  failureOf,
  pieces,
  providerOfWire,
  readTool,
  user,
  withProvider,
} from "./ask.ts";
import { streamAnswer } from "../support/fake_provider.ts";

/** A model that plays `lines`, which are written to a file. */
async function played<T>(
  lines: readonly string[],
  use: (model: Awaited<ReturnType<typeof createModel>>, path: string) => Promise<T>,
): Promise<T> {
  return await withWorkspace(async (folder) => {
    const path = join(folder, "cassette.jsonl");
    await Deno.writeTextFile(path, lines.join("\n"));
    return await use(await createModel({ provider: "replay", model: path }), path);
  });
}

const hello = '[{"type":"text","delta":"hello"}]';

Deno.test("events are played as a provider's answer", async () => {
  const line = JSON.stringify([
    { type: "notice", message: "look" },
    { type: "thinking", block: "r", delta: "hm", metadata: { signature: "s" } },
    { type: "text", block: "t", delta: "hel" },
    { type: "text", block: "t", delta: "lo" },
    { type: "tool_call", id: "c1", name: "read", input: '{"path":"a"}' },
    {
      type: "finish",
      reason: "tool_calls",
      raw_reason: "tool_use",
      usage: { input_tokens: 5, output_tokens: 9, cache_read_tokens: 2, reasoning_tokens: 1 },
    },
  ]);
  await played([line], async (model) => {
    const answer = await ask(model);
    assert.equal(answer.text, "hello");
    assert.equal(answer.thinking, "hm");
    assert.deepEqual(answer.notices, ["look"]);
    assert.deepEqual(answer.calls, [{ id: "c1", name: "read", text: '{"path":"a"}' }]);
    assert.deepEqual(answer.message.content[0], {
      type: "thinking",
      text: "hm",
      metadata: { signature: "s" },
    });
    assert.equal(answer.finish.reason, "tool_calls");
    assert.equal(answer.finish.rawReason, "tool_use");
    assert.deepEqual(answer.finish.usage, {
      input_tokens: 5,
      output_tokens: 9,
      cache_read_tokens: 2,
      reasoning_tokens: 1,
    });
  });
});

Deno.test("what is left out has a meaning; blank lines and comments are skipped", async () => {
  await played([
    "// a cassette written by hand",
    "",
    '[{"type":"text","delta":"hi"},{"type":"text","delta":" you"}]',
    '[{"type":"text","delta":"a"},{"type":"tool_call","name":"read","input":{"path":"a"}},{"type":"text","delta":"b"}]',
    '[{"type":"text","delta":"cut"},{"type":"finish","reason":"length","usage":{"input_tokens":3}}]',
    '[{"type":"tool_call","name":"git"}]\r',
  ], async (model) => {
    const first = await ask(model);
    assert.equal(first.message.content.length, 1);
    assert.equal(first.text, "hi you");
    assert.equal(first.finish.reason, "stop");
    const second = await ask(model);
    assert.deepEqual(second.message.content.map(({ type }) => type), ["text", "tool_use", "text"]);
    assert.equal(second.calls[0]!.text, '{"path":"a"}');
    assert.equal(second.finish.reason, "tool_calls");
    const third = await ask(model);
    assert.equal(third.finish.reason, "length");
    assert.deepEqual(third.finish.usage, { input_tokens: 3 });
    assert.equal((await ask(model)).calls[0]!.text, "");
  });
});

Deno.test("a run that asks for more than the cassette holds fails and says so", async () => {
  await played([hello], async (model, path) => {
    await ask(model);
    const error = await failureOf(model);
    assert.equal(error.details.retryable, false);
    assert.equal(
      error.message,
      `The cassette ${path} has no step 2: it holds 1, and the run asks for more.`,
    );
  });
});

Deno.test("expectations that hold are silent, and others show the difference", async () => {
  const expecting = (expect: object) =>
    JSON.stringify({ expect, events: [{ type: "text", delta: "ok" }] });
  await played([
    expecting({ tools: ["read"], last_message: "hi" }),
    '[{"type":"expect","tools":["read"],"last_message":"a resu"},{"type":"text","delta":"ok"}]',
    '[{"type":"expect","last_message":"hi"},{"type":"text","delta":"ok"}]',
    expecting({ tools: ["read", "edit"] }),
    expecting({ tools: [] }),
    expecting({ last_message: "bye" }),
  ], async (model, path) => {
    await ask(model);
    await ask(model, {
      messages: [{
        role: "tool_result",
        toolId: "a",
        toolName: "read",
        content: [{ type: "text", text: "a result" }],
        isError: false,
      }],
    });
    await ask(model);
    const tools = await failureOf(model, { tools: [readTool, { ...readTool, name: "git" }] });
    assert.equal(
      tools.message,
      `${path}:4: expected the tools read, edit, offered were read, git (missing edit; unexpected git).`,
    );
    assert.equal(tools.kind, "request");
    assert.equal(tools.details.retryable, false);
    assert.match(
      (await failureOf(model)).message,
      /:5: expected the tools none, offered were read/,
    );
    assert.match(
      (await failureOf(model, { messages: [user("hello there")] })).message,
      /:6: expected the last message to hold "bye", found user: "hello there"/,
    );
  });
});

Deno.test("error events play failures, with what came before them", async () => {
  await played([
    '[{"type":"text","delta":"half"},{"type":"error","status":429,"message":"slow down","retry_after_ms":5}]',
    '[{"type":"error","status":401,"message":"no"}]',
    '[{"type":"error","error":"broken"}]',
    '[{"type":"error","kind":"overflow","message":"too long"}]',
  ], async (model) => {
    const busy = await failureOf(model);
    assert.equal(busy.kind, "quota");
    assert.equal(busy.details.retryable, true);
    assert.equal(busy.details.waitMs, 5);
    assert.equal((await failureOf(model)).kind, "auth");
    assert.match((await failureOf(model)).message, /broken/);
    const long = await failureOf(model);
    assert.equal(long.kind, "overflow");
    assert.equal(long.message, "too long");
  });
});

Deno.test("what is wrong with a cassette is told with file and line", async () => {
  const cases: [string, RegExp][] = [
    ["nonsense", /:2: expected one JSON array of events, but the line is not JSON/],
    ["7", /:2: expected one JSON array of events/],
    ["[7]", /:2: expected an object for each event/],
    ["[{}]", /:2: expected an event of type text, thinking, .* found null/],
    ['[{"type":"text-delta","delta":"a"}]', /:2: expected an event of type .* found "text-delta"/],
    ['[{"type":"tool_call"}]', /:2: tool_call\.name: expected a string, found nothing/],
    [
      '[{"type":"tool_call","name":"a","toolCallId":"b"}]',
      /:2: tool_call\.toolCallId: unknown; kn/,
    ],
    ['[{"type":"text","text":"a"}]', /:2: text\.delta: expected a string, found nothing/],
    ['[{"type":"text","delta":5}]', /:2: text\.delta: expected a string, found 5/],
    ['[{"type":"wait","ms":"5"}]', /:2: wait\.ms: expected a number/],
    [
      '[{"type":"finish","reason":"tool-calls"}]',
      /:2: finish\.reason: expected one of stop, tool_c/,
    ],
    ['[{"type":"finish","usage":"5"}]', /:2: finish\.usage: expected an object/],
    [
      '[{"type":"finish"},{"type":"text","delta":"a"}]',
      /:2: text: expected nothing after the fini/,
    ],
    ['[{"type":"error","status":"429"}]', /:2: error\.status: expected a number/],
    ['[{"type":"error","kind":"bad"}]', /:2: error\.kind: expected one of auth, .* found "bad"/],
    ['[{"type":"error","message":{}}]', /:2: error\.message: expected a string/],
    ['[{"type":"expect","tool":[]}]', /:2: expect\.tool: unknown/],
    ['{"expect":{"tools":"read"},"events":[]}', /:2: expect\.tools: expected an array/],
    ['{"parts":[]}', /:2: expected one JSON array of events/],
  ];
  for (const [line, expected] of cases) {
    await assert.rejects(played([hello, line], () => Promise.resolve()), (error) => {
      assert.ok(error instanceof RunFailure && error.code === "config");
      assert.match(error.message, expected);
      assert.ok(!error.message.includes("\n"));
      return true;
    });
  }
  for (const path of ["/nowhere/at/all.jsonl", Deno.cwd(), ""]) {
    await assert.rejects(createModel({ provider: "replay", model: path }), RunFailure);
  }
});

Deno.test("a wait in a cassette ends with an abort", async () => {
  await played(['[{"type":"wait","ms":600000},{"type":"text","delta":"late"}]'], async (model) => {
    const stop = new AbortController();
    const reason = new Error("enough");
    const asked = ask(model, {}, stop.signal);
    stop.abort(reason);
    await assert.rejects(asked, reason);
  });
});

Deno.test("a recorded run plays back the same", async () => {
  const answers = [
    streamAnswer("chat", [
      delta({ reasoning_content: "let me see" }),
      delta({ content: "I " }),
      delta({ content: "look." }),
      pieces({ index: 0, id: "c1", function: { name: "read", arguments: '{"path":"a"}' } }),
      pieces({ index: 1, id: "c2", function: { name: "git", arguments: "" } }),
      {
        ...delta({}, "tool_calls"),
        usage: {
          prompt_tokens: 5,
          completion_tokens: 9,
          total_tokens: 14,
          prompt_tokens_details: { cached_tokens: 3 },
        },
      },
    ]),
    streamAnswer("chat", [delta({ content: "half" })]), // fails: no step of the cassette
    streamAnswer("chat", [delta({ content: "cut" }), delta({}, "length")]),
    streamAnswer("chat", [delta({ refusal: "No." }), delta({}, "stop")]),
  ];
  const lines: string[] = [];
  const told = ({ events, text, thinking, calls, finish }: Awaited<ReturnType<typeof ask>>) => ({
    deltas: events.flatMap((event) => event.type === "text" ? [event.delta] : []),
    text,
    thinking,
    calls,
    reason: finish.reason,
    raw: finish.rawReason,
    usage: finish.usage,
  });
  const real = await withProvider(providerOfWire.chat, answers, async (asked) => {
    const model = recordModel(asked, (line) => Promise.resolve(void lines.push(line)));
    assert.equal(model.provider, "openai-compatible");
    const first = await ask(model);
    await failureOf(model);
    return [told(first), told(await ask(model)), told(await ask(model))];
  });
  assert.equal(lines.length, 3);
  await played(lines, async (model) => {
    const replayed = [await ask(model), await ask(model), await ask(model)].map(told);
    assert.deepEqual(replayed, real);
  });
});
