/** The tests of calls that are nearly right: read as meant, and said so in the result. */
import assert from "node:assert/strict";
import { callAnswer, startFakeProvider, textAnswer } from "../support/fake_provider.ts";
import { runProgram, withScratch } from "../support/program.ts";
import { checkedRecords, only } from "../support/records.ts";
import type { Json, JsonObject } from "../../src/core/json.ts";

type Scratch = Parameters<Parameters<typeof withScratch>[0]>[0];

/** One run in which the model makes one call; the result, and what the model got back of its call. */
async function oneCall({ workspace, home }: Scratch, name: string, input: string) {
  const provider = startFakeProvider([
    callAnswer("chat", [{ id: "c1", name, input }]),
    textAnswer("chat", "done"),
  ]);
  try {
    await Deno.mkdir(`${home}/.nimlet`, { recursive: true });
    await Deno.writeTextFile(
      `${home}/.nimlet/config.json`,
      JSON.stringify({
        default_provider: "openai-compatible",
        default_model: "m",
        providers: { "openai-compatible": { endpoint: provider.url } },
      }),
    );
    const { stdout } = await runProgram(["--mode", "json", "go"], { cwd: workspace });
    const records = checkedRecords(stdout);
    const [result] = only(records, "tool_result");
    const messages = (JSON.parse(provider.requests[1]!.text) as JsonObject)
      .messages as JsonObject[];
    const sent = messages.find((message) => message.tool_calls)!.tool_calls as JsonObject[];
    return {
      output: String(result!.output),
      isError: result!.is_error,
      call: only(records, "tool_call")[0]!,
      line: stdout.split("\n").find((line) => line.includes('"tool_call"'))!,
      sentBack: sent[0]!.function as { name: string; arguments: string },
      toModel: messages.find((message) => message.role === "tool")!.content,
    };
  } finally {
    await provider.close();
  }
}

/** A tool of the user's own that gives back what it gets. */
async function addEcho({ home }: Scratch, properties: JsonObject): Promise<void> {
  const folder = `${home}/.nimlet/tools/echo`;
  await Deno.mkdir(folder, { recursive: true });
  const manifest = {
    name: "echo",
    description: "Gives its arguments back.",
    command: ["run"],
    input_schema: { type: "object", properties },
  };
  await Deno.writeTextFile(`${folder}/tool.json`, JSON.stringify(manifest));
  await Deno.writeTextFile(`${folder}/run`, "#!/bin/sh\ncat\n", { mode: 0o755 });
}

Deno.test("line ends that stand raw in a string are the command's own", () =>
  withScratch(async (scratch) => {
    const { output, isError, toModel, sentBack } = await oneCall(
      scratch,
      "bash",
      "{\"command\":\"printf '%s\\n' a\nprintf 'b\tc'\",}",
    );
    assert.equal(isError, false);
    assert.match(output, /stdout:\na\nb\tc\n/);
    assert.match(output, /\n\[call read leniently: .*raw in strings.*; a comma .* ignored\]$/);
    assert.equal(toModel, output);
    assert.equal(JSON.parse(sentBack.arguments).command, "printf '%s\n' a\nprintf 'b\tc'");
  }));

