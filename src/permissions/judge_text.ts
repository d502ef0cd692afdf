/** Owns the judgement of a command's text: every program it runs, through whatever runs it. */
import type { ParseShell } from "../lib/shell_parser.ts";
import { isShell, type Judging, type Reason, ruleOf } from "./command_rules.ts";
import { baseName, dangerousMatch, dangerousProgram, dangerousWord } from "./dangerous_programs.ts";
import { braceVariants, type ShellWord } from "./shell_words.ts";
import { simpleCommands } from "./simple_commands.ts";
import { unwrap } from "./wrappers.ts";

const maxDepth = 8;
const maxParses = 300;
/** Longer commands are judged by their words. */
const maxParsedLength = 200_000;

/** The reason why a whole command is dangerous. */
export function judgeText(command: string, parse: ParseShell): Reason {
  return judgeScript(command, { parse, whole: command, depth: 0, budget: { parses: maxParses } });
}

interface Work {
  readonly parse: ParseShell;
  /** The command as a person sees it, for the look at its words. */
  readonly whole: string;
  readonly depth: number;
  /** What is left for texts within texts; beyond it words decide. */
  readonly budget: { parses: number };
}

function judgeScript(text: string, work: Work): Reason {
  if (text.trim() === "") return undefined;
  for (const version of versionsOf(text)) {
    const reason = judgeVersion(version, work);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

/** The text, and how it reads where the grammar sees less than the shell does. */
function versionsOf(text: string): Set<string> {
  // A backslash before a line's end goes away, also within a word.
  const joined = text.replace(/\\\r?\n/g, "");
  // What follows these words is a command of any kind.
  const bare = joined.replace(
    /\b(?:time(?:\s+-p)?(?:\s+--)?|coproc(?:\s+\w+(?=\s*[({]))?)\s|(?<=^|[\s;&|(])!\s/g,
    " ",
  );
  return new Set([text, joined, bare]);
}

function judgeVersion(text: string, work: Work): Reason {
  if (work.budget.parses-- <= 0) return byWords(work.whole);
  const tree = work.depth > maxDepth || text.length > maxParsedLength
    ? undefined
    : parsed(text, work.parse);
  if (tree === undefined) return byWords(text);
  const found = simpleCommands(tree.root, text);
  for (const command of found.commands) {
    const judging = judgingOf(command.input, work);
    const reason = judging.words(command.words) ?? hookReason(command.assignments, judging);
    if (reason !== undefined) return reason;
  }
  for (const script of found.scripts) {
    const reason = judgeScript(script, { ...work, depth: work.depth + 1 });
    if (reason !== undefined) return reason;
  }
  return tree.hasErrors ? byWords(text) : undefined;
}

function parsed(text: string, parse: ParseShell) {
  try {
    return parse(text);
  } catch (error) {
    // nested beyond what the stack holds
    if (error instanceof RangeError || error instanceof WebAssembly.RuntimeError) return undefined;
    throw error;
  }
}

function byWords(text: string): Reason {
  const word = dangerousWord(text);
  return word === undefined ? undefined : `may run ${word}, as far as it can be read`;
}

function judgingOf(input: readonly string[] | undefined, work: Work): Judging {
  const script = (text: string) => judgeScript(text, { ...work, depth: work.depth + 1 });
  const judging: Judging = {
    words: (words) => judgeWords(words, judging),
    script,
    unknown() {
      for (const text of input ?? []) {
        const reason = script(text);
        if (reason !== undefined) return reason;
      }
      return byWords(work.whole);
    },
    hasInput: input !== undefined,
  };
  return judging;
}

function judgeWords([name, ...args]: readonly ShellWord[], judging: Judging): Reason {
  if (name === undefined) return undefined;
  const variants = name.pattern ? braceVariants(name.text) : [name.text];
  for (const variant of variants) {
    const program = dangerousProgram(variant) ??
      (name.pattern ? dangerousMatch(variant) : undefined);
    if (program !== undefined) {
      return name.exact && !name.pattern ? `runs ${program}` : `may run ${program}`;
    }
  }
  // {} is what xargs, find and parallel put something else in place of
  if (!name.exact || name.pattern || name.text.includes("{}")) {
    const reason = judging.unknown();
    if (reason !== undefined) return reason;
  }
  return judgeProgram(baseName(name.text), args, judging);
}

function judgeProgram(name: string, args: readonly ShellWord[], judging: Judging): Reason {
  const rule = ruleOf(name);
  if (rule !== undefined) return rule(args, judging);
  if (name === "command" && /^-p?[vV]+$/.test(args[0]?.text ?? "")) return undefined;
  const unwrapped = unwrap(name, args);
  if (unwrapped === undefined) return undefined;
  const split = name === "env" ? splitString(args) : undefined;
  if (split !== undefined) {
    const reason = judging.script(split.text) ?? (split.exact ? undefined : judging.unknown());
    if (reason !== undefined) return reason;
  }
  if (name === "flock") {
    const text = args[args.findIndex((word) => /^(-c|--command)$/.test(word.text)) + 1];
    if (text !== args[0] && text !== undefined) return judging.script(text.text);
  }
  for (const candidate of unwrapped.candidates) {
    const reason = judging.words(candidate) ??
      (name === "xargs" && isFilledIn(candidate, args) ? judging.unknown() : undefined);
    if (reason !== undefined) return reason;
  }
  return unwrapped.certain ? undefined : judging.unknown();
}

/** True where xargs puts what it reads in the place of a command. */
function isFilledIn([name, ...rest]: readonly ShellWord[], options: readonly ShellWord[]): boolean {
  if (name === undefined) return false;
  const at = options.findIndex(({ text }) => /^-[0rtpx]*I/.test(text));
  const mark = at < 0
    ? "{}"
    : options[at]!.text.replace(/^-[0rtpx]*I/, "") || (options[at + 1]?.text ?? "{}");
  return name.text.includes(mark) ||
    isShell(baseName(name.text)) && rest.some((word) => word.text.includes(mark));
}

/** The text of `env -S 'text'`. */
function splitString(args: readonly ShellWord[]): ShellWord | undefined {
  for (const [index, word] of args.entries()) {
    if (!word.text.startsWith("-")) return undefined;
    const joined = /^(?:-[i0v]*S|--split-string=)([^]*)$/.exec(word.text)?.[1];
    if (joined) return { ...word, text: joined };
    if (joined === "" || word.text === "--split-string") return args[index + 1];
  }
  return undefined;
}

/** Variables whose value programs run. */
const hooks = new Set([
  "BASH_ENV",
  "EDITOR",
  "GIT_ASKPASS",
  "GIT_EDITOR",
  "GIT_EXTERNAL_DIFF",
  "GIT_PAGER",
  "GIT_SEQUENCE_EDITOR",
  "GIT_SSH_COMMAND",
  "MANPAGER",
  "PAGER",
  "PROMPT_COMMAND",
  "SSH_ASKPASS",
  "VISUAL",
]);

function hookReason(assignments: ReadonlyMap<string, string>, judging: Judging): Reason {
  for (const [name, value] of assignments) {
    const reason = hooks.has(name) ? judging.script(value) : undefined;
    if (reason !== undefined) return reason;
  }
  return undefined;
}
