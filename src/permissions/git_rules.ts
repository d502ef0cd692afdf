/** What git loses, and what it runs for others: aliases, settings, hooks in options. */
import { dangerousGitCommands } from "./dangerous_programs.ts";
import { first, type Judging, plain, type Reason, scriptOf, withoutOptions } from "./judging.ts";
import type { ShellWord } from "./shell_words.ts";

const gitOptionsWithValue =
  /^(-C|-c|--git-dir|--work-tree|--namespace|--config-env|--attr-source)$/;

/** `git` with its own options and its command. */
export function git(args: readonly ShellWord[], judging: Judging): Reason {
  let at = 0;
  for (; at < args.length && args[at]!.text.startsWith("-"); at++) {
    const { text } = args[at]!;
    if (!gitOptionsWithValue.test(text)) continue;
    const value = args[++at];
    const reason = text === "-c" && value !== undefined
      ? gitSetting(value.text, judging)
      : undefined;
    if (reason !== undefined) return reason;
  }
  return gitCommand(args.slice(at), judging);
}

/** `alias.x=clean`, `core.pager=less`: an alias, or a program that git may run. */
function gitSetting(setting: string, judging: Judging): Reason {
  const value = setting.slice(setting.indexOf("=") + 1);
  return /^alias\./i.test(setting) ? gitAlias(value, judging) : judging.script(value);
}

function gitAlias(value: string, judging: Judging): Reason {
  if (value.startsWith("!")) return judging.script(value.slice(1));
  return gitCommand(value.trim().split(/\s+/).map(plain), judging);
}

/** What a command of git runs or loses. */
export function gitCommand([command, ...args]: readonly ShellWord[], judging: Judging): Reason {
  if (command === undefined) return undefined;
  if (!command.exact || command.pattern) return judging.unknown();
  const name = command.text;
  if ((dangerousGitCommands as readonly string[]).includes(name)) return `runs git ${name}`;
  const after = (word: string) => args.slice(args.findIndex(({ text }) => text === word) + 1);
  const has = (word: string) => args.some(({ text }) => text === word);
  switch (name) {
    case "checkout":
      return has("--") ? "runs git checkout --" : undefined;
    case "submodule":
      return has("foreach") ? scriptOf(withoutOptions(after("foreach")), judging) : undefined;
    case "bisect":
      return has("run") ? judging.words(after("run")) : undefined;
    case "config":
      return first(
        args,
        ({ text }, index) =>
          text.startsWith("!") || /^alias\./i.test(args[index - 1]?.text ?? "")
            ? gitAlias(text, judging)
            : undefined,
      );
    case "rebase":
    case "filter-branch":
    case "difftool":
      return first(args.map((word, index) => [word, args[index + 1]] as const), ([word, next]) => {
        const option = /^(-x|--exec|--extcmd|--[a-z]+-filter)(?:=([^]*))?$/.exec(word.text);
        if (option === null) return undefined;
        if (option[2] !== undefined) return scriptOf([{ ...word, text: option[2] }], judging);
        return next === undefined ? undefined : scriptOf([next], judging);
      });
    default:
      return undefined;
  }
}
