/** Each provider's whole tool loop against a server of others: it speaks every wire, and fails on demand. */
import assert from "node:assert/strict";
import type { JsonObject } from "../../src/core/json.ts";
import { textOf } from "../../src/core/message.ts";
import { realHost } from "../../src/host/real_host.ts";
import { createModel } from "../../src/providers/create_model.ts";
import { harness, tool } from "../agent/harness.ts";
import { type MockRequest, startMock } from "../support/aimock.ts";
import { runProgram, withScratch } from "../support/program.ts";
import { checkedRecords, only } from "../support/records.ts";
import { testWhere } from "../support/test_where.ts";

const key = "sk-key-of-the-mock-1234";
const mock = await startMock(key);
const words = "Let me think.";

interface Provider {
  readonly name: string;
  readonly model: string;
  readonly path: string;
  /** Whether the server counts tokens. */
  readonly counted: boolean;
  /** Where thinking is found in a request, and how; undefined: it does not go back. */
  readonly thinking?: (sent: JsonObject) => readonly [found: unknown, expected: unknown];
}

const messageIn = (sent: JsonObject, at: number) => (sent.messages as JsonObject[])[at]!;

const providers: readonly Provider[] = [
  {
    name: "openai",
    model: "gpt-5.1",
    path: "/v1",
    counted: true,
    thinking: ({ input }) => {
      const item = (input as JsonObject[]).find(({ type }) => type === "reasoning")!;
      assert.match(String(item.encrypted_content), /.{10}/);
      return [item.summary, [{ type: "summary_text", text: words }]];
    },
  },
  {
    name: "openai-compatible",
    model: "m1",
    path: "/v1",
    counted: true,
    thinking: (sent) => [messageIn(sent, 2).reasoning_content, words],
  },
  {
    name: "mistral",
    model: "magistral-medium",
    path: "/v1",
    counted: false, // this server counts for those who ask, and Mistral takes no such question
    thinking: (sent) => [
      (messageIn(sent, 2).content as JsonObject[])[0],
      { type: "thinking", thinking: [{ type: "text", text: words }], closed: true },
    ],
  },
  {
    name: "anthropic",
    model: "claude-sonnet-4-5",
    path: "/v1",
    counted: true,
    // The server itself refuses calls whose thinking does not come first, with its signature.
    thinking: (sent) => [
      (messageIn(sent, 1).content as JsonObject[])[0],
      { type: "thinking", thinking: words, signature: "S+/=" },
    ],
  },
  // Without a signature, which this server does not make, thinking does not go back to Google.
  { name: "google", model: "gemini-2.5-pro", path: "/v1beta", counted: true },
];

/** The loop on a model that asks the server; waits take no time, but are noted. */
async function loopWith({ name, model, path }: Provider, apiKey = key) {
  const waits: number[] = [];
  const sent: JsonObject[] = [];
  const noting: typeof fetch = (input, init) => {
    sent.push(JSON.parse(new TextDecoder().decode(init?.body as Uint8Array)) as JsonObject);
    return fetch(input, init);
  };
  const host = realHost();
  const clock = { ...host.clock, delay: (ms: number) => Promise.resolve(void waits.push(ms)) };
  const spec = { provider: name, model, endpoint: mock.url + path, apiKey, fetch: noting };
  const loop = harness([], {
    model: await createModel(spec),
    host: { ...host, clock },
    tools: [tool("read", ({ path }) => `content of ${path}`, { parallel: true })],
    request: () => Promise.resolve({ system: "Be brief.", maxOutputTokens: 500, thinking: "high" }),
  });
  return { loop, waits, sent };
}

const read = (id: string, path: string) => ({
  id,
  name: "read",
  arguments: JSON.stringify({ path }),
});
const twoReads = [read("call_a", "a.txt"), read("call_b", "b.txt")];

/** An answer with thinking in front, for models that are asked to think. */
const lookup = {
  reasoning: words,
  reasoningSignature: "S+/=",
  content: "I look.",
  toolCalls: twoReads,
};

/** The n-th request without a result, and with one. */
const before = (sequenceIndex: number) => ({ hasToolResult: false, sequenceIndex });
const after = (sequenceIndex: number) => ({ hasToolResult: true, sequenceIndex });

