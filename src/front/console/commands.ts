/** The table of the console's commands: help, completion and docs all follow from it. */
import { type Command, type CommandContext, formOf } from "./command.ts";
import { changeCommands } from "./commands_change.ts";
import { extensionCommands } from "./commands_extensions.ts";
import { hookCommands } from "./commands_hooks.ts";
import { mcpCommands } from "./commands_mcp.ts";
import { modeCommands } from "./commands_mode.ts";
import { modelCommands } from "./commands_model.ts";
import { sessionCommands } from "./commands_session.ts";
import { infoCommands } from "./commands_info.ts";

/** In the order of the help. */
export const commandTable: readonly Command[] = [
  ...infoCommands,
  ...mcpCommands,
  ...hookCommands,
  ...extensionCommands,
  ...modeCommands,
  ...modelCommands,
  ...changeCommands,
  ...sessionCommands,
  {
    name: "quit",
    aliases: ["exit", "q"],
    usage: "",
    help: "end the program; Ctrl-D does the same",
    run: () => Promise.resolve("quit" as const),
  },
];

export const commandNames = commandTable.map(({ name }) => name);

/** Runs a command; usage errors are shown. True where the program is to end. */
export async function runCommand(
  command: Command,
  argumentText: string,
  context: CommandContext,
): Promise<boolean> {
  const text = argumentText.trim();
  const args = text === "" ? [] : command.takesText ? [text] : text.split(/\s+/);
  const result = command.usage === "" && args.length > 0 ? false : await command.run(args, context);
  if (result === false) await context.say(`usage: ${formOf(command)}`);
  return result === "quit";
}
