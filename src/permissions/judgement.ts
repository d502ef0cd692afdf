/** Judges one shell command: listed, plain or involved. */
import type { ParseShell } from "../lib/shell_parser.ts";
import { baseName, hereMark, hole, isFixed, type ShellWord, unknown } from "../lib/shell_words.ts";
import { withoutHereDocuments } from "../lib/shell_words.ts";
import { mayBecomeListed, namesListed } from "./listed_names.ts";
import { inert as anything, programs } from "./programs.ts";
import { programsRun, type Run } from "./programs_run.ts";
import { simpleCommands } from "./simple_commands.ts";

/** `reason` completes the sentence "it ...": `runs rm`. */
export type Judgement =
  | { readonly kind: "listed"; readonly reason: string }
  | { readonly kind: "plain" | "involved" };

const maxLength = 200_000, maxCode = 8000, maxPrograms = 200; // code: without here documents

export function judgeCommand(command: string, parse: ParseShell): Judgement {
  // A backquote alone has no end: the shell refuses its line, and runs nothing after it.
  const source = command.split("`").length === 2 ? command.replace("`", "x") : command;
  const isReadable = ![unknown, hereMark].some((one) => source.includes(one));
  const code = isReadable && source.length <= maxLength ? withoutHereDocuments(source) : "";
  const tree = code !== "" && code.length <= maxCode ? parse(code) : undefined;
  if (tree === undefined) return { kind: "involved" };
  const { commands, values, isUnderstood } = simpleCommands(tree, code);
  const runs = commands.flatMap((one) => programsRun(one));
  const reason = runs.map(listedReason).find((one) => one !== undefined);
  if (reason !== undefined) return { kind: "listed", reason };
  const isSmall = isUnderstood && runs.length <= maxPrograms;
  return { kind: isSmall && arePlain(runs, values, source) ? "plain" : "involved" };
}

function listedReason({ name, lines, program, isLiteral }: Run): string | undefined {
  const option = program.kind === "listed" ? "" : program.listed?.exec(lines)?.[0];
  return isLiteral && option !== undefined ? `runs ${name} ${option}`.trimEnd() : undefined;
}

/** Variables whose value the shell runs, and those whose value a program may run. */
const alwaysRun = /^(?:BASH\w*|ENV|PS\d|PROMPT_COMMAND|SHELLOPTS|GIT_CONFIG\w*|GIT_EXEC_PATH)\+?=/;
const mayBeRun =
  /^\w*(?:PAGER|EDITOR|VISUAL|SHELL|SSH|ASKPASS|BROWSER|COMMAND|CMD|LESS|OPT|CONFIG|FLAGS|DIFF|PATH|PERL|RSH|MAN|PROG)\w*\+?=/;
