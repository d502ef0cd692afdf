/** The console command for the MCP servers. */
import type { McpServerView } from "../../core/mcp_manager.ts";
import { oneLine } from "../../lib/one_line.ts";
import { visible } from "../../lib/visible.ts";
import type { Command, CommandContext } from "./command.ts";

const orders = ["restart", "stop", "refresh"] as const;
const maxDescription = 100;

export const mcpCommands: readonly Command[] = [
  {
    name: "mcp",
    usage: "[SERVER | restart|stop|refresh [SERVER]]",
    help: "list the MCP servers, show one, or restart, stop or refresh one or all",
    choices: ({ mcp }) => [...orders, ...mcp.servers().map(({ name }) => name)],
    async run(args, context) {
      const { mcp, say, signal } = context;
      const [first, second] = args;
      const order = orders.find((one) => one === first);
      if (args.length > (order === undefined ? 1 : 2)) return false;
      if (order !== undefined) {
        const problems = await mcp.order(order, second, signal);
        for (const problem of problems) await say(visible(problem));
        return await list(context, second);
      }
      if (first === undefined) return await list(context, undefined);
      const server = mcp.servers().find(({ name }) => name === first);
      if (server === undefined) return await say(`There is no MCP server named ${visible(first)}.`);
      const others = await mcp.countOthers(first, signal);
      return await say(details(server, others, context).join("\n"));
    },
  },
];

async function list({ mcp, say, dim }: CommandContext, only: string | undefined): Promise<void> {
  const servers = mcp.servers().filter(({ name }) => only === undefined || name === only);
  if (servers.length === 0) return await say("No MCP server is named.");
  const width = Math.max(...servers.map(({ name }) => name.length));
  const lines = servers.map((server) => {
    const error = server.error === undefined ? "" : `: ${visible(server.error)}`;
    return `${visible(server.name).padEnd(width)}  ${server.state}, ${counted(server.tools)}` +
      `${dim(`  ${visible(server.target)}`)}${error}`;
  });
  await say(lines.join("\n"));
}

function counted(tools: number): string {
  return tools === 1 ? "1 tool" : `${tools} tools`;
}

/** All that a server said is foreign. */
function details(
  server: McpServerView,
  others: string,
  { dim }: CommandContext,
): string[] {
  const { words } = server;
  const section = (title: string, text: string) =>
    text.trim() === "" ? [] : [`${title}:`, visible(text.trimEnd())];
  return [
    `${visible(server.name)}: ${server.state}`,
    `  ${visible(server.target)}`,
    `  ${dim(visible(server.file))}`,
    ...server.server === "" ? [] : [`  ${visible(server.server)}`],
    ...server.error === undefined ? [] : [`  ${visible(server.error)}`],
    ...server.offered.map(({ name, description, hints }) =>
      `  ${visible(name)}${hints.length === 0 ? "" : ` (${hints.join(", ")})`}` +
      dim(`  ${oneLine(description, maxDescription)}`)
    ),
    ...others === "" ? [] : [dim(`  ${others}: not used`)],
    ...server.warnings.map((warning) => `  ${visible(warning)}`),
    ...section("messages", words.log),
    ...section("stderr", words.errors),
    ...section("lines of stdout that are no messages", words.strayLines.join("\n")),
  ];
}
