/** Completes commands and their first argument. */
import type { Command } from "./command.ts";
import type { Complete } from "./line_editor.ts";
import type { ConsoleServices } from "./services.ts";

/** Whole lines that begin with what was typed. */
export function completeCommands(
  commands: readonly Command[],
  services: () => ConsoleServices | undefined,
): Complete {
  return async (line) => {
    const [, name, argument] = /^\/(\S*)(?: +(\S*))?$/.exec(line) ?? [];
    const current = services();
    if (name === undefined || current === undefined) return [];
    if (argument === undefined) {
      const own = await current.slashPrompts().names();
      const names = [...commands.map((command) => command.name), ...own.map(({ name }) => name)];
      return names.filter((candidate) => candidate.startsWith(name)).map((found) => `/${found} `);
    }
    const command = commands.find((candidate) => candidate.name === name);
    const choices = await command?.choices?.(current) ?? [];
    return choices.filter((choice) => choice.startsWith(argument)).map((found) =>
      `/${name} ${found}`
    );
  };
}
