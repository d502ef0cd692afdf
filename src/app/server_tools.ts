/** The tools of MCP servers for a list or a single call: as the servers say now. */
import type { McpTools } from "./mcp_tools.ts";
import type { Toolset } from "./toolset.ts";

/** `others` and what the servers offer; one that cannot be asked is a warning, or a failure where required. */
export async function withServers(
  others: Toolset,
  { toolset, warnings }: McpTools,
  { listTools, callTool }: {
    readonly listTools?: boolean | undefined;
    readonly callTool?: string | undefined;
  },
  signal: AbortSignal,
): Promise<Toolset> {
  // a call may start its server late, and a list is to be true now
  if (listTools) await toolset.refresh(signal);
  else if (callTool?.startsWith("mcp__")) await toolset.ready("act", signal);
  return {
    ...others,
    tools: [...others.tools, ...toolset.tools(others.tools.length)],
    warnings: [...others.warnings, ...warnings, ...toolset.takeNotices()],
  };
}