/** A file by a literal name, whose folder may be a variable, and no device. */
const scriptFile = /^(?!-|\/dev\/|\/proc\/)(?:[^{}*?[]*\/)?(?!\d+$|stdin$)[^\0/{}*?[]+$/;

function arePlain(runs: readonly Run[], values: readonly ShellWord[], source: string): boolean {
  const exported = runs.flatMap(({ assignments, program, args }) => [
    ...assignments,
    ...(program.kind === "exporter" ? args : []),
  ]);
  const words = runs.flatMap(({ args, targets }) => [...args, ...targets]);
  const given = [...values, ...exported], reads = runs.some(({ name }) => name === "read");
  const namesInValues = given.some(mentions);
  const optionsInValues = reads || given.some(({ text }) => /(?:^|[=\s])[-\0]/.test(text));
  // Where a listed name occurs each program must be known not to run it.
  const isNamed = reads || namesInValues || namesListed(source) ||
    runs.some((run) => run.args.some(mentions) || namesListed(lineOf(run)));
  return values.every((one) => isPlainSetting(one, false)) &&
    exported.every((one) => isPlainSetting(one, true)) && runs.every(isPlain);

  function isPlainSetting(word: ShellWord, isExported: boolean): boolean {
    const { text } = word;
    if (/\$[({\w]|`/.test(text)) return false;
    if (!text.includes("=")) return true;
    if (!/^\w+\+?=/.test(text) || alwaysRun.test(text)) return false;
    return !isNamed || !mayBeRun.test(text) && !(isExported && mentions(word));
  }

  function isPlain(run: Run): boolean {
    const { args, lines, program, isFed } = run, { kind, inert, isCode } = program;
    const hasInput = run.inputs.some(({ text }) => text !== "/dev/null");
    const isGuarded = program.never !== undefined || isCode || kind === "find";
    if (!run.isLiteral || kind === "refused" || program.never?.test(lines)) return false;
    if (isGuarded && args.some(({ braces }) => braces)) return false;
    if (hasInput && (kind === "shell" || kind === "runner")) return false;
    if (hasInput && program.runsInput && (isNamed || !inert)) return false;
    if (hasInput && !inert && args.some(isShell)) return false;
    if (kind === "shell" && !scriptFile.test(args[0]?.text ?? "")) return false;
    if (kind === "runner" && !/^[\w./:=@,+% \n-]*$/.test(lines)) return false;
    // Nothing that it runs, or is set up by, is written by the command itself.
    const [head, ...more] = kind === "shell" ? args : run.words;
    const isScript = kind === "shell" || head?.text.includes("/") === true;
    const readsFiles = kind === "runner" || program.runsInput === true;
    const files = readsFiles ? [...args, { ...hole, text: "makefile" }] : isScript ? [head!] : [];
    const isGit = run.name.startsWith("git ");
    if (files.length === 0 && !isNamed && !isGit) return true;
    const written = runs.filter((other) => other !== run)
      .flatMap((other) => filesWritten(other, kind === "shell"));
    if (files.some((file) => written.some((word) => mayBe(word, file)))) return false;
    const isApart = runs.filter((other) => other !== run)
      .flatMap((other) => filesWritten(other, false)).every(({ text }) =>
        /^(?:\/dev\/null|\d|-)$/.test(text)
      );
    const settings = !isNamed
      ? isGit && gitFile
      : (isGit || isGuarded || inert !== anything) && dotFile;
    if (settings && !isApart && words.some(({ text }) => settings.test(text))) return false;
    if (!isNamed) return true;
    // No listed name gets to where it is run: not in its arguments, nor as what variables hold.
    const expands = args.some(({ text }) => text.includes(unknown));
    const opens = args.some(({ text }) => text.startsWith(unknown)) && optionsInValues || isFed;
    if (isCode && expands && namesInValues || isGuarded && opens) return false;
    const copies = /^(?:cp|ln|mv)$/.test(run.name); // of /bin/rm by another name
    if (copies && args.some((one) => one.text.includes("/") && mentions(one))) return false;
    if (inert?.test(lines)) return true;
    // Beside a listed name another program is plain where the name cannot get into it.
    const isAlone = isApart || isScript && !readsFiles && more.length === 0;
    return isAlone && !hasInput && !isFed && !(expands && reads) && !namesInValues &&
      !args.some(mentions) && !namesListed(lineOf(run));
  }

  function mayBe(word: ShellWord, file: ShellWord): boolean {
    const one = baseName(word.text), other = baseName(file.text);
    if (isFixed(word)) return one.endsWith(other) || other.endsWith(one) || other.startsWith(one);
    return word.braces || word.pattern || reads || given.length > 0;
  }

  function filesWritten({ targets, args, program }: Run, isForScript: boolean): ShellWord[] {
    const own = program.kind === "shell" ? args.slice(1) : args;
    const mayWrite = program.files === "written" || isForScript && program.files === undefined;
    return [...targets, ...(mayWrite ? own : []), ...(program.isCode && isNamed ? [hole] : [])];
  }
}

/** Settings by which git, and other programs, may run something. */
const gitFile = /(?:^|\/)(?:\.git(?:\/|$|config|attributes|modules)|config$)/i;
const dotFile = /(?:^|\/)(?:\.(?!\.?(?:\/|$)|gitignore$|github\/)|config$)/i;

function isShell({ text }: ShellWord): boolean {
  return programs.get(baseName(text))?.kind === "shell";
}

function mentions(word: ShellWord): boolean {
  return namesListed(word.text) || namesListed(word.source) || mayBecomeListed(word);
}

function lineOf({ name, lines }: Run): string {
  return `${name} ${lines.replaceAll("\n", " ")}`;
}
