/** The tests that the published schema and the files agree. */
import assert from "node:assert/strict";
import { toJsonSchema } from "../support/zod_shape.ts";
import type { Json } from "../../src/core/json.ts";
import { type SessionRecord, sessionRecordSchema } from "../../src/core/record.ts";
import { checkRecord } from "../../src/session/check_record.ts";
import { createSession } from "../../src/session/session.ts";
import { calls, linesOf, result, says, user, withSessions } from "./session_folder.ts";

const everyKind: SessionRecord[] = [
  user("x"),
  { kind: "user", content: [{ type: "image", media_type: "image/png", data: "AA==" }] },
  says("x"),
  calls("a"),
  {
    kind: "assistant",
    content: [
      { type: "thinking", text: "x", metadata: { anthropic: { signature: "s" } } },
      { type: "tool_use", id: "a", name: "b", input: {}, invalid_text: "{" },
    ],
    provider: "p",
    model: "m",
    finish: "length",
    usage: {},
  },
  result("a"),
  { kind: "compaction", summary: "s", kept: 2, tokens_before: 3 },
  { kind: "name", name: "n" },
  { kind: "selection", provider: "p", model: "m", thinking: "low", mode: "plan" },
  { kind: "extension", name: "e", data: { a: [1] } },
];

Deno.test("every line that is written fits the published schema", async () => {
  await withSessions(async (folder) => {
    const session = createSession(folder);
    for (const record of everyKind) await session.append(record);
    session.close();
    const lines = linesOf(session.path!);
    assert.equal(lines.length, everyKind.length + 1);
    for (const line of lines) {
      const checked = sessionRecordSchema.safeParse(line);
      assert.ok(checked.success, JSON.stringify([line, checked.error?.issues]));
      assert.deepEqual(checkRecord(line as Json), { record: line });
    }
  });
});

Deno.test("the schema has a JSON Schema form and refuses what is no record", () => {
  const kinds = JSON.stringify(toJsonSchema(sessionRecordSchema));
  for (const { kind } of everyKind) assert.ok(kinds.includes(`"const":"${kind}"`), kind);
  for (const wrong of [{}, { kind: "plan" }, { kind: "user" }, { kind: "name", name: 7 }]) {
    assert.equal(sessionRecordSchema.safeParse(wrong).success, false);
  }
});
