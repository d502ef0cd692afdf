/** Starts MCP servers, or asks those that run again, to see whether they answer. */
import type { Clock } from "../core/host.ts";
import { messageOf } from "../core/failure.ts";
import { unlessAborted } from "../lib/unless_aborted.ts";
import type { McpServer } from "../mcp/server.ts";
import type { Probe } from "../core/probe.ts";

/** One probe a server, in their order; all are asked at once. */
export async function probeServers(
  servers: readonly McpServer[],
  clock: Clock,
  signal: AbortSignal,
): Promise<readonly Probe[]> {
  const probes = servers.map(async (server): Promise<Probe> => {
    const startMs = clock.monotonic();
    try {
      await server.refresh();
    } catch (error) {
      return { ok: false, text: messageOf(error) };
    }
    const ms = Math.round(clock.monotonic() - startMs);
    const { settings, known } = server;
    const own = known === undefined ? "" : `${known.server} (${known.revision})`.trim();
    const tools = known?.tools.length ?? 0;
    return { ok: true, text: `mcp server ${settings.name}: ${own}, ${tools} tools, ${ms} ms` };
  });
  return await unlessAborted(Promise.all(probes), signal);
}
