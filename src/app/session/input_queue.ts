/** The input that waits while a prompt is worked on. */
import type { QueuedInput, QueueKind, QueueMode } from "../../core/conversation.ts";
import type { AgentEvent, Emit } from "../../core/event.ts";

export interface InputQueue {
  readonly waiting: readonly QueuedInput[];
  readonly modes: Readonly<Record<QueueKind, QueueMode>>;
  /** What enters now: steering after results, steering and then follow-ups at the end of a turn. */
  take(moment: "after_results" | "at_end"): QueuedInput[];
  enqueue(input: QueuedInput): Promise<void>;
  /** Takes the next input out, for a prompt of its own. */
  dequeue(): Promise<QueuedInput | undefined>;
  clear(): Promise<void>;
  setMode(kind: QueueKind, mode: QueueMode): void;
}

export function createInputQueue(modes: Record<QueueKind, QueueMode>, emit: Emit): InputQueue {
  let waiting: QueuedInput[] = [];
  const current = { ...modes };

  function takeKind(kind: QueueKind, mode: QueueMode): QueuedInput[] {
    const all = waiting.filter((input) => input.kind === kind);
    const taken = mode === "all" ? all : all.slice(0, 1);
    waiting = waiting.filter((input) => !taken.includes(input));
    return taken;
  }

  return {
    get waiting() {
      return waiting;
    },
    modes: current,
    take(moment) {
      const steering = takeKind("steer", current.steer);
      return steering.length > 0 || moment === "after_results"
        ? steering
        : takeKind("follow_up", current.follow_up);
    },
    async enqueue(input) {
      waiting = [...waiting, input];
      await emit(queueEvent("enqueue", waiting.length, input));
    },
    async dequeue() {
      const one = "one-at-a-time";
      const input = takeKind("steer", one)[0] ?? takeKind("follow_up", one)[0];
      if (input) await emit(queueEvent("dequeue", waiting.length, input));
      return input;
    },
    async clear() {
      waiting = [];
      await emit({ type: "queue", action: "clear", depth: 0 });
    },
    setMode: (kind, mode) => void (current[kind] = mode),
  };
}

/** What is announced when input comes or goes in; `depth` inputs wait after it. */
export function queueEvent(
  action: "enqueue" | "dequeue",
  depth: number,
  input: QueuedInput,
): AgentEvent {
  return {
    type: "queue",
    action,
    mode: input.kind,
    content: input.content.toWellFormed(),
    depth,
    ...(input.requestId === undefined ? {} : { request_id: input.requestId }),
  };
}