/** Runs the loop through `lookup` to its answer. */
async function answered(provider: Provider) {
  const { loop, waits, sent } = await loopWith(provider);
  const end = await loop.run("look");
  assert.equal(end.status, "done", JSON.stringify(end));
  assert.equal(end.steps, 2);
  const answers = loop.history.messages.filter(({ role }) => role === "assistant");
  assert.deepEqual(answers.map(textOf), ["I look.", "They say something."]);
  const said = loop.events.flatMap((event) =>
    event.type === "diagnostic" && event.level === "warning" ? [event.message] : []
  );
  assert.equal(waits.length, said.length);
  return { loop, waits, sent, said };
}

/** A line a message: its role, the call that it answers, its text, its calls. */
function linesOf({ messages }: MockRequest): string[][] {
  const calls = new Map<string, string>();
  const lines: string[][] = [];
  for (const { role, content, tool_calls, tool_call_id } of messages) {
    const parts = typeof content === "string" ? [{ text: content }] : content ?? [];
    const line = parts.map(({ text }) => text ?? "").filter((text) => text !== "");
    if (tool_call_id !== undefined) line.unshift(calls.get(tool_call_id) ?? "no call");
    for (const { id, function: { name, arguments: input } } of tool_calls ?? []) {
      line.push(`${name} ${input}`);
      calls.set(id, `${name} ${input}`);
    }
    // Some wires send each part of an answer by itself.
    if (role === "assistant" && lines.at(-1)?.[0] === role) lines.at(-1)!.push(...line);
    else lines.push([role, ...line]);
  }
  return lines;
}

/** In older ones a server of node:http keeps the connection of an answer that it gives up. */
const cuts = {
  met: /^2\.[0-8]\./.test(Deno.version.deno) === false,
  reason: "needs Deno 2.9 or newer, where the server can cut a connection",
};

