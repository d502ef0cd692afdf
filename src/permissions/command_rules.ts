/** The programs whose arguments are commands in a way of their own: shells, eval, find, git. */
import { git, gitCommand } from "./git_rules.ts";
import { afterOptions, first, type Judging, plain, type Reason, scriptOf } from "./judging.ts";
import type { ShellWord } from "./shell_words.ts";

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
  cmd: (args, judging) => {
    const at = args.findIndex(({ text }) => /^\/[ck]$/i.test(text));
    return at < 0 ? undefined : scriptOf(args.slice(at + 1), judging);
  },
  dash: shell,
  elvish: shell,
  eval: (args, judging) => scriptOf(args[0]?.text === "--" ? args.slice(1) : args, judging),
  fd: findWith(["-x", "--exec", "-X", "--exec-batch"], []),
  fdfind: findWith(["-x", "--exec", "-X", "--exec-batch"], []),
  find: findWith(["-exec", "-execdir", "-ok", "-okdir"], ["-delete"]),
  fish: shell,
  git,
  hash: (args, judging) =>
    args[0]?.text === "-p" && args[1] !== undefined ? judging.words([args[1]]) : undefined,
  hyperfine: (args, judging) => first(args, ({ text }) => judging.script(text)),
  ksh: shell,
  make: (args, judging) =>
    judging.hasInput && args.some(({ text }) => /^(?:-f|--file=|--makefile=)?-$/.test(text))
      ? judging.unknown(true)
      : undefined,
  mksh: shell,
  nu: shell,
  parallel,
  powershell: shell,
  pwsh: shell,
  rbash: shell,
  sem: parallel,
  sh: shell,
  source: sourceFile,
  tcsh: shell,
  tmux: (args, judging) => first(args, ({ text }) => judging.script(text)),
  trap: (args, judging) => {
    const action = args.find(({ text }) => text !== "--");
    return action === undefined ? undefined : scriptOf([action], judging);
  },
  watch: (args, judging) => first(afterOptions(args, "n"), (words) => scriptOf(words, judging)),
  xonsh: shell,
  yash: shell,
  zsh: shell,
};

/** True for a program that takes commands as text. */
export function isShell(name: string): boolean {
  return ruleOf(name) === shell;
}

const inputFile = /^\/(?:dev\/stdin|dev\/fd\/|proc\/self\/fd\/)/;

/** `bash -lc 'text'`; without a text the script is a file, or standard input. */
function shell(args: readonly ShellWord[], judging: Judging): Reason {
  let takesText = false, at = 0;
  for (; at < args.length; at++) {
    const { text, exact } = args[at]!;
    if (!exact && !/^[-+]/.test(text)) return judging.unknown(true);
    if (text === "--" || text === "-") {
      at++;
      break;
    }
    if (!/^[-+]/.test(text)) break;
    if (/^--(rcfile|init-file|command)$/.test(text)) {
      if (text === "--command") takesText = true;
      else if (args[++at]?.exact === false) return judging.unknown(true);
    } else if (!text.startsWith("--")) {
      if (text.includes("c")) takesText = true;
      if (/[oO]$/.test(text)) at++;
    }
  }
  const operand = args[at];
  if (takesText && operand !== undefined) return scriptOf([operand], judging);
  const readsInput = operand === undefined || inputFile.test(operand.text) ||
    args.slice(0, at).some(({ text }) => /^-[a-z]*s/.test(text));
  if (readsInput && judging.hasInput) return judging.unknown(true);
  if (operand === undefined) return undefined;
  return operand.exact && !judging.writes(operand.text) ? undefined : judging.unknown(true);
}

/** `source <(...)`: what the file holds is not known, what an expansion gives may be anything. */
function sourceFile(args: readonly ShellWord[], judging: Judging): Reason {
  const file = args[0];
  if (file === undefined) return undefined;
  const readsInput = inputFile.test(file.text) && judging.hasInput;
  return file.exact && !readsInput && !judging.writes(file.text)
    ? undefined
    : judging.unknown(true);
}

/** Without a command, or without arguments of its own, it runs what it reads or is given. */
function parallel(args: readonly ShellWord[], judging: Judging): Reason {
  const end = args.findIndex(({ text }) => /^:::/.test(text));
  const candidates = afterOptions(end < 0 ? args : args.slice(0, end));
  return first(candidates, (words) => scriptOf(words, judging)) ??
    (end < 0 || candidates[0]!.length === 0 ? judging.unknown(true) : undefined);
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
