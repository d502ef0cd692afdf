/** RPC mode: commands in, one response each, events between; ends with stdin or the signal. */
import type {
  AttachedParts,
  AttachmentSource,
  Conversation,
  QueueKind,
  RunOutcome,
} from "../../core/conversation.ts";
import type { AgentEvent, Emit } from "../../core/event.ts";
import { exitStatus, messageOf, RunFailure } from "../../core/failure.ts";
import { ClosedOutput } from "../../core/host.ts";
import { exitStatusOfInterruption, interruptionOf } from "../../core/interruption.ts";
import type { JsonObject } from "../../core/json.ts";
import { delay } from "../../lib/delay.ts";
import type { RpcApprovals } from "./approvals.ts";
import { attachmentsOf } from "./attachments.ts";
import { commandOrder } from "./command_order.ts";
import { type Command, readCommand } from "./commands.ts";
import { type InputLine, maxLineBytes, readLines } from "./input_lines.ts";
import { promptWork } from "./prompt_work.ts";
import { type ChangeServices, runChange } from "./run_change.ts";
import { stateOf } from "./state.ts";

export interface RpcServices extends ChangeServices {
  readonly conversation: Conversation;
  readonly approvals: RpcApprovals;
  readonly input: AsyncIterable<Uint8Array>;
  /** Writes one record outside of a run. */
  readonly emit: Emit;
  /** Throws `RunFailure` for a file that cannot be sent. */
  attach(sources: readonly AttachmentSource[]): Promise<AttachedParts>;
  /** Called when no more commands are taken: what follows are the last records. */
  onLastCommand(): void;
  /** Aborts for a signal that ends the program. */
  readonly signal: AbortSignal;
}

export type RpcEnd = Pick<RunOutcome, "status" | "exitStatus">;

/** How long commands that came before the end of stdin may take. */
const patienceAtEndMs = 10_000;

/** Serves until shutdown, the end of stdin, or the signal. Throws what cannot be sent to the client. */
export async function serveRpc(services: RpcServices): Promise<RpcEnd> {
  const { conversation, approvals, signal } = services;
  const work = promptWork(conversation, signal);
  const order = commandOrder(handle, ({ id, name }, error) => refuse(id, name, error), signal);
  let shutDown = false;
  conversation.whenIdleInput(() => order.between(work.wake));

  async function respond({ id, name }: Command, more: JsonObject = {}, busy?: boolean) {
    await services.emit({
      type: "response",
      id,
      command: name,
      ok: true,
      state: stateOf(conversation.state(), busy ?? work.busy),
      ...more,
    } as AgentEvent);
  }

  async function refuse(id: string, command: string | undefined, error: string) {
    await services.emit({
      type: "response",
      id,
      ...(command === undefined ? {} : { command }),
      ok: false,
      error: error.toWellFormed(),
    });
  }

  async function take(command: Command, stopped: AbortSignal): Promise<void> {
    const { name, fields } = command;
    const text = String(fields.message);
    const sources = attachmentsOf(fields.attachments);
    const attached = sources.length === 0 ? undefined : await services.attach(sources);
    await work.settled();
    if (!work.busy) {
      const onAdmitted = async (problem?: string) => {
        if (problem === undefined) await respond(command, {}, true);
        else await refuse(command.id, name, problem);
      };
      work.begin({ text, ...attached && { attached }, onAdmitted });
      if (stopped.aborted) work.interrupt();
      return;
    }
    const kind = name === "prompt" ? fields.streaming_behavior ?? undefined : name;
    if (kind === undefined) {
      const expected = "a prompt is running: streaming_behavior: expected steer or follow_up";
      throw new RunFailure("usage", expected);
    }
    const queued = { kind: kind as QueueKind, content: text, requestId: command.id };
    await conversation.enqueue({ ...queued, ...attached && { attached } });
    await respond(command);
  }

  async function carryOut(command: Command, stopped: AbortSignal): Promise<void> {
    switch (command.name) {
      case "prompt":
      case "steer":
      case "follow_up":
        return await take(command, stopped);
      case "interrupt":
        work.interrupt();
        approvals.denyAll();
        await order.interrupt();
        break;
      case "shutdown":
        shutDown = true;
        break;
      case "get_state":
        break;
      case "approve": {
        const { request_id, answer } = command.fields;
        const problem = approvals.answer(String(request_id), String(answer));
        if (problem === undefined) break;
        throw new RunFailure("usage", problem);
      }
      default: {
        const change = { name: command.name, fields: command.fields };
        const result = await runChange(change, services, work, stopped);
        return await respond(command, result === undefined ? {} : { result });
      }
    }
    await respond(command);
  }

  async function handle(command: Command, stopped: AbortSignal): Promise<void> {
    if (command.fields.permissions === "ask") approvals.optIn();
    try {
      await carryOut(command, stopped);
    } catch (error) {
      if (error instanceof ClosedOutput) throw error;
      await refuse(command.id, command.name, messageOf(stopped.aborted ? stopped.reason : error));
    }
  }

  /** False after shutdown. */
  async function takeLine(line: InputLine): Promise<boolean> {
    if ("tooLong" in line) {
      await refuse("", undefined, `expected a line of at most ${maxLineBytes} bytes`);
      return true;
    }
    if (line.text.trim() === "") return true;
    const command = readCommand(line.text);
    if ("name" in command) await order.take(command);
    else await refuse(command.id, command.command, command.error);
    return !shutDown;
  }

  async function serve(): Promise<void> {
    await readLines(services.input, signal, takeLine);
    if (shutDown || signal.aborted) return;
    const patience = new AbortController();
    const late = delay(patienceAtEndMs, AbortSignal.any([signal, patience.signal]));
    await Promise.race([order.done(), late.catch(() => {})]);
    patience.abort();
  }

  await Promise.race([serve(), work.broken, order.broken]);
  conversation.whenIdleInput(() => {});
  services.onLastCommand();
  await order.interrupt();
  work.interrupt();
  approvals.denyAll();
  await order.done();
  await work.over();
  return endOf(signal);
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
