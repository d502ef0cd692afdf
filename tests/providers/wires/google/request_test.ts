import assert from "node:assert/strict";
import type { Json, JsonObject } from "../../../../src/core/json.ts";
import type { AssistantMessage, Message, ToolResultMessage } from "../../../../src/core/message.ts";
import type { ModelRequest, ThinkingLevel } from "../../../../src/core/model.ts";
import { textAnswer } from "../../../support/fake_provider.ts";
import { ask, user, withProvider } from "../../ask.ts";

const png = { type: "image", mediaType: "image/png", data: "iVBORw0KGgo=" } as const;
const inlineData = { mimeType: png.mediaType, data: png.data };

/** The one request that is made. */
function requestOf(more: Partial<ModelRequest> = {}, model = "gemini-2.5-pro") {
  return withProvider("google", [textAnswer("google", "ok")], async (chat, fake) => {
    await ask(chat, more);
    return fake.requests[0]!;
  }, { model });
}

async function contentsOf(messages: readonly Message[], model: string): Promise<JsonObject[]> {
  return (await requestOf({ messages }, model)).body.contents as JsonObject[];
}

function assistant(
  content: AssistantMessage["content"],
  more: Partial<AssistantMessage> = {},
): AssistantMessage {
  const who = { provider: "google", model: "gemini-2.5-pro", finish: "stop" } as const;
  return { role: "assistant", content, ...who, ...more };
}

const call = (id: string, metadata?: JsonObject) =>
  ({ type: "tool_use", id, name: "read", input: {}, ...metadata && { metadata } }) as const;

function result(toolId: string, more: Partial<ToolResultMessage> = {}): ToolResultMessage {
  const content = [{ type: "text", text: `of ${toolId}` }] as const;
  return { role: "tool_result", toolId, toolName: "read", content, isError: false, ...more };
}

Deno.test("the model is part of the address, which asks for a stream of events", async () => {
  const cases = [
    ["gemini-2.5-pro", "/models/gemini-2.5-pro"],
    ["tunedModels/my-own", "/tunedModels/my-own"],
    ["odd?name#here", "/models/odd%3Fname%23here"],
  ] as const;
  for (const [model, path] of cases) {
    const sent = await requestOf({}, model);
    assert.equal(sent.path, `/v1${path}:streamGenerateContent?alt=sse`);
    assert.equal(sent.headers["x-goog-api-key"], "sk-secret-key-1234");
    assert.equal(sent.body.stream, undefined);
    assert.equal(sent.body.model, undefined);
  }
});

Deno.test("a level is a budget up to Gemini 2.5, and a level for later models", async () => {
  const level = (thinkingLevel: string) => ({ thinkingLevel, includeThoughts: true });
  const budget = (thinkingBudget: number) => ({ thinkingBudget, includeThoughts: true });
  const cases: [string, ThinkingLevel, Json][] = [
    ["gemini-2.5-pro", "minimal", budget(1311)],
    ["gemini-2.5-pro", "low", budget(6554)],
    ["gemini-2.5-pro", "max", budget(32_768)],
    ["gemini-2.5-flash", "medium", budget(19_661)],
    ["gemini-2.5-flash", "high", budget(24_576)],
    ["gemini-2.5-flash", "none", { thinkingBudget: 0 }],
    ["somebodys-own", "low", budget(6554)],
    ["gemini-3-pro-preview", "high", level("high")],
    ["gemini-3-flash-preview", "minimal", level("minimal")],
    ["gemini-flash-latest", "low", level("low")],
    ["gemini-4-argon", "medium", level("medium")],
    ["models/gemini-3-pro", "low", level("low")],
    ["gemini-3-pro-image-preview", "high", budget(32_768)],
  ];
  for (const [model, thinking, expected] of cases) {
    const { body } = await requestOf({ thinking }, model);
    const { thinkingConfig } = body.generationConfig as JsonObject;
    assert.deepEqual(thinkingConfig, expected, `${model} ${thinking}`);
  }
  const { generationConfig } = (await requestOf({ maxOutputTokens: 100 }, "somebodys-own")).body;
  assert.deepEqual(generationConfig, { maxOutputTokens: 100 });
});

