import assert from "node:assert/strict";
import { commandTable } from "../../../src/front/console/commands.ts";
import { pastePlaceholders } from "../../../src/front/console/paste_placeholders.ts";
import { hides, questionText, wholeText } from "../../../src/front/console/question_text.ts";
import { createStyle } from "../../../src/front/console/style.ts";
import { callLine, diffLines, resultText } from "../../../src/front/console/tool_lines.ts";
import { readTyped } from "../../../src/front/console/typed_line.ts";

const plain = createStyle(false);

Deno.test("short texts stay, long ones and those with controls are held and come back", () => {
  const held = pastePlaceholders();
  assert.equal(held.shorten("one\n\ttwo"), "one\n\ttwo");
  const long = "x\n".repeat(20), sharp = "a\x1b[2Jb";
  const line = `see ${held.shorten(long)} and ${held.shorten(sharp)}`;
  assert.equal(line, "see [text 1: 21 lines] and [text 2: 6 characters]");
  assert.equal(held.expand(line), `see ${long} and ${sharp}`);
  assert.equal(held.expand("[text 9: 1 lines]"), "[text 9: 1 lines]");
});

Deno.test("a question shows each character, and says what it leaves out", () => {
  assert.equal(
    questionText("ls\r\x1b[2Krm \u202e\u200bx", plain),
    "  ls\\r\\x1b[2Krm \\u202e\\u200bx",
  );
  const blank = `ls${"\n".repeat(301)}rm -rf x`;
  assert.equal(questionText(blank, plain), "  ls\n  [... 300 blank lines ...]\n  rm -rf x");
  const long = Array.from({ length: 100 }, (_, index) => `echo ${index}`).join("\n");
  const shown = questionText(long, plain).split("\n");
  assert.deepEqual([shown.length, shown[28]], [37, "  [... 64 lines hidden here ...]"]);
  assert.deepEqual([shown[27], shown[29]], ["  echo 27", "  echo 92"]);
  const wide = `echo ${"a".repeat(5000)}; rm x`;
  assert.match(
    questionText(wide, plain),
    /a\[\.\.\. 3911 characters hidden here \.\.\.\]a+; rm x$/,
  );
  for (const text of [blank, long, wide]) {
    assert.equal(hides(text), true);
    assert.equal(wholeText(text).replaceAll("\n  ", "\n").slice(2), text);
  }
  assert.equal(hides("ls -l\necho"), false);
});

Deno.test("typed lines are commands, shell commands, slashes, prompts", () => {
  const kinds = [
    ["", "nothing"],
    ["  \n ", "nothing"],
    ["hello", "prompt"],
    ["/help", "command"],
    ["/name a b", "command"],
    ["/helpx", "slash"],
    ["/etc/passwd is a file", "slash"],
    [" /help", "prompt"],
    ["/ help", "prompt"],
    ["!ls", "shell"],
    ["!!ls -l", "shell"],
    ["!", "prompt"],
    ["!!", "prompt"],
  ] as const;
  for (const line of ["exit", " quit ", ":q"]) {
    const typed = readTyped(line, commandTable);
    assert(typed.kind === "command" && typed.command.name === "quit", line);
  }
  for (const line of ["exit now", "quit.", "q"]) {
    assert.equal(readTyped(line, commandTable).kind, "prompt", line);
  }
  for (const [line, kind] of kinds) assert.equal(readTyped(line, commandTable).kind, kind, line);
  assert.deepEqual(readTyped("!! a\nb ", commandTable), {
    kind: "shell",
    command: "a\nb",
    send: false,
  });
});

Deno.test("a call is one line, whatever its arguments hold", () => {
  const line = callLine("bash", { command: `a\nb\x1b[2J${"c".repeat(300)}` }, 80, plain);
  assert.match(line, /^● bash a ⏎ bc+…$/);
  assert.ok(line.length <= 80);
  assert.equal(callLine("t", {}, 80, plain), "● t");
  assert.equal(callLine("t", { other: [1] }, 80, plain), '● t {"other":[1]}');
  assert.equal(
    callLine("grep", { pattern: "x", path: "src" }, 80, plain),
    "● grep x in src",
  );
});

Deno.test("a result tells mark, time and size, and why it failed", () => {
  const of = (output: string, is_error = false, duration_ms?: number) =>
    resultText({ output, is_error, duration_ms }, plain);
  assert.equal(of("abc", false, 12.4), "✓ 12 ms, 3 B");
  assert.equal(of("x".repeat(1500), false, 1234), "✓ 1.2 s, 1.5 kB");
  assert.equal(of("exit_code: 0\nduration_ms: 1"), "✓ 27 B");
  assert.equal(of("exit_code: 2\nduration_ms: 1"), "✗ exit_code: 2 (27 B)");
  assert.equal(of("not_found: no \x1b[2Jfile\nmore", true), "✗ not_found: no file (27 B)");
});

Deno.test("a diff is shown as far as 40 lines", () => {
  const diff = (count: number) => `path: a\n\n@@ -1 +1 @@\n${"+x\n".repeat(count)}`;
  assert.deepEqual(diffLines("path: a\n\nno diff", plain), []);
  assert.equal(diffLines(diff(3).trimEnd(), plain).length, 4);
  const long = diffLines(diff(100).trimEnd(), plain);
  assert.deepEqual([long.length, long.at(-1)], [41, "  … 61 more lines"]);
});
