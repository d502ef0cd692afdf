/** Judges one shell command: listed, plain or involved. */
import type { ParseShell } from "../lib/shell_parser.ts";
import { hereMark, hole, type ShellWord, unknown } from "../lib/shell_words.ts";
import { withoutHereDocuments } from "../lib/shell_words.ts";
import { mayBecomeListed, namesListed } from "./listed_names.ts";
import { baseName, isFixed, programsRun, type Run } from "./programs_run.ts";
import { simpleCommands } from "./simple_commands.ts";

/** `reason` completes the sentence "it ...": `runs rm`. */
export type Judgement =
  | { readonly kind: "listed"; readonly reason: string }
  | { readonly kind: "plain" | "involved" };

const maxLength = 200_000, maxWithoutDocuments = 8000;

export function judgeCommand(command: string, parse: ParseShell): Judgement {
  // A backquote alone has no end: the shell refuses its line, and runs nothing after it.
  const source = command.split("`").length === 2 ? command.replace("`", "x") : command;
  const isReadable = !source.includes(unknown) && !source.includes(hereMark);
  const code = isReadable && source.length <= maxLength ? withoutHereDocuments(source) : undefined;
  const tree = code === undefined || code.length > maxWithoutDocuments ? undefined : parse(code);
  if (code === undefined || tree === undefined) return { kind: "involved" };
  const { commands, values, isUnderstood } = simpleCommands(tree, code);
  const runs = commands.flatMap((one) => programsRun(one));
  const reason = runs.map(listedReason).find((one) => one !== undefined);
  if (reason !== undefined) return { kind: "listed", reason };
  return { kind: isUnderstood && arePlain(runs, values, source) ? "plain" : "involved" };
}

function listedReason({ name, lines, program, isLiteral }: Run): string | undefined {
  const option = program.listed?.exec(lines)?.[0];
  if (!isLiteral || program.kind !== "listed" && option === undefined) return undefined;
  return option === undefined ? `runs ${name}` : `runs ${name} ${option}`;
}

/** Variables whose value the shell runs, and those whose value a program may run. */
const alwaysRun = /^(?:BASH\w*|ENV|PS\d|PROMPT_COMMAND|SHELLOPTS|GIT_CONFIG\w*|GIT_EXEC_PATH)\+?=/;
const mayBeRun =
  /^\w*(?:PAGER|EDITOR|VISUAL|SHELL|SSH|ASKPASS|BROWSER|COMMAND|CMD|LESS|OPT|CONFIG|FLAGS|DIFF|PATH|RSH|MAN|PROG)\w*\+?=/;
/** A file by a literal name, whose folder may be a variable, and no device. */
const scriptFile = /^(?!-|\/dev\/|\/proc\/)(?:[^{}*?[]*\/)?(?!\d+$|stdin$)[^\0/{}*?[]+$/;

function arePlain(runs: readonly Run[], values: readonly ShellWord[], source: string): boolean {
  const exported = runs.flatMap(({ assignments, program, args }) => [
    ...assignments,
    ...(program.kind === "exporter" ? args : []),
  ]);
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
    if (!text.includes("=")) return true;
    if (!/^\w+\+?=/.test(text) || alwaysRun.test(text) || /\$[({\w]|`/.test(text)) return false;
    return !isNamed || !mentions(word) || !isExported && !mayBeRun.test(text);
  }

  function isPlain(run: Run): boolean {
    const { args, lines, program, isFed } = run, { kind, inert, isCode } = program;
    const hasInput = run.inputs.some(({ text }) => text !== "/dev/null"),
      isRunner = kind === "shell" || kind === "runner";
    const isGuarded = program.never !== undefined || isCode || kind === "find";
    if (!run.isLiteral || kind === "refused" || program.never?.test(lines)) return false;
    if (isGuarded && args.some(({ braces }) => braces)) return false;
    if (hasInput && (isRunner || program.runsInput && (isNamed || !inert))) return false;
    if (kind === "shell" && !scriptFile.test(args[0]?.text ?? "")) return false;
    if (kind === "runner" && !/^[\w./:=@,+% \n-]*$/.test(lines)) return false;
    const files = kind === "runner" ? args : (kind === "shell" ? args : run.words).slice(0, 1)
      .filter(({ text }) => kind === "shell" || text.includes("/"));
    if (files.length === 0 && !isNamed) return true;
    const written = runs.filter((other) => other !== run).flatMap(filesWritten);
    if (files.some((file) => written.some((word) => mayBe(word, file)))) return false;
    if (!isNamed) return true;
    const expands = args.some(({ text }) => text.includes(unknown));
    const opens = args.some(({ text }) => text.startsWith(unknown)) && optionsInValues || isFed;
    if (isCode && expands && namesInValues || isGuarded && opens) return false;
    if (inert?.test(lines)) return true;
    // Beside a listed name another program is plain where the name cannot get into it.
    const isApart = files.length > 0 || written.every(({ text }) => nowhere.test(text));
    return isApart && !hasInput && !isFed && !(expands && reads) && !namesInValues &&
      !args.some(mentions) && !namesListed(lineOf(run));
  }

  function mayBe(word: ShellWord, file: ShellWord): boolean {
    if (isFixed(word)) return baseName(word.text) === baseName(file.text);
    return word.braces || word.pattern || reads || given.length > 0;
  }

  function filesWritten({ targets, args, program: { kind, isCode } }: Run): ShellWord[] {
    const own = kind === "writer" || kind === "find" ? args : [];
    return [...targets, ...own, ...(isCode && isNamed ? [hole] : [])];
  }
}

const nowhere = /^(?:\/dev\/null|\d|-)$/;

function mentions(word: ShellWord): boolean {
  return namesListed(word.text) || namesListed(word.source) || mayBecomeListed(word);
}

function lineOf({ name, lines }: Run): string {
  return `${name} ${lines.replaceAll("\n", " ")}`;
}
