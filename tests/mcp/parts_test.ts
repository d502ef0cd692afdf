/** The pure parts of the client for MCP servers. */
import assert from "node:assert/strict";
import { shownCommand } from "../../src/core/mcp_server.ts";
import type { JsonObject } from "../../src/core/json.ts";
import { headerParameters, parameterHeaders } from "../../src/mcp/header_parameters.ts";
import { readCallResult } from "../../src/mcp/call_result.ts";
import { readCutMessage } from "../../src/mcp/cut_message.ts";
import { headerText } from "../../src/mcp/http_transport.ts";
import { matchesAny } from "../../src/mcp/patterns.ts";
import { calmProgress, progressText } from "../../src/mcp/progress.ts";
import { messagesIn } from "../../src/mcp/protocol.ts";
import { toolNames } from "../../src/mcp/tool_names.ts";

Deno.test("patterns cover whole names, and a star any text", () => {
  const cases: [string, string, boolean][] = [
    ["echo", "echo", true],
    ["echo", "echo2", false],
    ["*", "", true],
    ["*", "any.thing/at all", true],
    ["get_*", "get_", true],
    ["get_*", "forget_x", false],
    ["*_x", "a_x", true],
    ["a*b*c", "abc", true],
    ["a*b*c", "a-b-b-c", true],
    ["a*b*c", "acb", false],
    ["ab*ba", "aba", false],
    ["a.c", "abc", false],
    ["**", "x", true],
  ];
  for (const [pattern, name, covers] of cases) {
    assert.equal(matchesAny([pattern], name), covers, `${pattern} ${name}`);
  }
  assert.equal(matchesAny([], "x"), false);
  const start = performance.now();
  matchesAny(["*a".repeat(200) + "b"], "a".repeat(100_000));
  assert.ok(performance.now() - start < 2000);
});

Deno.test("a name depends on the tool alone, fits, and is unique but for case", () => {
  const [plain, long, dotted, slashed] = toolNames("s", ["echo", "y".repeat(80), "a.b", "a/b"]);
  assert.equal(plain, "mcp__s__echo");
  assert.equal(long!.length, 64);
  assert.notEqual(dotted, slashed);
  assert.equal(toolNames("s", ["a/b"])[0], slashed);
  for (const name of toolNames("s", ["é", "日本", "\u{1f600}", "a b", ""])) {
    assert.match(name, /^[A-Za-z0-9_-]{1,64}$/);
  }
  const cased = toolNames("s", ["A", "a", "a_"]);
  assert.equal(new Set(cased.map((name) => name.toLowerCase())).size, 3);
});

Deno.test("only JSON-RPC is a message", () => {
  const good = '{"jsonrpc":"2.0","id":1,"result":{}}';
  for (const text of [good, `\ufeff ${good}\r`, `[${good},${good}]`]) assert.ok(messagesIn(text));
  for (
    const text of [
      ...["", "hello", "{", "[]", "1", "null", '{"id":1}', '{"jsonrpc":"1.0"}', "[1]"],
      ...['{"jsonrpc":"2.0","method":1}', '{"jsonrpc":"2.0","id":{},"result":1}'],
      ...['{"jsonrpc":"2.0","method":"x","params":[1]}', `${"[".repeat(100_000)}`],
    ]
  ) assert.equal(messagesIn(text), undefined, text.slice(0, 50));
});

Deno.test("progress is one line, and passed on ten times a second at most", () => {
  assert.equal(progressText({ progress: 1, total: 2, message: "a\nb\x1b[31m" }), "1/2 a b");
  assert.equal(progressText({ progress: 0.5 }), "0.5");
  assert.equal(progressText({ progress: "x", message: 7 }), "x");
  assert.ok(progressText({ progress: 1, message: "y".repeat(10_000) }).length <= 500);
  const shown: string[] = [];
  let now = 0;
  const show = calmProgress((line) => shown.push(line), () => now);
  for (; now < 1000; now += 10) show(String(now));
  assert.equal(shown.length, 10);
});