Deno.test("a system prompt has its own place, but for Gemma, where a person says it first", async () => {
  const asked = { system: "Be brief.", messages: [user("a")], tools: [] };
  const { body } = await requestOf(asked);
  assert.deepEqual(body.systemInstruction, { parts: [{ text: "Be brief." }] });
  assert.deepEqual(body.contents, [{ role: "user", parts: [{ text: "a" }] }]);
  const gemma = (await requestOf(asked, "gemma-3-27b-it")).body;
  assert.equal(gemma.systemInstruction, undefined);
  assert.deepEqual(gemma.contents, [
    { role: "user", parts: [{ text: "Be brief." }] },
    { role: "user", parts: [{ text: "a" }] },
  ]);
  const silent = (await requestOf({ ...asked, system: "" }, "gemma-3-27b-it")).body;
  assert.deepEqual(silent.contents, [{ role: "user", parts: [{ text: "a" }] }]);
});

Deno.test("signatures go back to Google alone, and with them what has no text", async () => {
  const signed = (thought_signature: string) => ({ metadata: { thought_signature } });
  const content: AssistantMessage["content"] = [
    { type: "thinking", text: "a", ...signed("A") },
    { type: "thinking", text: "unsigned" },
    { type: "text", text: "b", ...signed("B") },
    { type: "text", text: " " },
    call("c", { thought_signature: "C" }),
    { type: "text", text: "", ...signed("D") },
    { type: "text", text: "", metadata: { thought_signature: 5 } },
  ];
  const asked = (message: AssistantMessage) =>
    contentsOf([user("hi"), message, result("c"), user("go on")], "gemini-2.5-pro");
  const [, own] = await asked(assistant(content, { model: "another" }));
  assert.deepEqual(own!.parts, [
    { text: "a", thought: true, thoughtSignature: "A" },
    { text: "b", thoughtSignature: "B" },
    { functionCall: { id: "c", name: "read", args: {} }, thoughtSignature: "C" },
    { text: "", thoughtSignature: "D" },
  ]);
  const [, foreign] = await asked(assistant(content, { provider: "somebody-else" }));
  assert.deepEqual(foreign!.parts, [
    { text: "b" },
    { functionCall: { id: "c", name: "read", args: {} } },
  ]);
});

Deno.test("Gemini 3 learns which calls were made elsewhere, as it wants a signature", async () => {
  const skip = "skip_thought_signature_validator";
  const signaturesIn = async (content: AssistantMessage["content"], model: string) => {
    const results = content.flatMap((part) => part.type === "tool_use" ? [result(part.id)] : []);
    const contents = await contentsOf([user("hi"), assistant(content), ...results], model);
    const parts = contents[1]!.parts as JsonObject[];
    return parts.map(({ thoughtSignature }) => thoughtSignature);
  };
  const none = [call("a"), call("b")];
  assert.deepEqual(await signaturesIn(none, "gemini-3-pro"), [skip, skip]);
  assert.deepEqual(await signaturesIn(none, "gemini-flash-latest"), [skip, skip]);
  assert.deepEqual(await signaturesIn(none, "gemini-2.5-pro"), [undefined, undefined]);
  assert.deepEqual(await signaturesIn(none, "gemini-1.5-pro"), [undefined, undefined]);
  assert.deepEqual(await signaturesIn(none, "somebodys-own"), [undefined, undefined]);
  // The first of several calls is signed for all.
  const first = [call("a", { thought_signature: "S" }), call("b"), call("c")];
  assert.deepEqual(await signaturesIn(first, "gemini-3-pro"), ["S", undefined, undefined]);
});

Deno.test("every result is one response, with its images in it or after it", async () => {
  const content = [{ type: "text", text: "one" }, png, { type: "text", text: "two" }] as const;
  const messages = [
    user("hi"),
    assistant([call("a"), call("b"), call("c")]),
    result("a", { content }),
    result("b", { content: [png], isError: true }),
    result("c", { content: [], isError: true }),
  ];
  const response = (id: string, response: JsonObject, parts?: Json[]) => ({
    functionResponse: { id, name: "read", response, ...parts && { parts } },
  });
  const both = { name: "read", content: "one\ntwo" };
  const failed = { name: "read", error: "" };
  const later = await contentsOf(messages, "gemini-3-pro");
  assert.deepEqual(later.at(-1), {
    role: "user",
    parts: [
      response("a", both, [{ inlineData }]),
      response("b", failed, [{ inlineData }]),
      response("c", failed),
    ],
  });
  const earlier = await contentsOf(messages, "gemini-2.5-pro");
  assert.deepEqual(earlier.at(-1), {
    role: "user",
    parts: [
      response("a", both),
      { text: "The image that read returned:" },
      { inlineData },
      response("b", failed),
      { text: "The image that read returned:" },
      { inlineData },
      response("c", failed),
    ],
  });
});
