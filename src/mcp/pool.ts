/** The servers of a program: each is started once, however often the settings are read again. */
import { join } from "node:path";
import type { McpServerList, McpServerSettings } from "../core/mcp_server.ts";
import type { Sandbox } from "../core/sandbox.ts";
import type { ImageTypes } from "./server_tool.ts";
import { reachServer, type Surroundings } from "./reach_server.ts";
import { programFile } from "../host/program_launch.ts";
import { listKey, rememberedLists } from "./remembered.ts";
import { type McpServer, mcpServer } from "./server.ts";
import { type McpToolset, mcpToolset } from "./toolset.ts";

export interface PoolParts extends Omit<Surroundings, "sandbox"> {
  /** nimlet's own folder, where lists are remembered. */
  readonly nimletHome: string | undefined;
  readonly version: string;
  readonly imageTypes: ImageTypes;
}

export interface McpPool {
  /**
   * The tools of the servers in `list`, whose programs run in `sandbox`; those that are known already go on
   * as they are.
   */
  toolset(
    list: McpServerList,
    only: readonly string[] | undefined,
    sandbox: Sandbox | undefined,
  ): McpToolset;
  /** Ends the servers that are not of `toolset`. */
  retain(toolset: McpToolset | undefined): Promise<void>;
  /** Ends all of them. */
  close(): Promise<void>;
}

export function mcpPool(parts: PoolParts): McpPool {
  const { host, nimletHome, version } = parts;
  const lists = rememberedLists(listsPath(nimletHome));
  const servers = new Map<string, McpServer>();
  const writes = new Set<Promise<void>>();

  function serverOf(settings: McpServerSettings, sandbox: Sandbox | undefined): McpServer {
    const key = keyOf(settings, parts);
    return mcpServer({
      settings,
      open: () => reachServer(settings, { ...parts, sandbox }),
      clock: host.clock,
      version,
      remembered: lists.get(key, settings.reach.kind, host.clock.now()),
      listed(known) {
        const write = lists.set(key, known, host.clock.now());
        writes.add(write);
        void write.finally(() => writes.delete(write));
      },
    });
  }

  async function end(all: readonly McpServer[]): Promise<void> {
    await Promise.all(all.map((server) => server.stop()));
  }

  return {
    toolset(list, only, sandbox) {
      const confined = sandbox?.identity ?? "";
      const own = list.servers.map((settings) => {
        const identity = settings.identity + confined;
        const server = servers.get(identity) ?? serverOf(settings, sandbox);
        servers.set(identity, server);
        return server;
      });
      return mcpToolset(own, list.faults, only, parts.imageTypes);
    },
    async retain(toolset) {
      const gone = [...servers].filter(([, server]) => !toolset?.servers.includes(server));
      for (const [identity] of gone) servers.delete(identity);
      await end(gone.map(([, server]) => server));
    },
    async close() {
      await end([...servers.values()]);
      await Promise.all(writes);
    },
  };
}

function listsPath(nimletHome: string | undefined): string | undefined {
  return nimletHome && join(nimletHome, "cache", "mcp_tools.json");
}

type ListPlace = Pick<PoolParts, "host" | "nimletHome" | "version" | "workspace">;

function keyOf(settings: McpServerSettings, place: ListPlace): string {
  const { reach } = settings, { host, workspace, version } = place;
  const executable = reach.kind === "http"
    ? undefined
    : programFile(reach.command[0], reach.folder, host, workspace);
  return listKey(settings, version, executable);
}

/** When the remembered list of a server was made, in milliseconds since the epoch; undefined for none. */
export function listedAt(
  settings: McpServerSettings,
  place: ListPlace,
): number | undefined {
  const lists = rememberedLists(listsPath(place.nimletHome));
  const key = keyOf(settings, place);
  return lists.get(key, settings.reach.kind, place.host.clock.now())?.at;
}
