/** The completion of commands and their first argument. */
import type { SessionManager } from "../../core/session_manager.ts";
import type { Command } from "./command.ts";
import type { Complete } from "./line_editor.ts";

/** Whole lines that begin with what was typed. */
export function completeCommands(
  commands: readonly Command[],
  manager: () => SessionManager | undefined,
): Complete {
  return async (line) => {
    const [, name, argument] = /^\/(\S*)(?: +(\S*))?$/.exec(line) ?? [];
    const inHand = manager();
    if (name === undefined || inHand === undefined) return [];
    if (argument === undefined) {
      const own = await inHand.slashNames();
      const names = [...commands.map((command) => command.name), ...own.map(({ name }) => name)];
      return names.filter((candidate) => candidate.startsWith(name)).map((found) => `/${found} `);
    }
    const command = commands.find((candidate) => candidate.name === name);
    const choices = await command?.choices?.(inHand) ?? [];
    return choices.filter((choice) => choice.startsWith(argument)).map((found) =>
      `/${name} ${found}`
    );
  };
}
