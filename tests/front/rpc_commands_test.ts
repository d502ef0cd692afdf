import assert from "node:assert/strict";
import { commandSchema } from "../../src/front/rpc/command_schema.ts";
import { commandTable, readCommand } from "../../src/front/rpc/commands.ts";
import { compileSchema } from "../../src/lib/json_schema.ts";

Deno.test("the schema of commands and the reading of commands agree", () => {
  const fits = compileSchema(commandSchema(), "2020-12");
  const values = [
    {},
    { message: "hi" },
    { message: "" },
    { message: " \n" },
    { message: 5 },
    { message: "hi", streaming_behavior: "steer" },
    { message: "hi", streaming_behavior: "followUp" },
    { message: "hi", streaming_behavior: "follow_up" },
    { message: "hi", streaming_behavior: null },
    { message: "hi", streamingBehavior: "steer" },
    { requestId: "r", answer: "once" },
    { mode: "act" },
    { mode: "all" },
    { mode: "one-at-a-time" },
    { mode: null },
    { request_id: "r", answer: "once" },
    { request_id: "r", answer: "perhaps" },
    { answer: "once" },
    { message: "hi", permissions: "ask" },
    { message: "hi", permissions: "allow" },
    { message: "hi", unknown: true },
    { message: "hi", attachments: [] },
    { message: "hi", attachments: null },
    { message: "hi", attachments: "a.txt" },
    { message: "hi", attachments: ["a.txt", { path: "b.txt" }, { name: "c", text: "" }] },
    { message: "hi", attachments: [{ name: "c", data: "QQ==" }] },
    { message: "hi", attachments: [""] },
    { message: "hi", attachments: [{ path: "" }] },
    { message: "hi", attachments: [{ path: "a", text: "b" }] },
    { message: "hi", attachments: [{ name: "a", text: "b", data: "c" }] },
    { message: "hi", attachments: [{ name: "a" }] },
    { message: "hi", attachments: [{ text: "a" }] },
    { message: "hi", attachments: [{ name: "a", text: 5 }] },
    { message: "hi", attachments: [5] },
    { model: "m" },
    { model: " " },
    { model: "m", provider: "p" },
    { model: "m", provider: null },
    { model: "m", provider: 5 },
    { level: "high" },
    { level: "default" },
    { level: "highest" },
    { name: "n" },
    { session_id: "s" },
    { instruction: "dwell on tests" },
  ];
  const ids = ["1", "", 1, null, undefined];
  for (const type of [...commandTable.map(({ name }) => name), "nothing", 5, undefined]) {
    for (const value of values) {
      for (const id of ids) {
        const command = { ...value, id, type };
        const line = JSON.stringify(command);
        assert.equal(fits(JSON.parse(line)).length === 0, "name" in readCommand(line), line);
      }
    }
  }
});

Deno.test("a command that is refused keeps its id where it has one", () => {
  assert.deepEqual(readCommand('{"id":"a","type":"prompt"}'), {
    id: "a",
    command: "prompt",
    error: "message: expected string",
  });
  assert.equal(readCommand("{").id, "");
  assert.equal(readCommand('{"id":5,"type":"prompt","message":"x"}').id, "");
});

Deno.test("a field in camelCase is refused with its name", () => {
  const problem = (more: object) => {
    const read = readCommand(JSON.stringify({ id: "a", type: "prompt", message: "x", ...more }));
    return "error" in read ? read.error : undefined;
  };
  assert.equal(
    problem({ streamingBehavior: "steer" }),
    "streamingBehavior: expected snake_case: streaming_behavior",
  );
  assert.equal(
    problem({ streaming_behavior: "followUp" }),
    'streaming_behavior: expected steer or follow_up, found "followUp"',
  );
  assert.equal(problem({ someField: 1 }), undefined, "what no command knows is ignored");
});
