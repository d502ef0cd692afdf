/** The tools of all servers of a run: which are offered, under which names, and what is wrong with them. */
import type { Mode } from "../core/capability.ts";
import { RunFailure } from "../core/failure.ts";
import type { McpServerFault, McpServerState } from "../core/mcp_server.ts";
import type { AnyTool } from "../core/tool.ts";
import { quoteStart } from "../lib/visible_text.ts";
import { headOf } from "../lib/well_formed.ts";
import { unlessAborted } from "../lib/unless_aborted.ts";
import { boundedCheck } from "../schemas/bounded_check.ts";
import { draftOf } from "../schemas/check_schema.ts";
import { cleanText } from "../core/clean_text.ts";
import { matchesAny } from "./patterns.ts";
import type { McpServer } from "./server.ts";
import { type ImageTypes, serverTool } from "./server_tool.ts";
import type { KnownServer } from "./tool_list.ts";
import { namePrefix, toolNames } from "./tool_names.ts";

export interface McpToolset {
  /** By name. */
  readonly servers: readonly McpServer[];
  readonly faults: readonly McpServerFault[];
  /**
   * Resolves when each list that `mode` needs is known and current, or cannot be had. Throws `RunFailure`
   * where a required server is not there, or `--tools` names a tool that is not.
   */
  ready(mode: Mode, signal: AbortSignal): Promise<void>;
  /** The same for all servers, with lists as they are now. */
  refresh(signal: AbortSignal): Promise<void>;
  /** Those that are waited for. */
  waitingFor(mode: Mode): readonly { readonly name: string; readonly isRequired: boolean }[];
  /** Those are not waited for any more: their tools come when they come. */
  passOver(mode: Mode): void;
  /** What is offered now, where `others` tools are offered already. */
  tools(others: number): readonly AnyTool[];
  /** What a person should know and was not told yet, one sentence each. */
  takeNotices(): readonly string[];
  states(): readonly McpServerState[];
  /** For the system prompt, from servers whose settings want it; "" for none. */
  instructions(): string;
}

/** Providers take no more in one request. */
const maxToolsInAll = 128;
const maxInstructionBytes = 2048;

