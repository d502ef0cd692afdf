/** The console commands that show information. */
import { extensionProbe } from "../../core/extension_facts.ts";
import type { ToolOrigin } from "../../core/tool.ts";
import { visible } from "../../lib/visible.ts";
import type { Command, CommandContext } from "./command.ts";
import { helpLines } from "./help.ts";
import { statsLines } from "./stats_lines.ts";

function placeOf(origin: Exclude<ToolOrigin, { readonly kind: "built-in" }>): string {
  switch (origin.kind) {
    case "external":
      return origin.manifest;
    case "extension":
      return `extension ${origin.name}`;
    case "mcp":
      return `mcp ${origin.server}`;
  }
}

export const infoCommands: readonly Command[] = [
  {
    name: "help",
    aliases: ["commands"],
    usage: "",
    help: "list the commands and keys",
    async run(_args, { slashPrompts, commands, say, columns }) {
      await say(helpLines(commands, await slashPrompts().names(), columns).join("\n"));
    },
  },
  {
    name: "tools",
    usage: "",
    help: "list the tools that the model is offered",
    async run(_args, { conversation, say, dim }) {
      const tools = conversation.tools();
      if (tools.length === 0) return await say("No tools.");
      const width = Math.max(...tools.map(({ name }) => name.length));
      const lines = tools.map((tool) => {
        const { origin } = tool;
        const from = origin.kind === "built-in" ? "" : ` (${placeOf(origin)})`;
        const capabilities = tool.capabilities.join(", ");
        return `${visible(tool.name).padEnd(width)}  ${capabilities}${dim(visible(from))}`;
      });
      await say(lines.join("\n"));
    },
  },
  {
    name: "stats",
    aliases: ["cost", "usage", "context"],
    usage: "",
    help: "show tokens, cost and size of the session",
    async run(_args, { sessions, say }) {
      await say(statsLines(await sessions.stats()).join("\n"));
    },
  },
  {
    name: "permissions",
    usage: "[clear]",
    help: "list the remembered permissions, or forget them",
    choices: () => ["clear"],
    async run(args, context) {
      if (args.length > 1 || (args.length === 1 && args[0] !== "clear")) return false;
      if (args.length === 1) {
        const count = await context.permissions.clear();
        return await context.say(
          count === 1 ? "1 permission was forgotten." : `${count} permissions were forgotten.`,
        );
      }
      return await showPermissions(context);
    },
  },
  {
    name: "doctor",
    usage: "[test]",
    help:
      "show provider, model, files and where the key is from; test asks the model, MCP servers and extensions",
    choices: () => ["test"],
    async run(args, { conversation, models, mcp, say, signal }) {
      if (args.length > 1 || (args.length === 1 && args[0] !== "test")) return false;
      await say((await models.doctor()).map(visible).join("\n"));
      if (args.length === 0) return;
      await say(visible(await models.probe(signal)));
      for (const line of await mcp.test(signal)) await say(visible(line));
      for (const one of conversation.state().extensions ?? []) {
        await say(visible(extensionProbe(one).text));
      }
      return;
    },
  },
  {
    name: "version",
    usage: "",
    help: "show the version",
    run: (_args, { say, version }) => say(`nimlet ${version}`),
  },
];

async function showPermissions(
  { permissions, conversation, say }: CommandContext,
): Promise<void> {
  const { session, project } = permissions.list();
  const list = (keys: readonly string[]) => keys.map((key) => `\n  ${visible(key)}`).join("");
  const lines = [`For this session: ${session.length === 0 ? "none" : list(session)}`];
  lines.push(
    project === undefined
      ? "For this project: none, as it is not trusted"
      : `For this project: ${project.length === 0 ? "none" : list(project)}`,
  );
  if (conversation.state().approvesEverything) {
    lines.push("Everything is approved (/yolo).");
  }
  await say(lines.join("\n"));
}
