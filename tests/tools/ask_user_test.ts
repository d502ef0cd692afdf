/** The tests of the ask_user tool. */
import assert from "node:assert/strict";
import { askUserTool } from "../../src/tools/ask_user.ts";
import { onBench } from "./file_fixture.ts";

Deno.test("ask_user always fails with question_unavailable", () =>
  onBench(async (bench) => {
    const asked = await bench.call(askUserTool, { question: "Which?", options: ["a", "b"] });
    assert.ok(asked.isError);
    assert.equal(asked.code, "question_unavailable");
    assert.match(
      asked.text,
      /^question_unavailable: nobody can be asked while a turn runs: nimlet's console cannot, .*; end your answer with the question/,
    );
  }));

Deno.test("ask_user needs a question and an array of strings", () =>
  onBench(async (bench) => {
    const wrong: [Parameters<typeof bench.call>[1], string][] = [
      [{ question: "?" }, "invalid_arguments: options: expected array"],
      [{ options: [] }, "invalid_arguments: question: expected string"],
      [{ question: "?", options: [1] }, "invalid_arguments: options[0]: expected string"],
    ];
    for (const [input, text] of wrong) {
      assert.equal((await bench.call(askUserTool, input)).text, text);
    }
    const asText = await bench.call(askUserTool, { question: "?", options: '["a"]' });
    assert.match(asText.text, /^question_unavailable/);
  }));
