/** The MCP servers of a conversation: looked at, stopped, started anew. */
import { RunFailure } from "../core/failure.ts";
import type { McpManager, McpServerView } from "../core/mcp_manager.ts";
import { type McpServerSettings, shownCommand } from "../core/mcp_server.ts";
import { unlessAborted } from "../lib/unless_aborted.ts";
import type { McpServer } from "../mcp/server.ts";
import { probeServers } from "./probe_servers.ts";
import type { OwnedConversation } from "./session/owned_conversation.ts";

export function createMcpManager({ current }: OwnedConversation): McpManager {
  const servers = () => current().environment.mcp?.toolset.servers ?? [];

  function named(name: string | undefined): readonly McpServer[] {
    const all = servers();
    if (name === undefined) return all;
    const found = all.filter(({ settings }) => settings.name === name);
    if (found.length > 0) return found;
    const names = all.map(({ settings }) => settings.name).join(", ");
    throw new RunFailure(
      "usage",
      `there is no server named ${name}; ${names === "" ? "none is named" : `there are ${names}`}`,
    );
  }

  return {
    servers: () => servers().map(viewOf),
    async order(what, name, signal) {
      const problems: string[] = [];
      const wanted = named(name).map(async (server) => {
        if (what !== "refresh") await server.stop();
        if (what === "stop") return;
        await server.refresh().catch((error: Error) => problems.push(error.message));
      });
      await unlessAborted(Promise.all(wanted), signal);
      return problems;
    },
    async countOthers(name, signal) {
      const [server] = named(name);
      return await server!.countOthers(signal);
    },
    async test(signal) {
      const { clock } = current().environment.host;
      return (await probeServers(servers(), clock, signal)).map(({ text }) => text);
    },
  };
}

function viewOf({ settings, state, known, error, words }: McpServer): McpServerView {
  return {
    name: settings.name,
    state,
    tools: known?.tools.length ?? 0,
    ...error === undefined ? {} : { error: error.split("\n")[0]! },
    file: settings.file,
    target: targetOf(settings),
    server: known === undefined ? "" : `${known.server} (${known.revision})`.trim(),
    offered: known?.tools ?? [],
    warnings: known?.warnings ?? [],
    words,
  };
}

/** What is started or asked, without what may be secret. */
export function targetOf({ reach }: Pick<McpServerSettings, "reach">): string {
  return reach.kind === "http" ? reach.shown : shownCommand(reach.written).join(" ");
}
