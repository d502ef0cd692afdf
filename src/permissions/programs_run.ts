/** Finds the programs that a simple command runs: through wrappers, `find -exec`, and git. */
import { gitCommands, inert, type Program, programs } from "./programs.ts";
import { baseName, hole, isFixed, type ShellWord, type SimpleCommand } from "../lib/shell_words.ts";

export interface Run extends SimpleCommand {
  /** Without path; of git with its command: `git commit`. */
  readonly name: string;
  readonly args: readonly ShellWord[];
  /** The arguments, one a line. */
  readonly lines: string;
  readonly program: Program;
  /** False where it, or what stands in front of it, is not literal or not known. */
  readonly isLiteral: boolean;
  /** True where xargs adds arguments. */
  readonly isFed: boolean;
}

const programName = /^(?:\[\[?|(?!%)[\w.+:~,/-]+)$/;
const keyWord = /^(?:if|then|else|elif|fi|for|while|until|do|done|case|esac|in|select|function)$/;

export function programsRun(command: SimpleCommand, isFed = false, table = programs): Run[] {
  const [head, ...args] = command.words, path = head?.text ?? ":", isGit = table === gitCommands;
  const key = isGit ? path : baseName(path).replace(/^mkfs\..*$/, "mkfs");
  const program = table.get(key) ?? (isGit ? { kind: "refused" } : {});
  const name = isGit ? `git ${key}` : key,
    isLiteral = programName.test(path) && !keyWord.test(path);
  const lines = args.map(({ text }) => `${text.replaceAll("\n", ";")}\n`).join("");
  const run: Run = { ...command, name, args, lines, program, isLiteral, isFed };
  if (program.kind === "find") {
    return [run, ...partsOf(args).flatMap((words) => programsRun({ ...command, words }))];
  }
  if (program.front === undefined || !isLiteral) return [run];
  const [front] = program.front.exec(lines) ?? ["?"], rest = lines.slice(front.length);
  const own = args.slice(0, front.split("\n").length - 1), words = args.slice(own.length);
  const settings = own.filter(({ text }) => name === "env" && text.includes("="));
  const isKnown = front !== "?" && own.every((one) => isFixed(one) || settings.includes(one));
  if (program.asks?.test(rest)) return [{ ...run, isLiteral: isKnown, program: { inert } }];
  if (!isKnown || rest.startsWith("-")) return [{ ...run, isLiteral: false }];
  const inputs = name === "xargs" ? [hole] : command.inputs, fed = isFed || name === "xargs";
  const inner = { ...command, words, inputs, assignments: [...command.assignments, ...settings] };
  if (words.length > 0) return programsRun(inner, fed, name === "git" ? gitCommands : programs);
  // Without a program it runs nothing, but for one that xargs adds.
  const isOpen = isFed || name === "exec" && inputs.length > 0;
  return [{ ...run, ...inner, program: { inert }, isLiteral: !isOpen }];
}

/** What each `-exec` of find runs. */
function partsOf(args: readonly ShellWord[]): ShellWord[][] {
  const parts: ShellWord[][] = [];
  let part: ShellWord[] | undefined;
  for (const word of args) {
    if (/^[;+]$/.test(word.text)) part = undefined;
    else if (part !== undefined) part.push(word);
    else if (/^-(?:exec|ok)(?:dir)?$/.test(word.text)) parts.push(part = []);
  }
  return parts;
}
