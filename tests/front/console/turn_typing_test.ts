import assert from "node:assert/strict";
import type { Conversation, QueuedInput } from "../../../src/core/conversation.ts";
import { openHistory } from "../../../src/front/console/history.ts";
import type { Typed } from "../../../src/front/console/keyboard.ts";
import type { LineEditor } from "../../../src/front/console/line_editor_port.ts";
import { createScreen } from "../../../src/front/console/screen.ts";
import { createStatusLine } from "../../../src/front/console/status_line.ts";
import { createStyle } from "../../../src/front/console/style.ts";
import { createTurnTyping, shownInput } from "../../../src/front/console/turn_typing.ts";

/** A turn that is busy until it is said to be over; commands take a moment to be told from prompts. */
function turn() {
  const queue: QueuedInput[] = [], fed: string[] = [];
  let busy = true, written = "";
  const write = (text: string) => Promise.resolve(void (written += text));
  const screen = createScreen({ columns: () => 80, writeAnswer: write, writeAside: write });
  const style = createStyle(false);
  const conversation = {
    state: () => ({ busy }),
    enqueue: (input: QueuedInput) => Promise.resolve(void queue.push(input)),
    dequeue: () => Promise.resolve(queue.shift()),
  } as unknown as Conversation;
  const editor = {
    isIdle: () => fed.length === 0,
    feed: (typed: Typed) => void fed.push("text" in typed ? typed.text : typed.kind),
  } as unknown as LineEditor;
  const typing = createTurnTyping({
    conversation: () => conversation,
    isForConsole: (line) => Promise.resolve(line.startsWith("/")),
    editor,
    history: openHistory(undefined),
    screen,
    style,
    status: createStatusLine(screen, style, { monotonic: () => 0 }),
  });
  const keys = (text: string) => typing.take({ kind: "keys", text });
  return {
    typing,
    queue,
    fed,
    keys,
    over: () => void (busy = false),
    written: () => written,
  };
}

Deno.test("what was sent and did not enter is sent with the next lines, in its order", async () => {
  const { typing, queue, fed, keys, over } = turn();
  assert.ok(keys("one\rtwo\x1b\r/help\rhal"));
  over();
  await typing.settle({ status: "done" });
  assert.deepEqual(queue, []);
  assert.deepEqual(fed, ["one", "\r", "two", "\r", "/help", "\r", "hal"]);
  assert.equal(keys("f"), false);
});

Deno.test("a turn that did not end well sends nothing of it", async () => {
  const { typing, fed, keys, over } = turn();
  keys("one\r/help\rtwo");
  over();
  await typing.settle({ status: "failed" });
  assert.deepEqual(fed, ["one\n/help\ntwo"]);
});

Deno.test("a text that the turn's end comes in between is one text", async () => {
  const { typing, fed, keys, over } = turn();
  keys("par");
  over();
  assert.ok(keys("tial\r"));
  await typing.settle({ status: "done" });
  assert.deepEqual(fed, ["partial", "\r"]);
});

Deno.test("long input is repeated by its start", () => {
  assert.equal(shownInput("a\nb"), "a\nb");
  assert.equal(shownInput("x\n".repeat(9)), `${"x\n".repeat(8)}… 2 more lines`);
  assert.equal(shownInput("x".repeat(600)).length, 501);
});
