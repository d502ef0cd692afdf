/** The text of /help. */
import type { SlashName } from "../../core/slash_prompts.ts";
import { oneLine } from "../../lib/one_line.ts";
import { visible } from "../../lib/visible.ts";
import { wrapped } from "../../lib/wrapped.ts";
import { type Command, formOf, helpOf } from "./command.ts";

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
  ["Esc, in a turn", "interrupt it, as Ctrl-C does; at a question: deny"],
  ["Enter, in a turn", "the text enters after the next tool results"],
  ["Alt-Enter, in a turn", "the text enters when the turn would end; \\ Enter begins a line"],
  ["Shift-Tab", "change between act and plan mode"],
  ["Tab", "complete a command, a model, a session, an @file, a path after !"],
  ["Up, Down", "earlier lines; in a text of several lines its lines first"],
  ["Ctrl-R", "look for an earlier line by a part of it; again: an older one"],
  ["\\ Enter, Alt-Enter", "begin another line of the same prompt"],
];

/** Lines of at most `columns`, broken at blanks. */
export function helpLines(
  commands: readonly Command[],
  own: readonly SlashName[],
  columns: number,
): string[] {
  const block = (rows: Rows) => rows.flatMap((row) => rowLines(row, columns));
  const rows: [string, string][] = commands.map((command) => [
    formOf(command),
    helpOf(command),
  ]);
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

type Rows = readonly (readonly [form: string, help: string])[];

const formColumns = 26, leastHelpColumns = 24;

/** Side by side, or one below the other where there is no room for that. */
function rowLines([form, help]: Rows[number], columns: number): string[] {
  if (columns < formColumns + leastHelpColumns) {
    return [...wrapped(form, columns), ...wrapped(help, columns - 2).map((line) => `  ${line}`)];
  }
  const [first = "", ...more] = wrapped(help, columns - formColumns - 1);
  const head = form.length < formColumns ? [] : [form];
  const start = head.length === 0 ? form.padEnd(formColumns) : " ".repeat(formColumns);
  return [...head, `${start}${first}`, ...more.map((line) => " ".repeat(formColumns) + line)];
}
