/** The servers of the Model Context Protocol that a run has; where there are none, nothing is loaded. */
import { join } from "node:path";
import { referencedVariables } from "../config/secret.ts";
import type { LoadedConfig } from "../config/load.ts";
import type { Host } from "../core/host.ts";
import type { McpServerList } from "../core/mcp_server.ts";
import { kindAt } from "../host/folders.ts";
import type { McpPool } from "../mcp/pool.ts";
import { version } from "../lib/version.ts";
import type { Trust } from "./trust.ts";

export interface McpSources {
  readonly host: Host;
  readonly workspace: string;
  readonly config: Pick<LoadedConfig, "mcpServers" | "providers" | "settings">;
  readonly trust: Trust;
}

/** What the settings and a trusted project name; undefined where they name nothing. */
export async function namedServers(
  { host, workspace, config, trust }: McpSources,
): Promise<{ readonly list: McpServerList; readonly warnings: readonly string[] } | undefined> {
  const hasFile = config.settings["mcp.project_file"] && trust.trusted &&
    kindAt(join(workspace, ".mcp.json")) !== "missing";
  if (config.mcpServers.length === 0 && !hasFile) return undefined;
  const { mcpServerList, withoutKeys } = await import("../config/mcp_servers.ts");
  const place = {
    workspace,
    env: host.env,
    hiddenVariables: referencedVariables(config.providers),
  };
  const warnings: string[] = [], entries = [...config.mcpServers];
  if (hasFile) {
    const { readProjectServers } = await import("../config/mcp_project_file.ts");
    const found = await readProjectServers(workspace, withoutKeys(place));
    const changes = await trust.project?.changesOf(".mcp.json") ?? [];
    warnings.push(...found.warnings);
    if (changes.length === 0) entries.push(...found.entries);
    else warnings.push(`${changes.join(", ")} while nimlet was starting; its servers are skipped`);
  }
  const list = mcpServerList(entries, place, warnings);
  return list.servers.length === 0 && list.faults.length === 0 && warnings.length === 0
    ? undefined
    : { list, warnings };
}

/** The servers of a whole program; made when the first one is named. */
export interface McpOwner {
  pool(workspace: string, nimletHome: string | undefined): Promise<McpPool>;
  /** Undefined where none was ever named. */
  readonly made: McpPool | undefined;
}

export function mcpOwner(host: Host): McpOwner {
  let made: McpPool | undefined;
  return {
    async pool(workspace, nimletHome) {
      if (made !== undefined) return made;
      const { mcpPool } = await import("../mcp/pool.ts");
      return made ??= mcpPool({ host, workspace, nimletHome, version, imageTypes });
    },
    get made() {
      return made;
    },
  };
}

async function imageTypes() {
  const { examineImage } = await import("../tools/read_image.ts");
  return (bytes: Uint8Array) => {
    const verdict = examineImage(bytes);
    return verdict === undefined || "broken" in verdict ? undefined : verdict.mediaType;
  };
}
