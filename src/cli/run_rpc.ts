/** A run in RPC mode. */
import { openSessionManager } from "../app/session/session_manager.ts";
import { toolFacts } from "../app/list_tools.ts";
import type { SessionManager } from "../core/session_manager.ts";
import { exitStatus } from "../core/failure.ts";
import type { AgentEvent, Sink } from "../core/event.ts";
import type { Host } from "../core/host.ts";
import type { JsonObject } from "../core/json.ts";
import type { Person } from "../core/person.ts";
import type { RecordStream } from "../front/json.ts";
import { rpcApprovals } from "../front/rpc/approvals.ts";
import { serveRpc } from "../front/rpc/serve.ts";
import type { Options } from "./command_line.ts";

export async function runRpc(
  options: Options,
  host: Host,
  signal: AbortSignal,
  records: RecordStream,
  exit: (status: number) => void,
): Promise<number> {
  const sink = oneStart(records.sink);
  const current: { manager?: SessionManager } = {};
  const conversation = () => current.manager!.conversation();
  const emit = (event: AgentEvent) =>
    sink(event, current.manager ? { session_id: conversation().state().sessionId } : {});
  const approvals = rpcApprovals(emit, () => host.randomId(12));
  const person: Person = {
    get askPermission() {
      return approvals.ask;
    },
    askTrust: undefined,
  };
  let patience: ReturnType<typeof setTimeout> | undefined;
  const giveUp = async () => {
    await host.processes.endAll();
    await host.terminal.writeErr("nimlet: the last records were not read; ended without them\n");
    exit(exitStatus.failed);
  };
  const manager = current.manager = await openSessionManager({
    runOptions: options,
    host,
    sink,
    person,
    signal,
  });
  try {
    await manager.open();
    const end = await serveRpc({
      conversation,
      approvals,
      input: host.terminal.readIn(signal),
      emit,
      listTools: () =>
        conversation().tools().map((tool) => toolFacts(tool) as unknown as JsonObject),
      reload: () => reload(manager),
      onLastCommand: () => void (patience = setTimeout(() => void giveUp(), maxLastRecordsMs)),
      signal,
    });
    await manager.close();
    await conversation().close(end);
    return end.exitStatus;
  } finally {
    await manager.close();
    clearTimeout(patience);
  }
}

/** How long a client that has said its last may take to read what is still to come. */
const maxLastRecordsMs = 15_000;

/** A stream has one first record, however often its conversation is set up anew. */
function oneStart(sink: Sink): Sink {
  let started = false;
  return async (event, ids) => {
    if (event.type === "session_start" && started) return;
    started ||= event.type === "session_start";
    await sink(event, ids);
  };
}

/** Reads everything again; what the client has set and what waits stays. */
async function reload(manager: SessionManager): Promise<void> {
  const { queueModes, queued } = manager.conversation().state();
  await manager.reload();
  const conversation = manager.conversation();
  conversation.setQueueMode("steer", queueModes.steer);
  conversation.setQueueMode("follow_up", queueModes.follow_up);
  for (const input of queued) await conversation.enqueue(input);
}
