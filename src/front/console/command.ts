/** What a command of the console is. */
import type { ConsoleServices } from "./services.ts";
import type { Style } from "./style.ts";

export interface CommandContext extends ConsoleServices {
  /** All of them, for the help. */
  readonly commands: readonly Command[];
  readonly version: string;
  /** Writes whole lines; what is foreign in them must be made visible before. */
  say(text: string): Promise<void>;
  readonly columns: number;
  dim(text: string): string;
  readonly style: Style;
  /** Asks a question that only `y` answers with yes. */
  confirm(question: string): Promise<boolean>;
  /** Aborts at Ctrl-C. */
  readonly signal: AbortSignal;
}

/** An argument that may be given, with what it is. */
export type Choice = string | { readonly value: string; readonly note: string };

export interface Command {
  /** Without the slash. */
  readonly name: string;
  /** As in `[ID]`; "" where it takes nothing. */
  readonly usage: string;
  /** One line. */
  readonly help: string;
  /** What other programs call it; templates and skills of these names override them. */
  readonly aliases?: readonly string[];
  /** True where the last argument may hold spaces. */
  readonly takesText?: boolean;
  /** What may follow the arguments `before`, for completion. */
  readonly choices?: (
    services: ConsoleServices,
    before: readonly string[],
    signal: AbortSignal,
  ) => Promise<readonly Choice[]> | readonly Choice[];
  /** Gives `false` where the arguments are not as `usage` says, and "quit" to end the program. */
  run(args: readonly string[], context: CommandContext): Promise<void | false | "quit">;
}

/** How a command is written, as in `/model [ID]`. */
export function formOf({ name, usage }: Pick<Command, "name" | "usage">): string {
  return usage === "" ? `/${name}` : `/${name} ${usage}`;
}

/** What a command does, and by what other names. */
export function helpOf({ help, aliases = [] }: Pick<Command, "help" | "aliases">): string {
  return aliases.length === 0 ? help : `${help}; also /${aliases.join(", /")}`;
}
