import assert from "node:assert/strict";
import { createInputQueue } from "../../src/app/session/input_queue.ts";
import type { QueueKind, QueueMode } from "../../src/core/conversation.ts";
import type { AgentEvent } from "../../src/core/event.ts";

function queueWith(steer: QueueMode = "one-at-a-time", follow_up: QueueMode = "one-at-a-time") {
  const events: AgentEvent[] = [];
  const emit = (event: AgentEvent) => Promise.resolve(void events.push(event));
  const queue = createInputQueue({ steer, follow_up }, emit);
  return {
    queue,
    events,
    async add(...inputs: `${QueueKind} ${string}`[]) {
      for (const input of inputs) {
        const [kind, content] = input.split(" ") as [QueueKind, string];
        await queue.enqueue({ kind, content });
      }
    },
    take: (moment: "after_results" | "at_end") => queue.take(moment).map(({ content }) => content),
  };
}

Deno.test("steering enters after results, follow-ups at the end only", async () => {
  const { add, take, queue } = queueWith();
  await add("follow_up a", "steer b", "steer c", "follow_up d");
  assert.deepEqual(take("after_results"), ["b"]);
  assert.deepEqual(take("at_end"), ["c"], "steering first");
  assert.deepEqual(take("after_results"), []);
  assert.deepEqual(take("at_end"), ["a"]);
  assert.deepEqual(queue.waiting.map(({ content }) => content), ["d"]);
});

Deno.test("all of a kind enters at once where its mode says so", async () => {
  const { add, take, queue } = queueWith("all");
  await add("steer a", "follow_up b", "steer c", "follow_up d");
  assert.deepEqual(take("after_results"), ["a", "c"]);
  queue.setMode("follow_up", "all");
  assert.deepEqual(queue.modes, { steer: "all", follow_up: "all" });
  assert.deepEqual(take("at_end"), ["b", "d"]);
});

Deno.test("dequeue takes one, whatever the mode, and keeps the order of the rest", async () => {
  const { add, queue, events } = queueWith("all", "all");
  await add("follow_up a", "steer b", "follow_up c", "steer d");
  const order: (string | undefined)[] = [];
  for (let n = 0; n < 5; n++) order.push((await queue.dequeue())?.content);
  assert.deepEqual(order, ["b", "d", "a", "c", undefined]);
  const depths = events.map((event) => event.type === "queue" ? event.depth : undefined);
  assert.deepEqual(depths, [1, 2, 3, 4, 3, 2, 1, 0]);
});

Deno.test("what comes and goes is announced, with the command that brought it", async () => {
  const { queue, events } = queueWith();
  await queue.enqueue({ kind: "steer", content: "half \ud800", requestId: "r" });
  await queue.clear();
  assert.deepEqual(events, [
    {
      type: "queue",
      action: "enqueue",
      mode: "steer",
      content: "half \ufffd",
      depth: 1,
      request_id: "r",
    },
    { type: "queue", action: "clear", depth: 0 },
  ]);
  assert.deepEqual(queue.waiting, []);
});
