/** The text of /help. */
import type { SlashName } from "../../core/slash_prompts.ts";
import { oneLine } from "../../lib/one_line.ts";
import { visible } from "../../lib/visible.ts";
import { type Command, formOf } from "./command.ts";

/** What may be typed besides commands. */
export const typedForms: readonly (readonly [form: string, help: string])[] = [
  ["!COMMAND", "run a shell command and send its output to the model"],
  ["!!COMMAND", "run a shell command and only show its output"],
  ["exit, quit, :q", "quit, as a line of its own"],
  ["/skill:NAME [TEXT]", "have the model follow a skill"],
  ["/NAME [ARGUMENTS]", "send a prompt template"],
];

export const keyForms: readonly (readonly [keys: string, help: string])[] = [
  ["Ctrl-C", "interrupt the turn; clear the line; twice on an empty line: quit"],
  ["Ctrl-D", "quit, on an empty line"],
  ["Tab", "complete a command"],
  ["Up, Down", "earlier lines; in a text of several lines its lines first"],
  ["\\ Enter, Alt-Enter", "begin another line of the same prompt"],
];

export function helpLines(commands: readonly Command[], own: readonly SlashName[]): string[] {
  const rows: [string, string][] = commands.map((command) => [formOf(command), command.help]);
  const names = own.map(({ name, help }): [string, string] => [
    `/${visible(name)}`,
    oneLine(help, 100),
  ]);
  return [
    ...block(rows),
    "",
    ...block(typedForms),
    "",
    ...block(keyForms),
    ...(names.length === 0 ? [] : ["", "Templates and skills:", ...block(names)]),
  ];
}

const width = 26;

function block(rows: readonly (readonly [string, string])[]): string[] {
  return rows.map(([form, help]) => `${form.padEnd(width)}${help}`);
}