Deno.test("a name that can mean one tool is that tool's, in the events and for the model", () =>
  withScratch(async (scratch) => {
    const { output, isError, call, sentBack } = await oneCall(
      scratch,
      "functions.Bash<|channel|>json",
      '```json\n{"command":"echo hi"}\n```',
    );
    assert.equal(isError, false);
    assert.match(
      output,
      /hi\n\[call read leniently: the tool "functions\.Bash.*" was taken as bash; /,
    );
    assert.equal(call.tool_name, "bash");
    assert.equal(sentBack.name, "bash");
  }));

Deno.test("a name of nothing is still unknown", () =>
  withScratch(async (scratch) => {
    const { output, isError } = await oneCall(scratch, "shell", '{"command":"echo hi"}');
    assert.equal(isError, true);
    assert.match(output, /^unknown_tool: there is no tool named "shell"; the tools are read, /);
  }));

Deno.test("a 64-bit id reaches tool, events, session and provider to the digit", () =>
  withScratch(async (scratch) => {
    await addEcho(scratch, { id: { type: "integer" }, name: { type: "string" } });
    const { output, isError, line, sentBack } = await oneCall(
      scratch,
      "echo",
      '{"id":1184729384756283947,"name":9007199254740993}',
    );
    assert.equal(isError, false);
    assert.match(output, /^{"id":1184729384756283947,"name":"9007199254740993"}/);
    assert.match(output, /\[call read leniently: name: the number was taken as its JSON text\]$/);
    assert.match(line, /"id":1184729384756283947,/);
    assert.equal(sentBack.arguments, '{"id":1184729384756283947,"name":9007199254740993}');

    const args = ["--call-tool", "echo", '{"id":"1184729384756283947"}'];
    const { stdout, stderr } = await runProgram(args, { cwd: scratch.workspace });
    assert.equal(stdout, '{"id":1184729384756283947}\n');
    assert.match(stderr, /^nimlet: id: the text was read as integer$/m);
  }));

Deno.test("a resumed session sends a 64-bit id back as it was", () =>
  withScratch(async (scratch) => {
    await addEcho(scratch, { id: { type: "integer" } });
    await oneCall(scratch, "echo", '{"id":1184729384756283947}');
    const provider = startFakeProvider([textAnswer("chat", "again")]);
    try {
      const config = `${scratch.home}/.nimlet/config.json`;
      const text = await Deno.readTextFile(config);
      await Deno.writeTextFile(config, text.replace(/http:[^"]*/, provider.url));
      const { code } = await runProgram(["-p", "--resume", "more"], { cwd: scratch.workspace });
      assert.equal(code, 0);
      assert.match(provider.requests[0]!.text, /\{\\"id\\":1184729384756283947\}/);
    } finally {
      await provider.close();
    }
  }));

Deno.test("an integer beyond what a built-in tool takes is refused, not rounded", () =>
  withScratch(async (scratch) => {
    const { output } = await oneCall(
      scratch,
      "grep",
      '{"pattern":"x","max_matches":9007199254740993}',
    );
    assert.match(output, /^invalid_arguments: max_matches: expected at most 9007199254740991/);
  }));

Deno.test("null for an optional argument counts as left out, whatever form its schema has", () =>
  withScratch(async (scratch) => {
    const forms: JsonObject = {
      typed: { type: "string" },
      listed: { enum: ["a"] },
      any: { anyOf: [{ type: "string" }, { type: "integer" }] },
      all: { allOf: [{ type: "string" }] },
      fixed: { const: "a" },
    };
    await addEcho(scratch, { ...forms, open: { type: ["string", "null"] } });
    const nulls = Object.fromEntries(Object.keys(forms).map((key): [string, Json] => [key, null]));
    const { output, isError } = await oneCall(
      scratch,
      "echo",
      JSON.stringify({ ...nulls, open: null }),
    );
    assert.equal(isError, false);
    assert.match(output, /^{"open":null}/);
    assert.match(output, /typed: null counts as left out; .*fixed: null counts as left out\]$/);
  }));

Deno.test("an object for a file's content is written as JSON, and said so", () =>
  withScratch(async (scratch) => {
    const { output, isError } = await oneCall(
      scratch,
      "write",
      '{"path":"a.json","content":{"a":[1],"id":1184729384756283947}}',
    );
    assert.equal(isError, false);
    assert.equal(
      await Deno.readTextFile(`${scratch.workspace}/a.json`),
      '{\n  "a": [\n    1\n  ],\n  "id": 1184729384756283947\n}',
    );
    assert.match(
      output,
      /\[call read leniently: content: the object was taken as its JSON text\]$/,
    );
  }));

Deno.test("an object for a command is refused", () =>
  withScratch(async (scratch) => {
    const { output, isError } = await oneCall(scratch, "bash", '{"command":{"cmd":"touch x"}}');
    assert.equal(isError, true);
    assert.match(output, /^invalid_arguments: command: expected string/);
  }));
