/** What the settings say of MCP servers, for a look at the configuration; none is started. */
import type { DoctorReport } from "../core/doctor_report.ts";
import { namedServers } from "./mcp.ts";
import { targetOf } from "./mcp_manager.ts";
import type { RunEnvironment } from "./environment.ts";
import { version } from "../lib/version.ts";

export interface McpReport {
  readonly servers: DoctorReport["mcp_servers"];
  readonly warnings: readonly string[];
}

export async function mcpReport(environment: RunEnvironment): Promise<McpReport> {
  const named = await namedServers(environment);
  if (named === undefined) return { servers: [], warnings: [] };
  const { listedAt } = await import("../mcp/pool.ts");
  const { list, warnings } = named;
  const servers = list.servers.map((settings) => {
    const at = listedAt(settings, { ...environment, version });
    return {
      name: settings.name,
      scope: settings.scope === "global" ? "user" as const : "project" as const,
      file: settings.file,
      transport: settings.reach.kind,
      target: targetOf(settings),
      startup_timeout_seconds: settings.startupTimeoutSeconds,
      call_timeout_seconds: settings.callTimeoutSeconds,
      required: settings.required,
      tools_listed_at: at === undefined ? null : new Date(at).toISOString(),
    };
  });
  return {
    servers,
    warnings: [...warnings, ...list.faults.map(({ problem }) => problem)],
  };
}
