import assert from "node:assert/strict";
import { isJsonObject, type JsonObject } from "../../src/core/json.ts";
import type { FakeAnswer } from "../support/fake_http.ts";
import {
  callAnswer,
  errorAnswer,
  eventPieces,
  type FakeProvider,
  type FakeWire,
  startFakeProvider,
  streamAnswer,
  textAnswer,
} from "../support/fake_provider.ts";
import { type ProgramResult, runProgram, withScratch } from "../support/program.ts";
import { checkedRecords, only } from "../support/records.ts";
import { delta, pieces, providerOfWire } from "./ask.ts";

/** Runs the whole program in JSON mode against a fake provider. */
async function runWith(
  wire: FakeWire,
  answers: readonly FakeAnswer[],
  check: (
    result: ProgramResult & { readonly home: string },
    fake: FakeProvider,
  ) => void | Promise<void>,
  more: { agent?: JsonObject; args?: string[]; mode?: string[]; repeatLast?: boolean } = {},
): Promise<void> {
  const fake = startFakeProvider(answers, { repeatLast: more.repeatLast ?? false });
  const provider = providerOfWire[wire];
  try {
    await withScratch(async ({ workspace, home }) => {
      await Deno.mkdir(`${home}/.nimlet`);
      await Deno.writeTextFile(
        `${home}/.nimlet/config.json`,
        JSON.stringify({
          providers: { [provider]: { endpoint: fake.url, api_key: "sk-not-to-be-shown" } },
          agent: more.agent ?? {},
        }),
      );
      await Deno.writeTextFile(`${workspace}/a.txt`, "alpha\n");
      const mode = more.mode ?? ["--mode", "json"];
      const args = [...mode, "--provider", provider, "--model", "m1", ...more.args ?? []];
      const result = await runProgram([...args, "go"], { cwd: workspace });
      assert.ok(!(result.stdout + result.stderr).includes("sk-not-to-be-shown"));
      await check({ ...result, home }, fake);
    });
  } finally {
    await fake.close();
  }
}

for (const wire of ["chat", "responses", "anthropic", "google"] as const) {
  Deno.test(`${wire}: the program works through a tool call to its answer`, async () => {
    const answers = [
      callAnswer(wire, [{ name: "read", input: { path: "a.txt" } }], "I look."),
      textAnswer(wire, "It says alpha."),
    ];
    await runWith(wire, answers, (result, fake) => {
      assert.equal(result.code, 0, result.stderr);
      const records = checkedRecords(result.stdout);
      assert.match(String(only(records, "tool_result")[0]!.output), /alpha/);
      assert.equal(only(records, "message").at(-1)!.content, "It says alpha.");
      assert.ok(fake.requests[1]!.text.includes("alpha"));
      const usage = only(records, "run_end")[0]!.usage;
      assert.deepEqual(usage, { input_tokens: 22, output_tokens: 14 });
    });
  });
}

Deno.test("an id that comes again in every turn is unique in each request, and every call runs once", async () => {
  const turns = Array.from(
    { length: 5 },
    (_, at) =>
      callAnswer("anthropic", [{
        id: "bash:0",
        name: "bash",
        input: { command: `echo turn ${at}` },
      }]),
  );
  const twice = callAnswer("anthropic", [
    { id: "same", name: "bash", input: { command: "echo one" } },
    { id: "same", name: "bash", input: { command: "echo two" } },
    { id: "", name: "bash", input: { command: "echo three" } },
  ]);
  await runWith("anthropic", [...turns, twice, textAnswer("anthropic", "done")], (result, fake) => {
    assert.equal(result.code, 0, result.stderr);
    const records = checkedRecords(result.stdout);
    assert.equal(only(records, "tool_call").length, 8);
    assert.equal(new Set(only(records, "tool_call").map((call) => call.tool_id)).size, 8);
    const last = fake.requests.at(-1)!.body.messages as JsonObject[];
    const blocks = last.flatMap(({ content }) =>
      Array.isArray(content) ? content.filter(isJsonObject) : []
    );
    const uses = blocks.filter((block) => block.type === "tool_use");
    assert.equal(new Set(uses.map((block) => block.id)).size, 8);
    for (const { id } of uses) assert.match(String(id), /^[A-Za-z0-9_-]+$/);
    for (const use of uses) {
      const { command } = use.input as { command: string };
      const answer = blocks.find((block) => block.tool_use_id === use.id);
      assert.ok(JSON.stringify(answer).includes(command.slice("echo ".length)));
    }
  });
});

Deno.test("overload that passes is waited for, and said; the answer is given once", async () => {
  const answers = [
    errorAnswer(529, "Overloaded", { "retry-after-ms": "1" }),
    { status: 502, body: "<html><title>Bad Gateway</title></html>" },
    { pieces: eventPieces("chat", [delta({ content: "half" })]).slice(0, 1), ending: "cut" },
    textAnswer("chat", "whole"),
  ] as const;
  await runWith("chat", answers, (result, fake) => {
    assert.equal(result.code, 0, result.stderr);
    assert.equal(fake.requests.length, 4);
    const records = checkedRecords(result.stdout);
    assert.equal(only(records, "message").at(-1)!.content, "whole");
    assert.equal(only(records, "step_start").length, 4);
    const said = only(records, "diagnostic").map((record) => String(record.message)).join("\n");
    assert.match(said, /529: Overloaded/);
    assert.match(said, /502: Bad Gateway/);
    assert.match(said, /broke off/);
    assert.doesNotMatch(said, /try again later/, "what to do is said at the end only");
  });
});

