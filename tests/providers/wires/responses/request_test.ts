import assert from "node:assert/strict";
import type { JsonObject } from "../../../../src/core/json.ts";
import type { AssistantMessage, Message } from "../../../../src/core/message.ts";
import type { ThinkingLevel } from "../../../../src/core/model.ts";
import { builtInFacts } from "../../../../src/providers/models/built_in.ts";
import {
  conversationJson,
  conversationMemo,
} from "../../../../src/providers/wires/conversation.ts";
import { wire } from "../../../../src/providers/wires/responses/wire.ts";
import type { RequestContext, Target } from "../../../../src/providers/wires/wire.ts";

function targetOf(model: string, images = true): Target {
  return {
    provider: "openai",
    model,
    profile: "responses",
    facts: builtInFacts(model),
    images,
    alternate: false,
  };
}

function bodyOf(model: string, level?: ThinkingLevel, outputSchema?: JsonObject) {
  const context: RequestContext = {
    target: targetOf(model),
    level,
    maxOutputTokens: 100,
    request: {
      system: "Be brief.\ud800",
      messages: [],
      tools: [],
      maxOutputTokens: 100,
      ...outputSchema === undefined ? {} : { outputSchema },
    },
    tools: [],
  };
  const { path, headers, body } = wire.request(context, "KEY");
  assert.equal(path, "/responses");
  assert.deepEqual(headers, { authorization: "Bearer KEY" });
  assert.deepEqual(wire.request(context, undefined).headers, {});
  return { body, opening: wire.opening!(context) };
}

/** The items that `messages` become, made twice to see that they stay the same. */
function itemsOf(messages: readonly Message[], target = targetOf("gpt-5.1")): JsonObject[] {
  const memo = conversationMemo(target);
  const items = () => {
    const { settled, rest } = conversationJson(wire, messages, target, memo);
    const texts = [new TextDecoder().decode(settled), rest].filter((text) => text !== "");
    return JSON.parse(`[${texts.join(",")}]`) as JsonObject[];
  };
  const first = items();
  assert.deepEqual(items(), first);
  return first;
}

const answered = (
  content: AssistantMessage["content"],
  more: Partial<AssistantMessage> = {},
): AssistantMessage => ({
  role: "assistant",
  content,
  provider: "openai",
  model: "gpt-5.1",
  finish: "tool_calls",
  ...more,
});

const png = { type: "image", mediaType: "image/png", data: "aGk=" } as const;
const sentPng = { type: "input_image", image_url: "data:image/png;base64,aGk=", detail: "auto" };

Deno.test("nothing is kept at the server", () => {
  const { body } = bodyOf("gpt-4.1");
  assert.deepEqual(body, { model: "gpt-4.1", max_output_tokens: 100, store: false, stream: true });
});

Deno.test("what belongs to thinking is sent only to models that are known to think", () => {
  const encrypted = ["reasoning.encrypted_content"];
  const cases: [string, ThinkingLevel | undefined, boolean][] = [
    ["gpt-5.1", undefined, true],
    ["openai/gpt-5.1", undefined, true],
    ["o3", undefined, true],
    ["gpt-4.1", undefined, false],
    ["gpt-5-chat-latest", undefined, false],
    // Of these nobody knows; a level says that they think.
    ["qwen3", undefined, false],
    ["qwen3", "high", true],
    ["my-o3-like", undefined, false],
    ["gpt-oss-120b", undefined, false],
  ];
  for (const [model, level, thinks] of cases) {
    const { body, opening } = bodyOf(model, level);
    assert.deepEqual(body.include, thinks ? encrypted : undefined, model);
    const role = thinks ? "developer" : "system";
    assert.deepEqual(opening, [{ role, content: "Be brief.\ufffd" }], model);
  }
});

