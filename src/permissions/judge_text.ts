/** Judges a command's text: every program it runs, through whatever runs it. */
import type { ParseShell } from "../lib/shell_parser.ts";
import { embeddedTexts, isStartingCode, optionTexts } from "./command_options.ts";
import { isShell, ruleOf } from "./command_rules.ts";
import { baseName, dangerousMatch, dangerousProgram, dangerousWord } from "./dangerous_programs.ts";
import type { Judging, Reason } from "./judging.ts";
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
    const reason = judging.words(command.words);
    if (reason !== undefined) return reason;
  }
  const reason = hookReason(found.assignments, judgingOf(undefined, work));
  if (reason !== undefined) return reason;
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
  const word = dangerousWord(text) ?? bracedProgram(text);
  return word === undefined ? undefined : `may run ${word}, as far as it can be read`;
}

/** A program on the list that a brace expansion gives, where the grammar has lost its way. */
function bracedProgram(text: string): string | undefined {
  for (const word of text.split(/[\s;&|()<>]+/)) {
    if (!/\{.*,.*\}|\[.\]/.test(word) || word.length > 200) continue;
    const variants = braceVariants(word.replace(/\[(.)\]/g, "$1"));
    const program = variants.map(dangerousProgram).find((one) => one !== undefined);
    if (program !== undefined) return program;
  }
  return undefined;
}

function judgingOf(input: readonly string[] | undefined, work: Work): Judging {
  const script = (text: string) => judgeScript(text, { ...work, depth: work.depth + 1 });
  const judging: Judging = {
    words: (words) => judgeWords(words, judging),
    script,
    unknown(isText = false) {
      for (const text of input ?? []) {
        const reason = script(text);
        if (reason !== undefined) return reason;
      }
      const obscured = isText ? rewriters.test(work.whole) : decoders.test(work.whole);
      return byWords(work.whole) ??
        (obscured ? "may run anything, as it decodes what it runs" : undefined);
    },
    hasInput: input !== undefined,
    input: input ?? [],
    writes: (file) => isWritten(file, work.whole),
  };
  return judging;
}

const decoders = /(?:^|[\s;&|(`/])(?:base(?:32|64|nc)|uudecode|xxd)(?!\S)/;
const rewriters =
  /(?:^|[\s;&|(`/])(?:base(?:32|64|nc)|uudecode|xxd|rev|tr|gunzip|zcat|openssl|gpg)(?!\S)/;

/** True where a redirection or a program that writes files names `file` in `whole`. */
function isWritten(file: string, whole: string): boolean {
  const name = file.slice(file.lastIndexOf("/") + 1);
  if (name === "") return false;
  const source = name.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
  return new RegExp(`(?:>|\\b(?:tee|cp|mv|ln|install)\\b)[^;|&\\n]*${source}`).test(whole);
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
  if (name.built) return "may run anything, as the name of what it runs is put together";
  if (name.text.includes("/") && judging.writes(name.text)) {
    const reason = judging.unknown();
    if (reason !== undefined) return reason;
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
  for (const text of optionTexts(name, args)) {
    const reason = judging.script(text.text) ?? (text.exact ? undefined : judging.unknown(true));
    if (reason !== undefined) return reason;
  }
  for (const text of embeddedTexts(name, args)) {
    const reason = judging.script(text);
    if (reason !== undefined) return reason;
  }
  for (const text of [...args.map((word) => word.text), ...judging.input]) {
    const reason = isStartingCode(name, text) ? byWords(text) : undefined;
    if (reason !== undefined) return reason;
  }
  const unwrapped = unwrap(name, args);
  if (unwrapped === undefined) return undefined;
  const split = name === "env" ? splitString(args) : undefined;
  if (split !== undefined) {
    const reason = judging.script(split.text) ?? (split.exact ? undefined : judging.unknown());
    if (reason !== undefined) return reason;
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
  "ENV",
  "GIT_ASKPASS",
  "GIT_EDITOR",
  "GIT_EXTERNAL_DIFF",
  "GIT_PAGER",
  "GIT_SEQUENCE_EDITOR",
  "GIT_SSH",
  "GIT_SSH_COMMAND",
  "LESSOPEN",
  "MANPAGER",
  "PAGER",
  "PROMPT_COMMAND",
  "PS4",
  "SSH_ASKPASS",
  "VISUAL",
]);

function hookReason(assignments: ReadonlyMap<string, ShellWord>, judging: Judging): Reason {
  for (const [name, { text, exact }] of assignments) {
    if (!hooks.has(name)) continue;
    const reason = judging.script(text.replace(/^\|/, "")) ??
      (exact ? undefined : judging.unknown(true));
    if (reason !== undefined) return reason;
  }
  return undefined;
}
