/** The input that waits while a prompt is worked on. */
import type { QueuedInput, QueueKind, QueueMode } from "../../core/conversation.ts";
import type { AgentEvent } from "../../core/event.ts";

export interface InputQueue {
  readonly waiting: readonly QueuedInput[];
  readonly modes: Readonly<Record<QueueKind, QueueMode>>;
  add(input: QueuedInput): void;
  /** What enters now: steering after results, steering and then follow-ups at the end of a turn. */
  take(moment: "after_results" | "at_end"): QueuedInput[];
  /** Puts what was taken back, in front of all else. */
  giveBack(inputs: readonly QueuedInput[]): void;
  clear(): void;
  setMode(kind: QueueKind, mode: QueueMode): void;
}

export function createInputQueue(modes: Record<QueueKind, QueueMode>): InputQueue {
  let waiting: QueuedInput[] = [];
  const current = { ...modes };

  function takeKind(kind: QueueKind): QueuedInput[] {
    const all = waiting.filter((input) => input.kind === kind);
    const taken = current[kind] === "all" ? all : all.slice(0, 1);
    waiting = waiting.filter((input) => !taken.includes(input));
    return taken;
  }

  return {
    get waiting() {
      return waiting;
    },
    modes: current,
    add: (input) => void (waiting = [...waiting, input]),
    take(moment) {
      const steering = takeKind("steer");
      return steering.length > 0 || moment === "after_results" ? steering : takeKind("follow_up");
    },
    giveBack: (inputs) => void (waiting = [...inputs, ...waiting]),
    clear: () => void (waiting = []),
    setMode: (kind, mode) => void (current[kind] = mode),
  };
}

/** What is told when input comes or goes in; `depth` inputs wait after it. */
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
