/** RPC mode: commands in, one response each, events between; ends with stdin or the signal. */
import type {
  Conversation,
  ConversationState,
  QueueKind,
  QueueMode,
  RunOutcome,
} from "../../core/conversation.ts";
import type { Mode } from "../../core/capability.ts";
import type { AgentEvent, Emit } from "../../core/event.ts";
import { exitStatus, messageOf } from "../../core/failure.ts";
import { ClosedOutput } from "../../core/host.ts";
import { exitStatusOfInterruption, Interruption, interruptionOf } from "../../core/interruption.ts";
import type { JsonObject } from "../../core/json.ts";
import { assertNever } from "../../lib/assert_never.ts";
import { delay } from "../../lib/delay.ts";
import type { RpcApprovals } from "./approvals.ts";
import { type Command, readCommand } from "./commands.ts";
import { type InputLine, maxLineBytes, readLines } from "./input_lines.ts";

export interface RpcServices {
  readonly conversation: Conversation;
  readonly approvals: RpcApprovals;
  readonly input: AsyncIterable<Uint8Array>;
  /** Writes one record outside of a run. */
  readonly emit: Emit;
  listTools(): JsonObject[];
  /** Throws `RunFailure` where what was read cannot be used; then all is as it was. */
  reload(): Promise<void>;
  /** Called when no more commands are taken: what follows are the last records. */
  onLastCommand(): void;
  /** Aborts for a signal that ends the program. */
  readonly signal: AbortSignal;
}

export type RpcEnd = Pick<RunOutcome, "status" | "exitStatus">;

/** Serves until shutdown, the end of stdin, or the signal. Throws what cannot be sent to the client. */
export async function serveRpc(services: RpcServices): Promise<RpcEnd> {
  const { conversation, approvals } = services;
  let running: Promise<void> | undefined;
  let stop = new AbortController();
  const broken = Promise.withResolvers<never>();
  broken.promise.catch(() => {});

  const respond = (id: string, command: string, more: JsonObject = {}, busy?: boolean) =>
    services.emit({
      type: "response",
      id,
      command,
      ok: true,
      state: stateOf(conversation.state(), busy ?? running !== undefined),
      ...more,
    } as AgentEvent);
  const refuse = (id: string, command: string | undefined, error: string) =>
    services.emit({
      type: "response",
      id,
      ...(command === undefined ? {} : { command }),
      ok: false,
      error: error.toWellFormed(),
    });

  async function work(text: string, signal: AbortSignal): Promise<void> {
    let outcome = await conversation.prompt(text, signal);
    // What came in just as the run ended has missed it, and is a prompt of its own.
    while (outcome.status === "done" && conversation.state().queued.length > 0) {
      const late = await conversation.dequeue();
      if (late === undefined) return;
      outcome = await conversation.prompt(late.content, signal);
    }
  }

  function begin(text: string): void {
    stop = new AbortController();
    running = work(text, AbortSignal.any([stop.signal, services.signal]))
      .finally(() => running = undefined);
    running.catch(broken.reject);
  }

  /** A client that has read the end of a run may begin the next at once. */
  async function overIfEnded(): Promise<void> {
    while (running !== undefined && !conversation.state().busy) {
      await Promise.race([running, delay(1)]);
    }
  }

  async function take(kind: QueueKind, message: string, { id, name }: Command): Promise<void> {
    await overIfEnded();
    if (running === undefined) {
      await respond(id, name, {}, true);
      begin(message);
      return;
    }
    await conversation.enqueue({ kind, content: message, requestId: id });
    await respond(id, name);
  }

  /** False for shutdown. */
  async function handle(command: Command): Promise<boolean> {
    const { id, name, fields } = command;
    if (fields.permissions === "ask") approvals.optIn();
    const message = String(fields.message ?? "");
    switch (name) {
      case "prompt": {
        const behavior = fields.streaming_behavior ?? undefined;
        await overIfEnded();
        if (running !== undefined && behavior === undefined) {
          const problem = "a prompt is running: streaming_behavior: expected steer or follow_up";
          await refuse(id, name, problem);
        } else await take(behavior === "follow_up" ? "follow_up" : "steer", message, command);
        return true;
      }
      case "steer":
      case "follow_up":
        await take(name, message, command);
        return true;
      case "set_steering_mode":
      case "set_follow_up_mode":
        conversation.setQueueMode(
          name === "set_steering_mode" ? "steer" : "follow_up",
          fields.mode as QueueMode,
        );
        break;
      case "clear_queue":
        await conversation.clearQueue();
        break;
      case "interrupt":
        stop.abort(new Interruption("client"));
        approvals.denyAll();
        break;
      case "set_mode":
        await conversation.setMode(fields.mode as Mode);
        break;
      case "approve": {
        const problem = approvals.answer(String(fields.request_id), String(fields.answer));
        if (problem === undefined) break;
        await refuse(id, name, problem);
        return true;
      }
      case "list_tools":
        await respond(id, name, { tools: services.listTools() });
        return true;
      case "reload":
        await overIfEnded();
        if (running !== undefined) {
          await refuse(id, name, "a prompt is being worked on: interrupt it, or wait for its end");
          return true;
        }
        await services.reload();
        break;
      case "get_state":
        break;
      case "shutdown":
        await respond(id, name);
        return false;
      default:
        return assertNever(name);
    }
    await respond(id, name);
    return true;
  }

  async function takeLine(line: InputLine): Promise<boolean> {
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
      if (error instanceof ClosedOutput) throw error;
      await refuse(command.id, command.name, messageOf(error));
      return true;
    }
  }

  await Promise.race([readLines(services.input, services.signal, takeLine), broken.promise]);
  services.onLastCommand();
  stop.abort(new Interruption("client"));
  approvals.denyAll();
  await running;
  return endOf(services.signal);
}

function endOf(signal: AbortSignal): RpcEnd {
  // SIGINT is a client's usual way to say that it is done.
  if (!signal.aborted || interruptionOf(signal).source === "SIGINT") {
    return { status: "done", exitStatus: exitStatus.done };
  }
  const { source } = interruptionOf(signal);
  return {
    status: source === "timeout" ? "limit" : "interrupted",
    exitStatus: exitStatusOfInterruption(source),
  };
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
