/** Owns RPC mode: commands in, one response each, events between; ends with stdin or the signal. */
import type { Conversation, ConversationState, RunOutcome } from "../../core/conversation.ts";
import type { Mode } from "../../core/capability.ts";
import type { AgentEvent } from "../../core/event.ts";
import { exitStatus, messageOf } from "../../core/failure.ts";
import { Interruption, interruptionOf } from "../../core/interruption.ts";
import type { JsonObject } from "../../core/json.ts";
import { assertNever } from "../../lib/assert_never.ts";
import { splitLines } from "../../lib/jsonl.ts";
import type { RpcApprovals } from "./approvals.ts";
import { type Command, readCommand } from "./commands.ts";

export interface RpcParts {
  readonly conversation: Conversation;
  readonly approvals: RpcApprovals;
  readonly input: AsyncIterable<Uint8Array>;
  /** Writes one record outside of a run. */
  emit(event: AgentEvent): Promise<void>;
  listTools(): JsonObject[];
  /** Aborts for a signal that ends the program. */
  readonly signal: AbortSignal;
}

const maxLineBytes = 64 * 1024 * 1024;

export type RpcEnd = Pick<RunOutcome, "status" | "exitStatus">;

/** Serves until shutdown, the end of stdin, or the signal. */
export async function serveRpc(parts: RpcParts): Promise<RpcEnd> {
  const { conversation, approvals } = parts;
  let running: Promise<void> | undefined;
  let stop = new AbortController();

  const respond = (id: string, command: string, more: JsonObject = {}) =>
    parts.emit({
      type: "response",
      id,
      command,
      ok: true,
      state: stateOf(conversation.state(), running !== undefined),
      ...more,
    } as AgentEvent);
  const refuse = (id: string, command: string | undefined, error: string) =>
    parts.emit({
      type: "response",
      id,
      ...(command === undefined ? {} : { command }),
      ok: false,
      error: error.toWellFormed(),
    });

  function begin(text: string): void {
    stop = new AbortController();
    const signal = AbortSignal.any([stop.signal, parts.signal]);
    running = conversation.prompt(text, signal).then(() => {}).finally(() => running = undefined);
    // A reader that has gone is noticed by the next response.
    running.catch(() => {});
  }

  /** False for shutdown. */
  async function handle({ id, name, fields }: Command): Promise<boolean> {
    if (fields.permissions === "ask") approvals.optIn();
    const message = String(fields.message ?? "");
    switch (name) {
      case "prompt": {
        if (!running) {
          begin(message);
          await respond(id, name);
          return true;
        }
        const behavior = fields.streamingBehavior;
        if (behavior === undefined || behavior === null) {
          await refuse(
            id,
            name,
            "a prompt is being worked on: streamingBehavior: expected steer or followUp",
          );
          return true;
        }
        const kind = behavior === "steer" ? "steer" : "follow_up";
        await conversation.enqueue({ kind, content: message, requestId: id });
        await respond(id, name);
        return true;
      }
      case "steer":
      case "follow_up":
        if (running) await conversation.enqueue({ kind: name, content: message, requestId: id });
        else begin(message);
        await respond(id, name);
        return true;
      case "set_steering_mode":
      case "set_follow_up_mode": {
        const kind = name === "set_steering_mode" ? "steer" : "follow_up";
        conversation.setQueueMode(kind, fields.mode as "all" | "one-at-a-time");
        await respond(id, name);
        return true;
      }
      case "clear_queue":
        await conversation.clearQueue();
        await respond(id, name);
        return true;
      case "interrupt":
        stop.abort(new Interruption("client"));
        approvals.denyAll();
        await respond(id, name);
        return true;
      case "set_mode":
        await conversation.setMode(fields.mode as Mode);
        await respond(id, name);
        return true;
      case "approve": {
        const problem = approvals.answer(String(fields.request_id), String(fields.answer));
        if (problem === undefined) await respond(id, name);
        else await refuse(id, name, problem);
        return true;
      }
      case "list_tools":
        await respond(id, name, { tools: parts.listTools() });
        return true;
      case "get_state":
        await respond(id, name);
        return true;
      case "shutdown":
        await respond(id, name);
        return false;
      default:
        return assertNever(name);
    }
  }

  await readLines(parts.input, parts.signal, async (line) => {
    if ("tooLong" in line) {
      await refuse("", undefined, `expected a line of at most ${maxLineBytes} bytes`);
      return true;
    }
    if (line.text.trim() === "") return true;
    const command = readCommand(line.text);
    if (!("name" in command)) {
      await refuse(command.id, command.command, command.error);
      return true;
    }
    try {
      return await handle(command);
    } catch (error) {
      if (error instanceof Error && error.name === "ClosedOutput") throw error;
      await refuse(command.id, command.name, messageOf(error));
      return true;
    }
  });

  stop.abort(new Interruption("client"));
  approvals.denyAll();
  await running;
  if (!parts.signal.aborted) return { status: "done", exitStatus: exitStatus.done };
  const { source } = interruptionOf(parts.signal);
  // SIGINT is a client's usual way to say that it is done.
  if (source === "SIGINT") return { status: "done", exitStatus: exitStatus.done };
  const { exitStatusOfInterruption } = await import("../../core/interruption.ts");
  return {
    status: source === "timeout" ? "limit" : "interrupted",
    exitStatus: exitStatusOfInterruption(source),
  };
}

type Line = { readonly text: string } | { readonly tooLong: number };

/** Hands lines on until `take` says false, the input ends, or the signal aborts. */
async function readLines(
  input: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
  take: (line: Line) => Promise<boolean>,
): Promise<void> {
  const aborted = new Promise<"aborted">((resolve) => {
    if (signal.aborted) resolve("aborted");
    signal.addEventListener("abort", () => resolve("aborted"), { once: true });
  });
  const lines = splitLines(input, maxLineBytes)[Symbol.asyncIterator]();
  while (true) {
    const next = await Promise.race([lines.next(), aborted]);
    if (next === "aborted" || next.done) return;
    if (!await take(next.value)) return;
  }
}

function stateOf(state: ConversationState, busy: boolean): JsonObject {
  return {
    session_id: state.sessionId,
    workspace: state.workspace,
    mode: state.mode,
    provider: state.provider,
    model: state.model,
    ...(state.thinking === undefined ? {} : { thinking: state.thinking }),
    busy,
    queue_depth: state.queued.length,
    steering_mode: state.queueModes.steer,
    follow_up_mode: state.queueModes.follow_up,
  };
}
