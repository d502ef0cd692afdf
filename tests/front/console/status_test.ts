import assert from "node:assert/strict";
import type { AgentEvent } from "../../../src/core/event.ts";
import { duration } from "../../../src/front/console/duration.ts";
import { createScreen } from "../../../src/front/console/screen.ts";
import { statusText } from "../../../src/front/console/status_line.ts";
import { turnSummary } from "../../../src/front/console/turn_summary.ts";
import { waitingFor } from "../../../src/front/console/waiting.ts";
import { textWidth } from "../../../src/lib/text_width.ts";

const step = { step: 1, model: "vendor/m" };
const call = (id: string, command: string): AgentEvent => ({
  type: "tool_call",
  step: 1,
  tool_id: id,
  tool_name: "bash",
  input: { command },
});
const result = (id: string): AgentEvent => ({
  type: "tool_result",
  step: 1,
  tool_id: id,
  tool_name: "bash",
  output: "",
  is_error: false,
});
const runEnd: Extract<AgentEvent, { type: "run_end" }> = {
  type: "run_end",
  usage: {},
  status: "done",
  exit_code: 0,
  steps: 1,
  denials: 0,
  files_changed: [],
};

Deno.test("what is waited for follows the events of a run", () => {
  const waiting = waitingFor();
  assert.equal(waiting.now(), undefined);
  const after = (event: AgentEvent, ms: number) => {
    waiting.event(event, ms);
    return waiting.now();
  };
  assert.equal(after({ type: "run_start", prompt: "p" }, 1)?.what, "waiting for the model");
  assert.deepEqual(after({ type: "step_start", ...step }, 2), {
    what: "waiting for m",
    sinceMs: 2,
  });
  after({ type: "thinking_delta", ...step, delta: "12345678" }, 3);
  assert.deepEqual(after({ type: "thinking_delta", ...step, delta: "1" }, 9), {
    what: "thinking",
    sinceMs: 3,
    tokens: 3,
  });
  assert.equal(after({ type: "message_delta", ...step, delta: "x" }, 10)?.what, "answering");
  waiting.writes(4000, 10);
  waiting.writes(8000, 11);
  assert.deepEqual(waiting.now(), { what: "writing a call", sinceMs: 10, tokens: 2000 });
  assert.deepEqual(after(call("1", "npm\ntest"), 11), { what: "bash npm ⏎ test", sinceMs: 11 });
  assert.deepEqual(after(call("2", "ls"), 12), { what: "2 calls", sinceMs: 11 });
  assert.deepEqual(after(result("1"), 13), { what: "bash ls", sinceMs: 12 });
  waiting.restart(20);
  assert.equal(waiting.now()?.sinceMs, 20);
  assert.deepEqual(after(result("2"), 21), { what: "waiting for m", sinceMs: 21 });
  assert.equal(after(runEnd, 22), undefined);
});

Deno.test("the status fits any screen, what is least of use goes first", () => {
  const waited = { what: "bash npm run test:all -- --watch=false", sinceMs: 0, tokens: 1840 };
  const at = (columns: number, typed = "") => statusText(waited, 4200, typed, columns);
  assert.equal(at(79), `${waited.what} · 4 s · 1 840 tokens · Ctrl-C stops`);
  assert.equal(at(59), `${waited.what} · 4 s · Ctrl-C stops`);
  assert.equal(at(40), "bash npm run test:all -- --watch=… · 4 s");
  assert.equal(at(19), "bash npm run… · 4 s");
  assert.equal(
    statusText({ what: "waiting for slow-model", sinceMs: 0 }, 3000, "", 39),
    "waiting for slow-model · 3 s · ^C stops",
  );
  const wide = { what: "bash echo 漢字🎉漢字", sinceMs: 0 };
  for (let columns = 1; columns < 100; columns++) {
    for (const typed of ["", "a line that was typed", "漢字を打つ🎉\nx"]) {
      for (const each of [waited, wide]) {
        const text = statusText(each, 4200, typed, columns);
        assert.ok(textWidth(text) <= columns || columns < 4, `${columns}: ${text}`);
      }
    }
  }
  assert.equal(at(60, "fix it too"), "bash npm run test:a… · 4 s > fix it too");
  assert.match(at(30, "a longer line that is being typed"), /^> ….*that is being typed$/);
});

