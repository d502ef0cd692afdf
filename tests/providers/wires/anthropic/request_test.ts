import assert from "node:assert/strict";
import type { JsonObject } from "../../../../src/core/json.ts";
import type { AssistantMessage, Message, ToolResultMessage } from "../../../../src/core/message.ts";
import type { ModelRequest, ThinkingLevel } from "../../../../src/core/model.ts";
import { textAnswer } from "../../../support/fake_provider.ts";
import { ask, user, withProvider } from "../../ask.ts";

const png = { type: "image", mediaType: "image/png", data: "iVBORw0KGgo=" } as const;

/** The requests that `asked` make of one model, one after the other. */
function requestsOf(asked: readonly Partial<ModelRequest>[], model = "test-model") {
  const answers = asked.map(() => textAnswer("anthropic", "ok"));
  return withProvider("anthropic", answers, async (chat, fake) => {
    for (const more of asked) await ask(chat, more);
    return [...fake.requests];
  }, { model });
}

async function sentMessages(messages: readonly Message[]): Promise<JsonObject[]> {
  const [request] = await requestsOf([{ messages }]);
  return request!.body.messages as JsonObject[];
}

function assistant(
  content: AssistantMessage["content"],
  more: Partial<AssistantMessage> = {},
): AssistantMessage {
  const who = { provider: "anthropic", model: "test-model", finish: "stop" } as const;
  return { role: "assistant", content, ...who, ...more };
}

const call = (id: string) => ({ type: "tool_use", id, name: "read", input: { path: id } } as const);

function result(toolId: string, more: Partial<ToolResultMessage> = {}): ToolResultMessage {
  const content = [{ type: "text", text: `of ${toolId}` }] as const;
  return { role: "tool_result", toolId, toolName: "read", content, isError: false, ...more };
}

/** What is in the blocks of each message: their texts, ids and kinds. */
function outline(messages: readonly JsonObject[]) {
  return messages.map(({ role, content }) => [
    role,
    ...(content as JsonObject[]).map((block) =>
      block.text ?? block.id ?? block.tool_use_id ?? block.type
    ),
  ]);
}

Deno.test("the address, the version and the key are as the server wants them", async () => {
  const [sent] = await requestsOf([{}]);
  assert.match(sent!.path, /\/v1\/messages$/);
  assert.equal(sent!.headers["anthropic-version"], "2023-06-01");
  assert.equal(sent!.headers["x-api-key"], "sk-secret-key-1234");
  assert.equal(sent!.headers["anthropic-beta"], undefined);
});

Deno.test("a level is a budget for earlier models, an effort for later ones", async () => {
  const adaptive = (effort: string) => [
    { type: "adaptive", display: "summarized" },
    { effort },
    1000,
  ];
  const budget = (budget_tokens: number, most = Infinity) => [
    { type: "enabled", budget_tokens },
    undefined,
    Math.min(1000 + budget_tokens, most),
  ];
  const cases: [string, ThinkingLevel, unknown[]][] = [
    ["claude-sonnet-4-5", "low", budget(6400)],
    ["claude-sonnet-4-5-20250929", "high", budget(38_400)],
    ["claude-sonnet-4-5", "max", budget(60_800)],
    ["claude-haiku-4-5-20251001", "medium", budget(19_200)],
    ["claude-opus-4-5", "minimal", budget(1280)],
    ["claude-opus-4-1-20250805", "xhigh", budget(28_800)],
    ["claude-opus-4-20250514", "max", budget(30_400)],
    ["claude-sonnet-4@20250514", "low", budget(6400)],
    ["claude-3-7-sonnet-latest", "low", budget(6400)],
    ["anthropic/claude-sonnet-4.5", "low", budget(6400)],
    ["claude-opus-4-6", "high", adaptive("high")],
    ["claude-opus-4.6", "max", adaptive("max")],
    ["claude-opus-4-8@20260401", "xhigh", adaptive("xhigh")],
    ["claude-sonnet-4-6", "low", adaptive("low")],
    ["claude-sonnet-5", "medium", adaptive("medium")],
    ["claude-fable-5", "high", adaptive("high")],
    ["claude-new", "minimal", adaptive("low")],
    ["somebodys-own", "low", budget(1024)],
    ["somebodys-own", "high", budget(2458)],
  ];
  for (const [model, thinking, expected] of cases) {
    const [sent] = await requestsOf([{ thinking }], model);
    const fields = [sent!.body.thinking, sent!.body.output_config, sent!.body.max_tokens];
    assert.deepEqual(fields, expected, `${model} ${thinking}`);
  }
});

Deno.test("a budget and the answer together stay within the model's longest answer", async () => {
  const asked = { thinking: "max", maxOutputTokens: 16_000 } as const;
  const [sent] = await requestsOf([asked], "claude-sonnet-4-5");
  assert.equal(sent!.body.max_tokens, 64_000);
  assert.deepEqual(sent!.body.thinking, { type: "enabled", budget_tokens: 60_800 });
});

