/** Owns a run in RPC mode. */
import { assemble } from "../app/assemble.ts";
import { toolFacts } from "../app/list_tools.ts";
import type { AgentEvent, EventIds } from "../core/event.ts";
import type { Host } from "../core/host.ts";
import type { JsonObject } from "../core/json.ts";
import type { Person } from "../core/person.ts";
import { jsonSink } from "../front/json.ts";
import { rpcApprovals } from "../front/rpc/approvals.ts";
import { serveRpc } from "../front/rpc/serve.ts";
import type { Options } from "./options.ts";

export async function runRpc(options: Options, host: Host, signal: AbortSignal): Promise<number> {
  const sink = jsonSink(host.terminal);
  let ids: EventIds = {};
  const emit = (event: AgentEvent) => sink(event, ids);
  const approvals = rpcApprovals(emit, () => host.randomId(12));
  const person: Person = {
    get askPermission() {
      return approvals.ask;
    },
    askTrust: undefined,
  };
  const { conversation, open, finish } = await assemble({
    wanted: options,
    host,
    sink,
    person,
    signal,
  });
  ids = { session_id: conversation.state().sessionId };
  try {
    await open();
    const end = await serveRpc({
      conversation,
      approvals,
      input: host.terminal.readIn(signal),
      emit,
      listTools: () => conversation.tools().map((tool) => toolFacts(tool) as unknown as JsonObject),
      signal,
    });
    await finish();
    await conversation.close(end);
    return end.exitStatus;
  } finally {
    await finish();
  }
}
