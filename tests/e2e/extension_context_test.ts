/** What extensions make of requests, summaries and files. */
import assert from "node:assert/strict";
import { join } from "node:path";
import type { JsonObject } from "../../src/core/json.ts";
import { call, say } from "../support/cassette.ts";
import { type GivenExtension, withExtensions } from "../support/extensions.ts";
import { startFakeProvider, textAnswer } from "../support/fake_provider.ts";
import { runProgram } from "../support/program.ts";
import { checkedRecords, only } from "../support/records.ts";
import { startRpc } from "../support/rpc.ts";

const onContext = (on: string): GivenExtension => ({
  register: { events: ["context"] },
  on: `if (m.event === "context") { ${on} }`,
});

/** Runs one prompt against a fake provider; gives what was asked, and what a person was told. */
async function asked(given: GivenExtension) {
  const provider = startFakeProvider([textAnswer("chat", "ok")]);
  let told = "";
  try {
    await withExtensions(given, [say("unused")], async ({ workspace, home }) => {
      const { stdout, stderr, code } = await runProgram(
        [
          "--provider",
          "openai-compatible",
          "--endpoint",
          provider.url,
          "--model",
          "m",
          "--mode",
          "json",
          "-p",
          "the prompt",
        ],
        { cwd: workspace, env: { HOME: home } },
      );
      assert.equal(code, 0, stderr);
      told = only(checkedRecords(stdout), "diagnostic").map(({ message }) => message).join("\n");
    });
  } finally {
    await provider.close();
  }
  const messages = provider.requests.map(({ body }) => body.messages as JsonObject[]);
  return { messages, told };
}

Deno.test("texts after the system prompt, and other messages, are of one request alone", async () => {
  const { messages: [first], told } = await asked(onContext(`
    const [user] = m.payload.messages;
    return answer(m, { system: ["Mind the gap."], messages: [{ role: "user", content: [{ type: "text", text: "before" }] }, { role: "assistant", content: [{ type: "text", text: "yes" }] }, user] });
  `));
  assert.equal(told, "");
  assert.match(String(first![0]!.content), /\n\nMind the gap\.$/);
  const rest = JSON.stringify(first!.slice(1));
  assert.match(rest, /before.*yes.*the prompt/);
});

for (
  const { how, made, problem } of [
    {
      how: "a call without its result",
      made:
        `[...all, { role: "assistant", content: [{ type: "tool_use", id: "c", name: "read", input: {} }] }, ...all]`,
      problem: /the call c has no result/,
    },
    {
      how: "a result without its call",
      made: `[...all, { role: "tool_result", tool_id: "c", tool_name: "read", content: [] }]`,
      problem: /the result c belongs to no call/,
    },
    {
      how: "two answers in a row",
      made:
        `[...all, { role: "assistant", content: [] }, { role: "assistant", content: [] }, ...all]`,
      problem: /an answer stands where/,
    },
    { how: "no message", made: "[]", problem: /the last message is not the user's/ },
    {
      how: "an unknown image",
      made: `[{ role: "user", content: [{ type: "image", ref: "image-9" }] }]`,
      problem: /the ref "image-9" is unknown/,
    },
    {
      how: "an unknown role",
      made: `[{ role: "system", content: [] }]`,
      problem: /role: expected user/,
    },
  ]
) {
  Deno.test(`messages that cannot be sent are ignored with a warning: ${how}`, async () => {
    const { messages: [first], told } = await asked(onContext(`
      const all = m.payload.messages;
      return answer(m, { messages: ${made} });
    `));
    assert.match(told, problem);
    assert.equal(first!.length, 2);
    assert.match(JSON.stringify(first), /the prompt/);
  });
}

Deno.test("calls and results that are left as they are go on as they were", () =>
  withExtensions(
    onContext(`return answer(m, { messages: m.payload.messages });`),
    [call("read", { path: "f" }), say("ok")],
    async ({ run, workspace, heard }) => {
      await Deno.writeTextFile(join(workspace, "f"), "text");
      const { code, told } = await run("-p", "go", "--mode", "json");
      assert.equal(code, 0);
      assert.equal(told, "");
      const [, second] = (await heard()).filter(({ event }) => event === "context");
      assert.deepEqual(second!.payload.messages.map(({ role }: { role: string }) => role), [
        "user",
        "assistant",
        "tool_result",
      ]);
    },
  ));

const long = "word ".repeat(3000);

for (
  const { how, answer, summary, warning } of [
    {
      how: "its own summary",
      answer:
        `{ compaction: { summary: "all was well", first_kept_index: m.payload.entries.length, details: { n: 1 } } }`,
      summary: "all was well",
      warning: /^$/,
    },
    {
      how: "a summary that parts a call",
      answer: `{ compaction: { summary: "no", first_kept_index: 2 } }`,
      summary: "the model's summary",
      warning: /the summary of extension x is ignored: first_kept_index 2/,
    },
    {
      how: "a refusal",
      answer: `{ allow: false, reason: "not now" }`,
      summary: undefined,
      warning: /not now/,
    },
  ]
) {
  Deno.test(`before a summary an extension gives ${how}`, () =>
    withExtensions(
      {
        register: { events: ["session_before_compact", "session_compact"] },
        on: `if (m.event === "session_before_compact") return answer(m, ${answer});`,
      },
      [
        call("read", { path: "f" }),
        say(long),
        say("second"),
        say("the model's summary"),
        say("third"),
      ],
      async ({ model, workspace, home, heard }) => {
        await Deno.writeTextFile(join(workspace, "f"), long);
        const client = startRpc([...model, "--set", "agent.keep_recent_tokens=10"], workspace, {
          HOME: home,
        });
        for (const message of ["one", "two"]) {
          await client.ask("prompt", { message });
          await client.next("run_end");
        }
        const answered = await client.ask("compact");
        await client.ask("shutdown");
        await client.program.ended;
        const told = [
          String(answered.error ?? ""),
          ...only(client.seen, "diagnostic").filter(({ level }) => level === "warning").map((
            { message },
          ) => message),
        ].join("\n").trim();
        assert.match(told, warning);
        const lines = await heard();
        const before = lines.find(({ event }) => event === "session_before_compact")!;
        assert.equal(before.payload.entries[0].role, "user");
        const after = lines.find(({ event }) => event === "session_compact");
        assert.equal(after?.payload.summary, summary);
        if (how === "its own summary") assert.deepEqual(after?.payload.details, { n: 1 });
      },
    ));
}

Deno.test("a file that an extension changes after an edit is looked at again", () =>
  withExtensions(
    {
      register: { events: ["tool_result"] },
      on:
        `if (m.event === "tool_result") { Deno.writeTextFileSync("f", "FORMATTED\\n"); return answer(m); }`,
    },
    [call("write", { path: "f", content: "formatted\n" }), say("ok")],
    async ({ run }) => {
      const { outputs } = await run("-p", "go", "--mode", "json");
      assert.match(outputs[0]!, /\[extension x changed the file/);
      assert.match(outputs[0]!, /\+FORMATTED/);
    },
  ));