Deno.test("thinking is turned off in words, and not mentioned unasked", async () => {
  for (const model of ["claude-opus-4-6", "claude-sonnet-4-5", "somebodys-own"]) {
    const [off, unasked] = await requestsOf([{ thinking: "none" }, {}], model);
    assert.deepEqual(off!.body.thinking, { type: "disabled" });
    assert.equal(off!.body.max_tokens, 1000);
    assert.equal(unasked!.body.thinking, undefined);
    assert.equal(unasked!.body.output_config, undefined);
  }
});

Deno.test("turns alternate: neighbouring messages become one, results before words", async () => {
  const sent = await sentMessages([
    user("a"),
    user("b"),
    assistant([{ type: "text", text: "c" }]),
    assistant([{ type: "text", text: "d" }, call("e"), call("f")]),
    result("e"),
    user("g"),
    result("f"),
    user("h"),
  ]);
  assert.deepEqual(outline(sent), [
    ["user", "a", "b"],
    ["assistant", "c", "d", "e", "f"],
    ["user", "e", "f", "g", "h"],
  ]);
});

Deno.test("a message that grows between requests keeps the ids of its calls", async () => {
  const messages = [user("a"), assistant([call("bash:0")]), result("bash:0")];
  const [first, second] = await requestsOf([{ messages }, { messages: [...messages, user("b")] }]);
  for (const { body } of [first!, second!]) {
    const [, asked, answered] = body.messages as JsonObject[];
    assert.equal((asked!.content as JsonObject[])[0]!.id, "bash_0");
    assert.equal((answered!.content as JsonObject[])[0]!.tool_use_id, "bash_0");
  }
  assert.deepEqual(outline(second!.body.messages as JsonObject[]).at(-1), ["user", "bash_0", "b"]);
});

Deno.test("the marks lie on the last blocks of the last two turns that are not the model's", async () => {
  const sent = await sentMessages([
    user("a"),
    assistant([call("b")]),
    result("b"),
    user("c"),
    assistant([{ type: "text", text: "d" }]),
    user("e"),
    user("f"),
  ]);
  const marked = sent.flatMap((message) =>
    (message.content as JsonObject[]).filter((block) => block.cache_control !== undefined)
  );
  const cache_control = { type: "ephemeral" };
  assert.deepEqual(marked, [
    { type: "text", text: "c", cache_control },
    { type: "text", text: "f", cache_control },
  ]);
});

Deno.test("only signed or redacted thinking of the same provider goes back, to the letter", async () => {
  const thoughts: AssistantMessage["content"] = [
    { type: "thinking", text: "signed ", metadata: { signature: "S" } },
    { type: "thinking", text: "", metadata: { signature: "omitted" } },
    { type: "thinking", text: "", metadata: { redacted_data: "R" } },
    { type: "thinking", text: "unsigned" },
    { type: "thinking", text: "unsigned", metadata: { signature: "" } },
    { type: "thinking", text: "another's", metadata: { signature: 5, field: "reasoning" } },
    { type: "text", text: " \n" },
    { type: "text", text: "words" },
  ];
  const [, own] = await sentMessages([
    user("a"),
    assistant(thoughts, { model: "another-model" }),
    user("b"),
  ]);
  assert.deepEqual(own!.content, [
    { type: "thinking", thinking: "signed ", signature: "S" },
    { type: "thinking", thinking: "", signature: "omitted" },
    { type: "redacted_thinking", data: "R" },
    { type: "text", text: "words" },
  ]);
  const [, foreign] = await sentMessages([
    user("a"),
    assistant(thoughts, { provider: "somebody-else" }),
    user("b"),
  ]);
  assert.deepEqual(foreign!.content, [{ type: "text", text: "words" }]);
});

Deno.test("results are text, a list where images are among them, and errors text alone", async () => {
  const content = [{ type: "text", text: "one" }, png, { type: "text", text: "two" }] as const;
  const [, , message] = await sentMessages([
    user("a"),
    assistant([call("b"), call("c"), call("d"), call("e")]),
    result("b", { content: [{ type: "text", text: "one" }, { type: "text", text: "two" }] }),
    result("c", { content }),
    result("d", { content, isError: true }),
    result("e", { content: [] }),
    user("f"),
  ]);
  const image = {
    type: "image",
    source: { type: "base64", media_type: "image/png", data: png.data },
  };
  const text = (text: string) => ({ type: "text", text });
  const sent = (message!.content as JsonObject[]).map(({ content, is_error }) => [
    content,
    is_error,
  ]);
  assert.deepEqual(sent.slice(0, 4), [
    ["one\ntwo", undefined],
    [[text("one"), image, text("two")], undefined],
    ["one\ntwo", true],
    ["", undefined],
  ]);
});