Deno.test("durations are short", () => {
  assert.deepEqual([0, 999, 59_999, 60_000, 3_725_000].map(duration), [
    "0 s",
    "0 s",
    "59 s",
    "1 min 0 s",
    "1 h 2 min",
  ]);
});

Deno.test("a turn's summary says what is known, and nothing else", () => {
  const end = { ...runEnd, duration_ms: 12_345 };
  assert.equal(turnSummary(runEnd, {}, 0), "");
  assert.equal(turnSummary(end, {}, 200_000), "12 s");
  assert.equal(turnSummary({ ...end, duration_ms: 900 }, {}, 200_000), "");
  assert.equal(
    turnSummary(
      {
        ...end,
        usage: {
          input_tokens: 18_312,
          output_tokens: 402,
          cache_read_tokens: 9000,
          cost_usd: 0.0123,
        },
      },
      { input_tokens: 9_600, output_tokens: 400 },
      100_000,
    ),
    "12 s · 18 312 tokens in (9 000 cached), 402 out · $0.0123 · 90 % of the context left",
  );
  assert.match(turnSummary({ ...end, usage: { cost_usd: 0.00001 } }, {}, 0), /under \$0\.0001$/);
  assert.match(turnSummary({ ...end, usage: { cost_usd: 12.345 } }, {}, 0), /\$12\.35$|\$12\.34$/);
  assert.match(
    turnSummary(end, { input_tokens: 300, output_tokens: 1 }, 200),
    / 0 % of the context left$/,
  );
});

/** What a terminal of 10 columns would be sent. */
function written(movesCursor: boolean) {
  let text = "";
  const write = (piece: string) => Promise.resolve(void (text += piece));
  const screen = createScreen({
    columns: () => 10,
    writeAnswer: write,
    writeAside: write,
    movesCursor,
  });
  return { screen, text: () => text };
}

Deno.test("without a cursor to move no status is written at all", async () => {
  const { screen, text } = written(false);
  await screen.status("waiting");
  await screen.stream("ans", "answer");
  await screen.status("waiting");
  await screen.status(undefined);
  await screen.endLine();
  assert.equal(text(), "ans\n");
});

Deno.test("what is written takes the status away first, and only where it is shown", async () => {
  const { screen, text } = written(true);
  await screen.status("waiting");
  assert.equal(text(), "\x1b[?7lwaiting\x1b[?7h\r");
  await screen.line("x");
  await screen.line("y");
  assert.ok(text().endsWith("\r\x1b[K\x1b7\x1b[B\x1b[J\x1b8x\ny\n"), JSON.stringify(text()));
  const before = text();
  await screen.status(undefined);
  assert.equal(text(), before);
});

Deno.test("a terminal of one row shows no status while a line is open", async () => {
  let text = "";
  const write = (piece: string) => Promise.resolve(void (text += piece));
  const size = { columns: () => 10, rows: () => 1 };
  const screen = createScreen({
    ...size,
    writeAnswer: write,
    writeAside: write,
    movesCursor: true,
  });
  await screen.stream("ans", "answer");
  await screen.status("waiting");
  assert.equal(text, "ans");
});

Deno.test("a line that fills the screen to its edge gets no status below it", async () => {
  const { screen, text } = written(true);
  await screen.stream("x".repeat(20), "answer");
  const before = text();
  await screen.status("waiting");
  assert.equal(text(), before);
  await screen.stream("漢", "answer");
  await screen.status("waiting");
  assert.ok(text().includes("waiting"));
});
