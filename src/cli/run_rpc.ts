/** A run in RPC mode. */
import { toolEntry } from "../app/list_tools.ts";
import { createChangeManager } from "../app/change_manager.ts";
import { createModelManager } from "../app/model_manager.ts";
import { openConversation } from "../app/open_conversation.ts";
import { createSessionManager } from "../app/session/session_manager.ts";
import type { Conversation } from "../core/conversation.ts";
import type { AgentEvent } from "../core/event.ts";
import { exitStatus } from "../core/failure.ts";
import type { Host } from "../core/host.ts";
import type { JsonObject } from "../core/json.ts";
import type { RecordStream } from "../front/json.ts";
import { runEndTasks } from "../host/at_end.ts";
import { rpcApprovals } from "../front/rpc/approvals.ts";
import { serveRpc } from "../front/rpc/serve.ts";
import type { Options } from "./command_line.ts";

export async function runRpc(
  options: Options,
  host: Host,
  signal: AbortSignal,
  { sink }: RecordStream,
  exit: (status: number) => void,
): Promise<number> {
  const held: { conversation?: Conversation } = {};
  const emit = (event: AgentEvent) =>
    sink(event, held.conversation ? { session_id: held.conversation.state().sessionId } : {});
  const approvals = rpcApprovals(emit, () => host.randomId(12));
  let patience: ReturnType<typeof setTimeout> | undefined;
  const giveUp = async () => {
    await host.processes.endAll();
    await host.terminal.writeErr("nimlet: the last records were not read; ended without them\n");
    await runEndTasks();
    exit(exitStatus.failed);
  };
  const opened = await openConversation({
    runOptions: options,
    host,
    front: "rpc",
    sink,
    person: {
      get askPermission() {
        return approvals.ask;
      },
      askTrust: undefined,
    },
    keepsChanges: true,
    signal,
  });
  const { conversation, reload, finish } = opened;
  held.conversation = conversation;
  try {
    await conversation.open();
    const end = await serveRpc({
      conversation,
      approvals,
      input: host.terminal.readIn(signal),
      emit,
      models: createModelManager(opened),
      sessions: createSessionManager(conversation, options.noSession),
      changes: createChangeManager(conversation),
      attach: async (sources) => {
        const { readAttachments } = await import("../app/attached_files.ts");
        return await readAttachments(sources, conversation.state().workspace, "attachments");
      },
      listTools: () => conversation.tools().map((tool) => toolEntry(tool) as unknown as JsonObject),
      reload,
      onLastCommand: () => void (patience = setTimeout(() => void giveUp(), maxLastRecordsMs)),
      signal,
    });
    await finish();
    await conversation.close(end);
    return end.exitStatus;
  } finally {
    await finish();
    clearTimeout(patience);
  }
}

/** How long a client that has said its last may take to read what is still to come. */
const maxLastRecordsMs = 15_000;
