/** The tools that MCP servers add to those of a run. */
import type { McpToolset } from "../mcp/toolset.ts";
import type { RunEnvironment } from "./environment.ts";
import { type McpOwner, namedServers } from "./mcp.ts";

export interface McpTools {
  readonly toolset: McpToolset;
  /** What is wrong with what the settings say, one sentence each. */
  readonly warnings: readonly string[];
  /** What of `--tools` is for the other tools; undefined for all of them. */
  readonly otherTools: readonly string[] | undefined;
}

/** Nothing is started yet. Undefined where no server is named. */
export async function loadMcpTools(
  environment: RunEnvironment,
  owner: McpOwner,
  only: readonly string[] | undefined,
): Promise<McpTools | undefined> {
  const named = await namedServers(environment);
  if (named === undefined) return undefined;
  const { workspace, nimletHome } = environment;
  const pool = await owner.pool(workspace, nimletHome);
  const toolset = pool.toolset(named.list, only, environment.sandbox);
  const isOurs = (name: string) =>
    toolset.servers.some(({ settings }) =>
      name === `mcp__${settings.name}` || name.startsWith(`mcp__${settings.name}__`)
    );
  return {
    toolset,
    warnings: named.warnings,
    otherTools: only?.filter((name) => !isOurs(name)),
  };
}