Deno.test("a summary is asked for by those who ask for thinking", () => {
  assert.equal(bodyOf("gpt-5.1").body.reasoning, undefined);
  assert.deepEqual(bodyOf("gpt-5.1", "none").body.reasoning, { effort: "none" });
  assert.deepEqual(bodyOf("gpt-5.1", "low").body.reasoning, { effort: "low", summary: "auto" });
});

Deno.test("an output schema goes as it is, and loosely", () => {
  const schema = { type: "object", properties: { a: { type: "string" } } };
  assert.deepEqual(bodyOf("gpt-5.1", undefined, schema).body.text, {
    format: { type: "json_schema", strict: false, name: "answer", schema },
  });
});

Deno.test("a reasoning item goes back whole, at its place, and only with its encrypted content", () => {
  const summary = (text: string) => ({ type: "summary_text", text });
  const items = itemsOf([answered([
    { type: "thinking", text: "a", metadata: { item_id: "rs_1" } },
    { type: "thinking", text: "b\ud800", metadata: { item_id: "rs_1", encrypted_content: "E" } },
    { type: "text", text: "I look.", metadata: { phase: "commentary" } },
    { type: "thinking", text: "", metadata: { item_id: "rs_2", encrypted_content: "F" } },
    { type: "tool_use", id: "c1", name: "read", input: { path: "a" } },
    { type: "thinking", text: "cut", metadata: { item_id: "rs_3" } },
    { type: "thinking", text: "bare" },
  ])]);
  assert.deepEqual(items, [
    {
      type: "reasoning",
      id: "rs_1",
      summary: [summary("a"), summary("b\ufffd")],
      encrypted_content: "E",
    },
    { role: "assistant", content: "I look.", phase: "commentary" },
    { type: "reasoning", id: "rs_2", summary: [], encrypted_content: "F" },
    { type: "function_call", call_id: "c1", name: "read", arguments: '{"path":"a"}' },
  ]);
});

Deno.test("to another provider only texts and calls go", () => {
  const message = answered([
    { type: "thinking", text: "a", metadata: { item_id: "rs_1", encrypted_content: "E" } },
    { type: "text", text: "I look.", metadata: { phase: "commentary" } },
    { type: "text", text: " \n" },
  ], { provider: "anthropic" });
  assert.deepEqual(itemsOf([message]), [{ role: "assistant", content: "I look." }]);
});

Deno.test("results are text, or a list where there are images, also of a failed call", () => {
  const call = (id: string) => ({ type: "tool_use", id, name: "read", input: {} }) as const;
  const result = (toolId: string, content: (typeof png | { type: "text"; text: string })[]) =>
    ({ role: "tool_result", toolId, toolName: "read", content, isError: toolId === "c" }) as const;
  const text = (text: string) => ({ type: "text", text }) as const;
  const messages = [
    answered([call("a"), call("b"), call("c")]),
    result("a", [text("one"), text("two")]),
    result("b", []),
    result("c", [text("failed"), png]),
  ];
  const outputs = itemsOf(messages).filter((item) => item.type === "function_call_output");
  assert.deepEqual(outputs, [
    { type: "function_call_output", call_id: "a", output: "one\ntwo" },
    { type: "function_call_output", call_id: "b", output: "" },
    {
      type: "function_call_output",
      call_id: "c",
      output: [{ type: "input_text", text: "failed" }, sentPng],
    },
  ]);
  const blind = itemsOf(messages, targetOf("gpt-5.1", false)).at(-1)!;
  assert.match(String(blind.output), /^failed\n\[image \(image\/png, 3 bytes\) left out/);
});

Deno.test("a prompt is a list of parts; one with nothing in it is left out", () => {
  const prompt = (...content: (typeof png | { type: "text"; text: string })[]) =>
    itemsOf([{ role: "user", content }]);
  assert.deepEqual(prompt({ type: "text", text: "hi" }, png), [
    { role: "user", content: [{ type: "input_text", text: "hi" }, sentPng] },
  ]);
  assert.deepEqual(prompt({ type: "text", text: "" }), []);
});