Deno.test("an answer of some megabytes is printed, told and kept whole", async () => {
  const long = "x" + '\u{1f600} \u2028 "quoted" \n'.repeat(100_000) + "end";
  const answer = streamAnswer("chat", [
    ...long.match(/[^]{1,5000}/gu)!.map((content) => delta({ content })),
    delta({}, "stop"),
  ]);
  await runWith("chat", [answer], async (result) => {
    assert.equal(result.code, 0, result.stderr);
    const records = checkedRecords(result.stdout);
    assert.ok(only(records, "message").at(-1)!.content === long);
    assert.ok(only(records, "message_delta").map(({ delta }) => delta).join("") === long);
    const folder = `${result.home}/.nimlet/sessions`;
    const [file] = [...Deno.readDirSync(folder)];
    const kept = await Deno.readTextFile(`${folder}/${file!.name}`);
    const lines = kept.trimEnd().split("\n").map((line) => JSON.parse(line));
    assert.ok(lines.find(({ kind }) => kind === "assistant").content[0].text === long);
  });
  await runWith("chat", [answer], (result) => {
    assert.ok(result.stdout === `${long}\n`);
  }, { args: ["-p"], mode: [] });
});

Deno.test("silence and endless keep-alives end at the idle limit", async () => {
  const answers: FakeAnswer[] = [
    { pieces: [], ending: "hang" },
    { pieces: [], ending: "hang", keepAlive: ": OPENROUTER PROCESSING\n\n" },
    { pieces: [], ending: "hang", keepAlive: 'data: {"choices":[{"index":0,"delta":{}}]}\n\n' },
    textAnswer("chat", "awake"),
  ];
  await runWith("chat", answers, (result, fake) => {
    assert.equal(result.code, 0, result.stderr);
    assert.equal(fake.requests.length, 4);
    const said = only(checkedRecords(result.stdout), "diagnostic");
    assert.equal(said.length, 3);
    assert.match(String(said[0]!.message), /openai-compatible \(m1 at http.*request_timeout/);
  }, { agent: { request_timeout: 1 } });
});

Deno.test("half arguments at the output limit never run, and the run says why it failed", async () => {
  const cut = streamAnswer("chat", [
    pieces({ index: 0, id: "a", function: { name: "bash", arguments: '{"command":"touch ran' } }),
    delta({}, "length"),
  ]);
  await runWith("chat", [cut], (result) => {
    assert.equal(result.code, 1);
    const records = checkedRecords(result.stdout);
    for (const record of only(records, "tool_result")) assert.equal(record.is_error, true);
    assert.match(String(only(records, "error")[0]!.message), /output limit/);
  }, { repeatLast: true });
});

Deno.test("ends that are no success fail the run and are named", async () => {
  const cases: [FakeWire, FakeAnswer, RegExp][] = [
    [
      "chat",
      streamAnswer("chat", [delta({ content: "x" }), delta({}, "content_filter")]),
      /content_filter/,
    ],
    [
      "chat",
      streamAnswer("chat", [delta({ refusal: "I won't." }), delta({}, "stop")]),
      /I won't\./,
    ],
    ["google", streamAnswer("google", [{ candidates: [{ finishReason: "SAFETY" }] }]), /SAFETY/],
    [
      "google",
      streamAnswer("google", [{
        candidates: [{ content: { parts: [{ text: "half" }] }, finishReason: "MAX_TOKENS" }],
      }]),
      /MAX_TOKENS/,
    ],
    [
      "anthropic",
      streamAnswer("anthropic", [
        { type: "message_start", message: { usage: { input_tokens: 1 } } },
        { type: "message_delta", delta: { stop_reason: "refusal" }, usage: { output_tokens: 1 } },
        { type: "message_stop" },
      ]),
      /refusal/,
    ],
  ];
  for (const [wire, answer, expected] of cases) {
    await runWith(wire, [answer], (result, fake) => {
      assert.equal(result.code, 1, result.stdout);
      assert.equal(fake.requests.length, 1);
      const records = checkedRecords(result.stdout);
      assert.match(String(only(records, "error")[0]!.message), expected);
      assert.equal(records.at(-1)!.success, false);
    });
  }
});

Deno.test("a malformed call of Google is asked for again", async () => {
  const answers = [
    streamAnswer("google", [{ candidates: [{ finishReason: "MALFORMED_FUNCTION_CALL" }] }]),
    textAnswer("google", "better"),
  ];
  await runWith("google", answers, (result) => {
    assert.equal(result.code, 0, result.stderr);
    const records = checkedRecords(result.stdout);
    assert.equal(only(records, "message").at(-1)!.content, "better");
    assert.match(String(only(records, "diagnostic")[0]!.message), /MALFORMED_FUNCTION_CALL/);
  });
});
