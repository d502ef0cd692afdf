import assert from "node:assert/strict";
import { thinkTags } from "../../../../src/providers/wires/chat/think_tags.ts";

function parted(text: string, size: number): { thinking: string; text: string } {
  const tags = thinkTags();
  const all = { thinking: "", text: "" };
  for (let at = 0; at < text.length; at += size) {
    const part = tags.take(text.slice(at, at + size));
    all.thinking += part.thinking;
    all.text += part.text;
  }
  all.text += tags.end();
  return all;
}

Deno.test("thinking in tags at the start is parted from the answer, however it is cut", () => {
  const cases: [text: string, thinking: string, answer: string][] = [
    ["<think>\nlet me\n</think>\n\nThe answer is 4.", "\nlet me\n", "The answer is 4."],
    ["\n<think></think>yes", "", "yes"],
    ["<think>a < b, </thin and </b></think>x < y", "a < b, </thin and </b>", "x < y"],
    ["<think>cut off", "cut off", ""],
    ["plain <think>no</think>", "", "plain <think>no</think>"],
    ["<thinking>no</thinking>", "", "<thinking>no</thinking>"],
    ["<thi", "", "<thi"],
    ["  indented", "", "  indented"],
    ["<think>a</think>b<think>c</think>", "a", "b<think>c</think>"],
  ];
  for (const [text, thinking, answer] of cases) {
    for (const size of [1, 2, 3, 7, 1000]) {
      assert.deepEqual(parted(text, size), { thinking, text: answer }, `${text} by ${size}`);
    }
  }
});

Deno.test("a megabyte in pieces of one character takes no long time", () => {
  const text = `<think>${"<".repeat(500_000)}</think>${"<".repeat(500_000)}`;
  assert.equal(parted(text, 1).thinking.length, 500_000);
});