for (const provider of providers) {
  const { name, model, path, counted } = provider;

  Deno.test(`${name}: the program works through parallel calls and a further one to its answer`, async () => {
    await mock.play(
      [{ hasToolResult: false }, { content: "I look.", toolCalls: twoReads }],
      [{ toolResultContains: "beta" }, { toolCalls: [read("call_c", "c.txt")] }],
      [{ toolResultContains: "gamma" }, { content: "Alpha, beta, gamma." }],
    );
    const { code, stdout, stderr } = await withScratch(async ({ workspace, home }) => {
      const providers = { [name]: { endpoint: mock.url + path, api_key: key } };
      await Deno.mkdir(`${home}/.nimlet`);
      await Deno.writeTextFile(`${home}/.nimlet/config.json`, JSON.stringify({ providers }));
      await Deno.writeTextFile(`${workspace}/a.txt`, "alpha\n");
      await Deno.writeTextFile(`${workspace}/b.txt`, "beta\n");
      await Deno.writeTextFile(`${workspace}/c.txt`, "gamma\n");
      const args = ["--mode", "json", "--provider", name, "--model", model, "what do they say?"];
      return await runProgram(args, { cwd: workspace });
    });
    assert.equal(code, 0, stdout + stderr);
    const records = checkedRecords(stdout);
    assert.equal(only(records, "message").at(-1)!.content, "Alpha, beta, gamma.");
    assert.equal(only(records, "tool_result").length, 3);
    const requests = await mock.requests();
    assert.deepEqual(requests.map(({ answer }) => answer), [200, 200, 200]);
    const [system, user, first, a, b, second, c, ...more] = linesOf(requests[2]!);
    const calls = ["a", "b", "c"].map((letter) => `read {"path":"${letter}.txt"}`);
    assert.equal(system![0], "system");
    assert.deepEqual(user, ["user", "what do they say?"]);
    assert.deepEqual(first, ["assistant", "I look.", calls[0], calls[1]]);
    assert.deepEqual(second, ["assistant", calls[2]]);
    for (const [at, line] of [a, b, c].entries()) {
      assert.deepEqual(line!.slice(0, 2), ["tool", calls[at]]);
      assert.match(line![2]!, [/alpha/, /beta/, /gamma/][at]!);
    }
    assert.deepEqual(more, []);
  });

  Deno.test(`${name}: an answer comes in its pieces, none cut within a character`, async () => {
    const content = "Grüße: 漢字 🙂🙂🙂 and \"quotes\", \\ and\nlines, for the 'end'.";
    const usage = { input_tokens: 12, output_tokens: 34 };
    const everyWire = { ...usage, prompt_tokens: 12, completion_tokens: 34 };
    await mock.play([{ userMessage: "hello" }, { content, usage: everyWire }]);
    const { loop } = await loopWith(provider);
    const end = await loop.run("hello");
    assert.equal(end.status, "done");
    const deltas = loop.events.flatMap((event) =>
      event.type === "message_delta" ? [event.delta] : []
    );
    assert.equal(deltas.join(""), content);
    assert.ok(deltas.length > 5);
    assert.ok(deltas.every((delta) => delta.isWellFormed()));
    const { cost_usd: _, ...tokens } = end.usage;
    assert.deepEqual(tokens, counted ? usage : {});
  });

  Deno.test(`${name}: too many requests and the server's errors are retried, in the middle of work, too`, async () => {
    const slow = { message: "Slow down", type: "rate_limit_error", code: "rate_limit_exceeded" };
    const broken = { message: "Broken", type: "server_error" };
    await mock.play(
      [before(0), { error: slow, status: 429, retryAfter: 7 }],
      [before(1), { error: broken, status: 500 }],
      [before(2), lookup],
      [after(0), { error: broken, status: 500 }],
      [after(1), { content: "They say something." }],
    );
    const { waits, said } = await answered(provider);
    assert.match(said[0]!, /answered 429: Slow down; trying again in 7\.0 s/);
    assert.match(said[1]!, /answered 500: Broken; trying again/);
    assert.match(said[2]!, /answered 500: Broken; trying again/);
    assert.equal(waits[0], 7000);
    assert.ok(waits.every((wait) => wait > 0));
    const given = (await mock.requests()).map(({ answer }) => answer);
    assert.deepEqual(given, [429, 500, 200, 500, 200]);
  });

  testWhere(cuts, `${name}: connections that are cut are retried to a whole answer`, async () => {
    const cut = { truncateAfterChunks: 6, latency: 20 }; // what is not sent yet is lost with it
    await mock.play(
      [before(0), { content: "This will be cut off in the middle." }, cut],
      [before(1), { content: "never" }, { chaos: { disconnectRate: 1 } }],
      [before(2), lookup],
      [after(0), { content: "This will be cut off in the middle." }, cut],
      [after(1), { content: "They say something." }],
    );
    const { said } = await answered(provider);
    assert.match(said.shift()!, /broke off: .*; trying again/);
    assert.match(said.pop()!, /broke off: .*; trying again/);
    // A connection that was used before and is closed without an answer may be replaced unseen.
    for (const sentence of said) assert.match(sentence, /Cannot reach .*; trying again/);
    const given = (await mock.requests()).map(({ answer }) => answer);
    assert.deepEqual(given, ["cut", "disconnect", 200, "cut", 200]);
  });

  Deno.test(`${name}: an answer that is none is retried, a refused key is not`, async () => {
    await mock.play(
      [{ sequenceIndex: 0 }, { content: "never" }, { chaos: { malformedRate: 1 } }],
      [{ sequenceIndex: 1 }, { content: "whole" }],
    );
    const { loop, waits } = await loopWith(provider);
    assert.equal((await loop.run("go")).text, "whole");
    assert.equal(waits.length, 1);

    const refused = await loopWith(provider, "sk-another-key");
    const end = await refused.loop.run("go");
    assert.equal(end.status, "failed");
    assert.equal(end.error?.kind, "auth");
    assert.match(end.error.message, /answered 401: Invalid API key/);
    assert.deepEqual([refused.sent.length, refused.waits.length], [1, 0]);
  });

  const { thinking } = provider;
  if (thinking === undefined) continue;
  Deno.test(`${name}: thinking goes back with the calls that it led to`, async () => {
    await mock.play([before(0), lookup], [after(0), { content: "They say something." }]);
    const { sent, loop } = await answered(provider);
    const shown = loop.events.map((event) => event.type === "thinking_delta" ? event.delta : "");
    assert.equal(shown.join(""), words);
    const [found, expected] = thinking(sent[1]!);
    assert.deepEqual(found, expected);
  });
}