export function mcpToolset(
  given: readonly McpServer[],
  faults: readonly McpServerFault[],
  only: readonly string[] | undefined,
  imageTypes: ImageTypes,
): McpToolset {
  const servers = [...given].sort((a, b) => a.settings.name < b.settings.name ? -1 : 1);
  /** Of two servers that are started the same way the remembered list is one. */
  const offered = new Map<
    McpServer,
    { readonly of: KnownServer; readonly tools: readonly AnyTool[] }
  >();
  const notices = faults.map(({ problem }) => problem);
  const told = new Set<string>(notices);
  const tell = (notice: string) => {
    if (!told.has(notice)) notices.push(notice);
    told.add(notice);
  };

  const isWanted = ({ settings: { name } }: McpServer) =>
    only === undefined ||
    only.some((one) => one === `mcp__${name}` || one.startsWith(namePrefix(name)));
  /** A server of which nothing is offered is not started. */
  const isNeeded = (server: McpServer, mode: Mode) =>
    isWanted(server) &&
    (mode === "act" || server.settings.planTools.length > 0 || server.settings.required);
  const passedOver = new Set<McpServer>();
  const isAwaited = (server: McpServer, mode: Mode) =>
    isNeeded(server, mode) && !(passedOver.has(server) && server.state === "starting");

  function takeTools(server: McpServer): void {
    const { settings, known } = server;
    const before = offered.get(server)?.of;
    if (known === undefined || before === known) return;
    const wanted = known.tools.filter(({ name }) =>
      (settings.tools === undefined || matchesAny(settings.tools, name)) &&
      !matchesAny(settings.excludeTools, name)
    );
    const names = toolNames(settings.name, wanted.map(({ name }) => name));
    const tools = wanted.map((tool, index) => {
      const checked = boundedCheck(tool.inputSchema, draftOf(tool.inputSchema) ?? "2020-12");
      return serverTool(server, tool, names[index]!, checked, imageTypes);
    });
    offered.set(server, { of: known, tools });
    for (const warning of known.warnings) tell(`mcp server ${settings.name}: ${warning}`);
    const changed = wanted.filter(({ name, digest }) =>
      before?.tools.some((old) => old.name === name && old.digest !== digest)
    );
    if (changed.length > 0) tell(changedTools(settings.name, changed.map(({ name }) => name)));
  }

  function toolsOf(server: McpServer): readonly AnyTool[] {
    return offered.get(server)?.tools ?? [];
  }

  function assertKnownNames(): void {
    const names = servers.flatMap(toolsOf).map(({ name }) => name);
    for (const name of only ?? []) {
      const server = servers.find(({ settings }) => name.startsWith(namePrefix(settings.name)));
      if (server?.known === undefined || names.includes(name)) continue;
      const own = names.filter((one) => one.startsWith(namePrefix(server.settings.name)));
      throw new RunFailure(
        "usage",
        `--tools: there is no tool named ${
          JSON.stringify(name)
        }; those of ${server.settings.name} are ${own.join(", ") || "none"}`,
      );
    }
  }

  async function settle(
    needed: readonly McpServer[],
    ask: (server: McpServer) => Promise<void>,
    signal: AbortSignal,
  ): Promise<void> {
    const asked = needed.map((server) =>
      ask(server).then(() => takeTools(server), (error: Error) => {
        if (server.settings.required) throw new RunFailure("config", error.message);
        tell(error.message);
      })
    );
    // all are waited for, so that what fails is reported whatever comes first
    const ends = await unlessAborted(Promise.allSettled(asked), signal);
    for (const server of needed) {
      if (server.error !== undefined && server.state !== "failed") tell(server.error);
    }
    for (const end of ends) if (end.status === "rejected") throw end.reason;
    assertKnownNames();
  }

  return {
    servers,
    faults,
    ready: (mode, signal) =>
      settle(
        servers.filter((server) => isAwaited(server, mode)),
        (server) => server.list(),
        signal,
      ),
    refresh: (signal) => settle(servers.filter(isWanted), (server) => server.refresh(), signal),
    waitingFor: (mode) =>
      servers.filter((server) => isAwaited(server, mode) && server.state === "starting")
        .map(({ settings: { name, required } }) => ({ name, isRequired: required })),
    passOver(mode) {
      for (const server of servers) {
        if (isNeeded(server, mode) && server.state === "starting") passedOver.add(server);
      }
    },
    tools(others) {
      const all = servers.filter(isWanted).flatMap((server) => {
        const { settings } = server, tools = toolsOf(server);
        return only === undefined || only.includes(`mcp__${settings.name}`)
          ? tools
          : tools.filter(({ name }) => only.includes(name));
      });
      const room = Math.max(0, maxToolsInAll - others);
      if (all.length > room) {
        const left = all.slice(room);
        tell(
          `mcp: ${left.length} of ${all.length} tools are left out, from ${
            left[0]!.name
          } on, as a request ` +
            `takes ${maxToolsInAll} in all; choose with mcp.servers.<name>.tools`,
        );
      }
      return all.slice(0, room);
    },
    takeNotices: () => notices.splice(0),
    states: () =>
      servers.map(({ settings, state, known, error }) => ({
        name: settings.name,
        state,
        tools: known?.tools.length ?? 0,
        ...error === undefined ? {} : { error: error.split("\n")[0]! },
      })),
    instructions: () =>
      servers.filter(({ settings }) => settings.instructions)
        .map(({ settings, known }) => {
          const text = headOf(cleanText(known?.instructions ?? "").trim(), maxInstructionBytes);
          return text === "" ? "" : `\n\nInstructions of the MCP server ${settings.name}:\n${text}`;
        }).join(""),
  };
}

const maxNamedTools = 5;

function changedTools(server: string, names: readonly string[]): string {
  const named = names.slice(0, maxNamedTools).map((name) => quoteStart(name, 80)).join(", ");
  const more = names.length > maxNamedTools ? `, and ${names.length - maxNamedTools} more` : "";
  return `mcp server ${server}: it describes ${named}${more} in another way than before`;
}
