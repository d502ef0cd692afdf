/** The input that waits while a prompt is worked on. */
import type { AttachedParts, QueuedInput, QueueKind, QueueMode } from "../../core/conversation.ts";
import type { AgentEvent, Emit } from "../../core/event.ts";
import { RunFailure } from "../../core/failure.ts";
import { byteLength } from "../../lib/well_formed.ts";

export interface InputQueue {
  readonly waiting: readonly QueuedInput[];
  readonly modes: Readonly<Record<QueueKind, QueueMode>>;
  /** What enters now: steering after results, steering and then follow-ups at the end of a turn. */
  take(moment: "after_results" | "at_end"): QueuedInput[];
  /** Throws `RunFailure("usage")` where too much would wait. */
  enqueue(input: QueuedInput): Promise<void>;
  /** Takes the next input out, for a prompt of its own. */
  dequeue(): Promise<QueuedInput | undefined>;
  clear(): Promise<void>;
  setMode(kind: QueueKind, mode: QueueMode): void;
}

const maxBytes = 16 * 1024 * 1024;
/** What an input costs beside its text. */
const bytesPerInput = 128;

export function createInputQueue(modes: Record<QueueKind, QueueMode>, emit: Emit): InputQueue {
  let waiting: QueuedInput[] = [], bytes = 0;
  const current = { ...modes };

  function takeKind(kind: QueueKind, mode: QueueMode): QueuedInput[] {
    const taken: QueuedInput[] = [], left: QueuedInput[] = [];
    for (const input of waiting) {
      const takes = input.kind === kind && (mode === "all" || taken.length === 0);
      (takes ? taken : left).push(input);
    }
    waiting = left;
    for (const input of taken) bytes -= sizeOf(input);
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
      const size = sizeOf(input);
      if (bytes + size > maxBytes) {
        throw new RunFailure(
          "usage",
          `the queue is full: expected at most ${maxBytes} bytes of input to wait, found ` +
            `${bytes + size}; wait for the run to take some in, or clear the queue`,
        );
      }
      bytes += size;
      waiting.push(input);
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
      bytes = 0;
      await emit({ type: "queue", action: "clear", depth: 0 });
    },
    setMode: (kind, mode) => void (current[kind] = mode),
  };
}

function sizeOf({ content, attached }: QueuedInput): number {
  const ofPart = (part: AttachedParts["parts"][number]) =>
    part.type === "text" ? byteLength(part.text) : part.data.length;
  return (attached?.parts ?? []).reduce((sum, part) => sum + ofPart(part), byteLength(content)) +
    bytesPerInput;
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
