import assert from "node:assert/strict";
import { callAnswer, startFakeProvider, textAnswer } from "../support/fake_provider.ts";
import { pointAt } from "../support/pointed.ts";
import { runProgram, withScratch } from "../support/program.ts";
import { checkedRecords, only } from "../support/records.ts";
import type { FakeAnswer } from "../support/fake_http.ts";

/** A chat answer that ends at the output limit. */
function cut(answer: FakeAnswer): FakeAnswer {
  const pieces = (answer.pieces as string[]).map((piece) =>
    piece.replace(/"finish_reason":"(stop|tool_calls)"/, '"finish_reason":"length"')
  );
  return { ...answer, pieces };
}

async function withAnswers(
  answers: FakeAnswer[],
  config: string,
  use: (
    run: (...args: string[]) => ReturnType<typeof runProgram>,
    requests: readonly { readonly body: Record<string, unknown>; readonly text: string }[],
  ) => Promise<void>,
): Promise<void> {
  const server = startFakeProvider(answers);
  try {
    await withScratch(async ({ workspace, home }) => {
      const flags = await pointAt(home, server.url);
      if (config !== "") {
        const path = `${home}/.nimlet/config.json`;
        const before = JSON.parse(await Deno.readTextFile(path));
        await Deno.writeTextFile(path, JSON.stringify({ ...before, ...JSON.parse(config) }));
      }
      await use((...args) => runProgram([...flags, ...args], { cwd: workspace }), server.requests);
    });
  } finally {
    await server.close();
  }
}

const limit100 = '{"agent":{"max_tokens":100}}';

Deno.test("a call that is cut off at the limit is reported to the model and the person, as what it is", () =>
  withAnswers(
    [
      cut(callAnswer("chat", [{ name: "write", input: '{"path":"a.txt","content":"half' }])),
      textAnswer("chat", "I write less."),
    ],
    limit100,
    async (run, requests) => {
      const { code, stdout, stderr } = await run("--mode", "json", "go");
      assert.equal(code, 0);
      const [result] = only(checkedRecords(stdout), "tool_result");
      assert.equal(
        result!.output,
        "invalid_arguments: the call was cut off at the output limit of 100 tokens; " +
          "write it in smaller pieces",
      );
      assert.match(stderr, /was cut off at the output limit of 100 tokens within a call/);
      assert.match(requests[1]!.text, /cut off at the output limit of 100 tokens/);
    },
  ));

Deno.test("the beginning of an answer that is cut off is shown, with exit status 1", () =>
  withAnswers(
    [cut(textAnswer("chat", "The beginning")), cut(textAnswer("chat", "The beginning"))],
    limit100,
    async (run) => {
      const printed = await run("-p", "go");
      assert.deepEqual([printed.code, printed.stdout], [1, "The beginning\n"]);
      assert.match(printed.stderr, /cut off at the output limit of 100 tokens before the answer/);
      const { code, stdout } = await run("--mode", "json", "go");
      assert.equal(code, 1);
      const message = only(checkedRecords(stdout), "message").at(-1)!;
      assert.deepEqual([message.content, message.final], ["The beginning", false]);
    },
  ));

Deno.test("without a setting a known model has its own cap, and an unknown one none", () =>
  withAnswers(
    [textAnswer("chat", "a"), textAnswer("chat", "b"), textAnswer("chat", "c")],
    "",
    async (run, requests) => {
      await run("-p", "go");
      await run("-p", "--model", "claude-3-opus", "go");
      await run("-p", "--model", "qwen3-coder", "go");
      assert.deepEqual(requests.map(({ body }) => body.max_tokens), [undefined, 4096, 32_000]);
    },
  ));
