import assert from "node:assert/strict";
import type { AssistantMessage, ToolResultMessage, UserMessage } from "../../src/core/message.ts";
import {
  assistantRecord,
  messageOf,
  toolResultRecord,
  userRecord,
} from "../../src/core/message_record.ts";
import { sessionRecordSchema } from "../../src/core/record.ts";

const image = { type: "image", mediaType: "image/png", data: "AA==" } as const;
const prompt: UserMessage = { role: "user", content: [{ type: "text", text: "Look." }, image] };
const answer: AssistantMessage = {
  role: "assistant",
  content: [
    { type: "thinking", text: "Hm.", metadata: { p: { signature: "s", itemId: 1 } } },
    { type: "text", text: "So." },
    { type: "tool_use", id: "a", name: "read", input: { camelCase: [1] }, metadata: { p: {} } },
    { type: "tool_use", id: "b", name: "read", input: {}, invalidText: "{" },
  ],
  provider: "p",
  model: "m",
  finish: "tool_calls",
};
const result: ToolResultMessage = {
  role: "tool_result",
  toolId: "a",
  toolName: "read",
  content: [image, { type: "text", text: "done" }],
  isError: true,
};

Deno.test("a message is the same after its way through a session file", () => {
  const usage = { input_tokens: 3 };
  const records = [
    userRecord(prompt.content),
    assistantRecord(answer, usage),
    toolResultRecord(result),
  ];
  const [first, second, third] = records.map((record) =>
    sessionRecordSchema.parse(JSON.parse(JSON.stringify(record)))
  );
  assert.ok(
    first!.kind === "user" && second!.kind === "assistant" && third!.kind === "tool_result",
  );
  assert.deepEqual(messageOf(first!), prompt);
  assert.deepEqual([messageOf(second!), second!.usage], [answer, usage]);
  assert.deepEqual(messageOf(third!), result);
});

Deno.test("every field of a record is in snake_case, but for what is a tool's or a provider's own", () => {
  const records = [
    userRecord(prompt.content),
    assistantRecord(answer, {}),
    toolResultRecord(result),
  ];
  const own = (key: string) => ["input", "metadata"].includes(key);
  const text = JSON.stringify(records, (key, value) => own(key) ? undefined : value);
  const keys = [...text.matchAll(/"(\w+)":/g)].map(([, key]) => key!);
  assert.ok(keys.includes("media_type") && keys.includes("invalid_text"));
  assert.deepEqual(keys.filter((key) => !/^[a-z_]+$/.test(key)), []);
});
