/** The completion script of each shell; all follow from the option table. */
import type { Options } from "../command_line.ts";
import { bashScript } from "./bash.ts";
import { fishScript } from "./fish.ts";
import { completedFlags } from "./values.ts";
import { zshScript } from "./zsh.ts";

export function completions(shell: NonNullable<Options["completions"]>): string {
  const flags = completedFlags();
  switch (shell) {
    case "bash":
      return bashScript(flags);
    case "zsh":
      return zshScript(flags);
    case "fish":
      return fishScript(flags);
  }
}
