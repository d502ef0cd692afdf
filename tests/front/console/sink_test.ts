import assert from "node:assert/strict";
import type { AgentEvent } from "../../../src/core/event.ts";
import { createScreen } from "../../../src/front/console/screen.ts";
import { consoleSink } from "../../../src/front/console/sink.ts";
import { createStyle } from "../../../src/front/console/style.ts";

/** What stands on a screen after `events`, where answer and asides go to one place. */
async function shown(events: AgentEvent[], colour = false): Promise<string> {
  let text = "";
  const write = (piece: string) => {
    text += piece;
    return Promise.resolve();
  };
  const screen = createScreen({ columns: () => 80, writeAnswer: write, writeAside: write });
  const sink = consoleSink(screen, createStyle(colour));
  for (const event of events) await sink(event, {});
  return text;
}

const model = "m";
const start = (step = 1): AgentEvent => ({ type: "step_start", step, model });
const text = (delta: string): AgentEvent => ({ type: "message_delta", step: 1, delta, model });
const think = (delta: string): AgentEvent => ({ type: "thinking_delta", step: 1, delta, model });
const callOf = (id: string, tool_name = "bash", input = {}): AgentEvent => ({
  type: "tool_call",
  step: 1,
  tool_id: id,
  tool_name,
  input,
});
const live = (id: string, delta: string): AgentEvent => ({
  type: "tool_output_delta",
  step: 1,
  tool_id: id,
  tool_name: "bash",
  delta,
});
const result = (id: string, output: string, is_error = false): AgentEvent => ({
  type: "tool_result",
  step: 1,
  tool_id: id,
  tool_name: "bash",
  output,
  is_error,
  duration_ms: 5,
});
const runEnd: AgentEvent = {
  type: "run_end",
  usage: {},
  status: "done",
  exit_code: 0,
  steps: 1,
  denials: 0,
  files_changed: [],
};

Deno.test("an answer streams as it is, and its last line is ended", async () => {
  assert.equal(await shown([start(), text("Hel"), text("lo"), runEnd]), "Hello\n");
  assert.equal(await shown([start(), text("Hello\n"), runEnd]), "Hello\n");
});

Deno.test("a quick call is one line, one with output has its end below", async () => {
  assert.equal(
    await shown([start(), text("I look."), callOf("1", "read", { path: "a" }), result("1", "abc")]),
    "I look.\n● read a  ✓ 5 ms, 3 B\n",
  );
  assert.equal(
    await shown([callOf("1"), live("1", "on"), live("1", "e\ntwo\nlast"), result("1", "abc")]),
    "● bash\n  one\n  two\n  last\n  ✓ 5 ms, 3 B bash\n",
  );
});

Deno.test("calls that run together each have a line and an end", async () => {
  assert.equal(
    await shown([
      callOf("1", "read", { path: "a" }),
      callOf("2", "read", { path: "b" }),
      result("1", "abc"),
      result("2", "missing", true),
    ]),
    "● read a\n● read b\n  ✓ 5 ms, 3 B read a\n  ✗ missing (5 ms, 7 B) read b\n",
  );
});

Deno.test("live output has of a progress bar the last frame, and of CRLF one line end", async () => {
  const bar = ["\r1 %", "\r", "2 %\r3", " %", "\r\ndone\r", "\n\x1b[2K\rlast", "\r"];
  const screen = await shown([
    callOf("1"),
    ...bar.map((piece) => live("1", piece)),
    result("1", "abc"),
  ]);
  assert.match(screen, /\n {2}3 %\n {2}done\n {2}last\n {2}✓/);
});

Deno.test("live output is cut to the screen and to ten lines", async () => {
  const lines = Array.from({ length: 30 }, (_, index) => `line ${index}\n`).join("");
  const screen = await shown([callOf("1"), live("1", lines), result("1", "x")]);
  assert.match(screen, /line 9\n {2}… 20 more lines\n {2}✓/);
  const wide = await shown([callOf("1"), live("1", "x".repeat(100_000)), result("1", "x")]);
  assert.ok(wide.split("\n").every((line) => line.length < 80));
  const cjk = await shown([callOf("1"), live("1", "漢".repeat(100)), result("1", "x")]);
  assert.match(cjk, /\n {2}漢{38}…\n/);
});

Deno.test("nothing that is foreign drives the terminal, wherever it is cut", async () => {
  const evil = "\x1b]0;EVIL\x07\x1b[2Jred\r\n10%\r100%\n\x9b31m\u202e";
  for (let cut = 0; cut <= evil.length; cut++) {
    const pieces = [evil.slice(0, cut), evil.slice(cut)];
    const screen = await shown([
      start(),
      ...pieces.map(think),
      ...pieces.map(text),
      callOf("1", evil, { command: evil }),
      ...pieces.map((piece) => live("1", piece)),
      result("1", `@@ -1 +1 @@\n+${evil}`),
      callOf("2"),
      result("2", evil, true),
      { type: "diagnostic", level: "warning", message: evil },
      { type: "error", message: evil, code: "internal" },
      runEnd,
    ]);
    // deno-lint-ignore no-control-regex -- they are what is looked for
    assert.doesNotMatch(screen, /[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]/);
    assert.match(screen, /red\n10%\n100%\n/);
  }
});

Deno.test("a notice in the middle of code ends neither the code nor a word", async () => {
  let text = "";
  const write = (piece: string) => Promise.resolve(void (text += piece));
  const screen = createScreen({ columns: () => 20, writeAnswer: write, writeAside: write });
  const sink = consoleSink(screen, createStyle(false), { flows: true });
  const code = "```\nlet a = 1; let b = 2; let c = 3;\n";
  const say = (delta: string) => sink({ type: "message_delta", step: 1, delta, model }, {});
  await sink(start(), {});
  await say(code);
  await sink({ type: "diagnostic", level: "info", message: "a notice" }, {});
  await say("let a = 1; let b = 2; let c = 3;\n```\nwor");
  await sink({ type: "queue", action: "enqueue", mode: "steer", content: "x", depth: 1 }, {});
  await say("ld\n");
  await sink(runEnd, {});
  assert.equal(
    text,
    `${code}note: a notice\nlet a = 1; let b = 2; let c = 3;\n\`\`\`\n  next: x\nworld\n`,
  );
});

Deno.test("thinking is dimmed and stands apart from the answer", async () => {
  assert.equal(
    await shown([start(), think("hm"), think("m"), text("Yes."), runEnd], true),
    "\x1b[2mhm\x1b[22m\x1b[2mm\x1b[22m\nYes.\n",
  );
  assert.equal(
    await shown([start(), think("hm\n"), text("Yes."), runEnd], true),
    "\x1b[2mhm\n\x1b[22mYes.\n",
  );
});

Deno.test("a step that starts again begins on a line of its own", async () => {
  assert.equal(await shown([start(), text("Hel"), start(), text("Hello"), runEnd]), "Hel\nHello\n");
});