Deno.test("arguments that are marked become headers, in ASCII; wrong marks are named", () => {
  const schema = (properties: JsonObject) => ({ type: "object", properties }) as JsonObject;
  const found = headerParameters(schema({
    a: { type: "string", "x-mcp-header": "A" },
    b: { type: "object", properties: { c: { type: "integer", "x-mcp-header": "C-D" } } },
    "x-mcp-header": { type: "string" },
  }));
  assert.ok("parameters" in found);
  assert.deepEqual(parameterHeaders(found.parameters, { a: "é", b: { c: 7 } }), {
    "mcp-param-a": "=?base64?w6k=?=",
    "mcp-param-c-d": "7",
  });
  assert.deepEqual(parameterHeaders(found.parameters, { b: 1 }), {});
  for (
    const wrong of [
      schema({ a: { type: "string", "x-mcp-header": "A B" } }),
      schema({ a: { type: "number", "x-mcp-header": "A" } }),
      schema({
        a: { type: "string", "x-mcp-header": "A" },
        b: { type: "string", "x-mcp-header": "a" },
      }),
      { ...schema({}), anyOf: [{ "x-mcp-header": "A" }] } as JsonObject,
    ]
  ) assert.ok("problem" in headerParameters(wrong), JSON.stringify(wrong));
  assert.equal(headerText("plain text"), "plain text");
  for (const odd of [" x", "a\nb", "=?base64?x?=", ""]) {
    assert.match(headerText(odd), /^=\?base64\?.*\?=$/);
  }
});

Deno.test("a command is shown without what may be secret", () => {
  const cases: [string[], string][] = [
    [["npx"], "npx"],
    [["npx", "-y", "pg-mcp"], "npx -y pg-mcp"],
    [["npx", "-y", "pg-mcp", "postgres://u:p@h"], "npx -y pg-mcp …"],
    [["x", "--api-key", "abc"], "x --api-key …"],
    [["x", "--token=abc", "y"], "x --token=… y"],
    [["x", "-password", "abc"], "x -password …"],
    [["x", "-H", "Authorization: Bearer abc"], "x -H …"],
    [["env", "GITHUB_TOKEN=a\nb", "node"], "env GITHUB_TOKEN=… node"],
    [["pg", "postgres://me:pw@host/db"], "pg postgres://…@host/db"],
    [["monkey", "keyboard.js"], "monkey keyboard.js"],
  ];
  for (const [command, shown] of cases) assert.equal(shownCommand(command).join(" "), shown);
});

Deno.test("of a message that was dropped the edges say whose it is", () => {
  const rest = "x".repeat(50);
  const cases: [string, string, ReturnType<typeof readCutMessage>][] = [
    ['{"jsonrpc":"2.0","id":5,"result":{', rest, { kind: "answers", id: 5 }],
    [' { "id" : "7" , "result"', rest, { kind: "answers", id: 7 }],
    ['[{"id":3,"result"', rest, { kind: "answers", id: 3 }],
    ['{"result":{"id":1,"method":"x"},', '"jsonrpc":"2.0","id":9}', { kind: "answers", id: 9 }],
    ['{"result":{"a":"\\"},\\"id\\":1', 'x"},"id":9,"jsonrpc":"2.0"}', { kind: "answers", id: 9 }],
    ['{"result":{"a":"', '"id":4}}', { kind: "answers", id: undefined }],
    ['{"result":{"a":"', rest, { kind: "answers", id: undefined }],
    ['{"jsonrpc":"2.0","method":"notifications/message","params"', rest, { kind: "asks" }],
    ['{"id":null,"method":"notifications/message","params"', rest, { kind: "asks" }],
    ["=====", rest, undefined],
    ["", "", undefined],
  ];
  for (const [start, end, cut] of cases) assert.deepEqual(readCutMessage(start, end), cut, start);
});

Deno.test("of pictures eight count, each of five MiB at most, and those within resources, too", () => {
  const image = (bytes: number) => ({
    type: "image",
    mimeType: "image/png",
    data: "AAAA".repeat(bytes / 3),
  });
  const rules = { maxTextBytes: 1000, imageType: () => "image/png" };
  const read = (...content: JsonObject[]) => readCallResult({ content }, rules);
  const nine = read(...Array(9).fill(image(3)));
  assert.deepEqual([nine.images.length, nine.text], [8, "[image, image/png, 3 bytes: left out]"]);
  const large = read(image(3 * 1024 * 1024 * 2));
  assert.deepEqual([large.images.length, large.text], [
    0,
    "[image, image/png, 6291456 bytes: left out]",
  ]);
  const resource = { uri: "mem://1", mimeType: "image/png", blob: "AAAA" };
  assert.deepEqual(read({ type: "resource", resource }), {
    text: "(an image)",
    images: [{ type: "image", mediaType: "image/png", data: "AAAA" }],
    isError: false,
    wantsInput: false,
  });
});
