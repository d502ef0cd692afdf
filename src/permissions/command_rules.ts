/** Owns the programs whose arguments are commands in a way of their own: shells, eval, find, git. */
import { dangerousGitCommands } from "./dangerous_programs.ts";
import type { ShellWord } from "./shell_words.ts";

/** A reason (`runs rm`), or undefined where there is none. */
export type Reason = string | undefined;

export interface Judging {
  /** Judges a program with its arguments. */
  words(words: readonly ShellWord[]): Reason;
  /** Judges text in the shell language. */
  script(text: string): Reason;
  /** What is run cannot be told: judges by the words of the whole command. */
  unknown(): Reason;
  /** True where the program's standard input is given by the command itself. */
  readonly hasInput: boolean;
}

type Rule = (args: readonly ShellWord[], judging: Judging) => Reason;

/** The rule for a program, by its name without path. */
export function ruleOf(name: string): Rule | undefined {
  if (name.startsWith("git-")) {
    return (args, judging) => gitCommand([plain(name.slice(4)), ...args], judging);
  }
  return Object.hasOwn(rules, name) ? rules[name] : undefined;
}

const rules: Record<string, Rule> = {
  ".": sourceFile,
  alias: (args, judging) =>
    first(args, ({ text }) => judging.script(text.slice(text.indexOf("=") + 1))),
  ash: shell,
  at: (_args, judging) => judging.hasInput ? judging.unknown() : undefined,
  bash: shell,
  batch: (_args, judging) => judging.hasInput ? judging.unknown() : undefined,
  crontab: (_args, judging) => judging.hasInput ? judging.unknown() : undefined,
  csh: shell,
  dash: shell,
  eval: (args, judging) => scriptOf(args[0]?.text === "--" ? args.slice(1) : args, judging),
  fd: findWith(["-x", "--exec", "-X", "--exec-batch"], []),
  fdfind: findWith(["-x", "--exec", "-X", "--exec-batch"], []),
  find: findWith(["-exec", "-execdir", "-ok", "-okdir"], ["-delete"]),
  fish: shell,
  git,
  ksh: shell,
  mksh: shell,
  parallel: (args, judging) => {
    const end = args.findIndex(({ text }) => /^:::/.test(text));
    const words = withoutOptions(end < 0 ? args : args.slice(0, end));
    // without a command, or without arguments of its own, it runs what it reads or is given
    return scriptOf(words, judging) ??
      (end < 0 || words.length === 0 ? judging.unknown() : undefined);
  },
  rbash: shell,
  script: withCommandOption,
  sh: shell,
  source: sourceFile,
  su: withCommandOption,
  tcsh: shell,
  trap: (args, judging) => {
    const action = args.find(({ text }) => text !== "--");
    return action === undefined ? undefined : scriptOf([action], judging);
  },
  watch: (args, judging) => scriptOf(withoutOptions(args, "n"), judging),
  yash: shell,
  zsh: shell,
};

/** True for a program that takes commands as text. */
export function isShell(name: string): boolean {
  return ruleOf(name) === shell;
}

function plain(text: string): ShellWord {
  return { text, exact: true, pattern: false };
}

function first<Item>(items: readonly Item[], judge: (item: Item) => Reason): Reason {
  for (const item of items) {
    const reason = judge(item);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

/** Words that are put together and read as shell language. */
function scriptOf(words: readonly ShellWord[], judging: Judging): Reason {
  const text = words.map((word) => word.text).join(" ");
  return judging.script(text) ??
    (words.every((word) => word.exact) ? undefined : judging.unknown());
}

function withoutOptions(args: readonly ShellWord[], valued = ""): readonly ShellWord[] {
  let at = 0;
  while (/^-/.test(args[at]?.text ?? "")) {
    at += valued !== "" && args[at]!.text === `-${valued}` ? 2 : 1;
  }
  return args.slice(at);
}

const inputFile = /^\/(?:dev\/stdin|dev\/fd\/|proc\/self\/fd\/)/;

/** `bash -lc 'text'`; without a text the script is a file, or standard input. */
function shell(args: readonly ShellWord[], judging: Judging): Reason {
  let takesText = false, at = 0;
  for (; at < args.length; at++) {
    const { text, exact } = args[at]!;
    if (!exact && !/^[-+]/.test(text)) return judging.unknown();
    if (text === "--" || text === "-") {
      at++;
      break;
    }
    if (!/^[-+]/.test(text)) break;
    if (/^--(rcfile|init-file|command)$/.test(text)) {
      if (text === "--command") takesText = true;
      else if (args[++at]?.exact === false) return judging.unknown();
    } else if (!text.startsWith("--")) {
      if (text.includes("c")) takesText = true;
      if (/[oO]$/.test(text)) at++;
    }
  }
  const operand = args[at];
  if (takesText && operand !== undefined) return scriptOf([operand], judging);
  const readsInput = operand === undefined || inputFile.test(operand.text) ||
    args.slice(0, at).some(({ text }) => /^-[a-z]*s/.test(text));
  if (readsInput && judging.hasInput) return judging.unknown();
  return operand === undefined || operand.exact ? undefined : judging.unknown();
}

/** `source <(...)`: what the file holds is not known, what an expansion gives may be anything. */
function sourceFile(args: readonly ShellWord[], judging: Judging): Reason {
  const file = args[0];
  if (file === undefined) return undefined;
  const readsInput = inputFile.test(file.text) && judging.hasInput;
  return file.exact && !readsInput ? undefined : judging.unknown();
}

/** `su user -c 'text'` */
function withCommandOption(args: readonly ShellWord[], judging: Judging): Reason {
  return first(args.map((word, index) => [word, args[index + 1]] as const), ([word, next]) => {
    if (/^(-[a-z]*c|--command)$/.test(word.text) && next) return scriptOf([next], judging);
    const joined = /^--command=([^]*)$/.exec(word.text)?.[1];
    return joined === undefined ? undefined : scriptOf([{ ...word, text: joined }], judging);
  });
}

function findWith(runs: readonly string[], deletes: readonly string[]): Rule {
  return (args, judging) => {
    for (let at = 0; at < args.length; at++) {
      const { text } = args[at]!;
      if (deletes.includes(text)) return `runs find ${text}`;
      if (!runs.includes(text)) continue;
      const rest = args.slice(at + 1);
      const end = rest.findIndex((word) => word.text === ";" || word.text === "+");
      const reason = judging.words(end < 0 ? rest : rest.slice(0, end));
      if (reason !== undefined) return reason;
    }
    return undefined;
  };
}

const gitOptionsWithValue =
  /^(-C|-c|--git-dir|--work-tree|--namespace|--config-env|--attr-source)$/;

function git(args: readonly ShellWord[], judging: Judging): Reason {
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

function gitCommand([command, ...args]: readonly ShellWord[], judging: Judging): Reason {
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
      return first(args, ({ text }) => text.startsWith("!") ? gitAlias(text, judging) : undefined);
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
