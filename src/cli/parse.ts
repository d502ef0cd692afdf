/** Reads the command line by the option table. */
import { parseArgs } from "node:util";
import type { Options } from "./command_line.ts";
import { readValue, valueOf } from "./option_value.ts";
import { optionTable } from "./options.ts";
import { unknownFlag } from "./unknown_flag.ts";
import { show, usage } from "./usage_failure.ts";

/**
 * The options that `args` (without the program's name) give.
 * Throws `RunFailure("usage")` with one sentence for the first thing that is wrong.
 */
export function parseCommandLine(args: readonly string[]): Options {
  const { given, words, ...around } = readTokens(args);
  const help = given.has("help"), version = given.has("version");
  if (!help && !version) {
    checkExclusions(given);
    checkWords(given, words, around.resumeWord);
  }
  return { ...valuesOf(given), words, ...around };
}

type Words = Pick<Options, "words" | "resumeWord" | "allText">;
type OptionValues = Omit<Options, keyof Words>;

/** The properties of `Options` that stand for options of the table. */
function valuesOf(given: ReadonlyMap<string, string>): OptionValues {
  const values: Record<string, unknown> = {};
  const negated = new Set(optionTable.map(({ negates }) => negates));
  for (const option of optionTable) {
    const text = given.get(option.name), key = camelCase(option.negates ?? option.name);
    if (text !== undefined) values[key] = option.negates === undefined && valueOf(option, text);
    else if (option.kind === "flag" && option.negates === undefined && !negated.has(option.name)) {
      values[key] = false;
    }
  }
  return values as OptionValues;
}

function camelCase(name: string): string {
  return name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
}

/** Every option given with its last value (`""` for flags), and the words between and after them. */
function readTokens(args: readonly string[]): Words & { given: Map<string, string> } {
  const { tokens } = parseArgs({
    args: [...args],
    strict: false,
    allowPositionals: true,
    tokens: true,
    options: Object.fromEntries(optionTable.flatMap((option) => {
      const type = option.kind === "flag" ? "boolean" as const : "string" as const;
      const { name, short, aliases = [] } = option;
      return [
        [name, { type, ...short === undefined ? {} : { short } }],
        ...aliases.map((alias) => [alias, { type }]),
      ];
    })),
  });
  const given = new Map<string, string>();
  const words: string[] = [];
  let resumedAt: number | undefined, resumeWord: number | undefined, allText = false;
  for (const token of tokens) {
    if (token.kind === "option-terminator") allText = words.length === 0;
    if (token.kind === "positional") {
      if (resumedAt === token.index - 1) resumeWord = words.length;
      words.push(token.value);
    }
    if (token.kind !== "option") continue;
    const option = optionTable.find(({ name, aliases = [] }) =>
      [name, ...aliases].includes(token.name)
    );
    if (option === undefined) throw unknownFlag(token.rawName, args[token.index]!);
    if (option.once === true && given.has(option.name)) {
      throw usage(`expected --${option.name} once, found it twice`);
    }
    const value = readValue(option, token.value, token.inlineValue === true);
    const before = option.kind === "texts" ? given.get(option.name) : undefined;
    given.set(option.name, before === undefined ? value : `${before}\0${value}`);
    if (option.name === "resume") resumedAt = token.index;
  }
  return {
    given,
    words,
    ...resumeWord === undefined ? {} : { resumeWord },
    ...allText ? { allText } : {},
  };
}

function checkExclusions(given: ReadonlyMap<string, string>): void {
  for (const option of optionTable) {
    if (!given.has(option.name)) continue;
    const other = option.excludes?.find((name) => given.has(name));
    if (other !== undefined) throw usage(`--${option.name} and --${other} exclude each other`);
    if (option.needs !== undefined && !given.has(option.needs)) {
      throw usage(`--${option.name} goes with --${option.needs}`);
    }
  }
}

function checkWords(
  given: ReadonlyMap<string, string>,
  words: readonly string[],
  resumeWord: number | undefined,
): void {
  if (given.has("call-tool")) {
    if (words.length > 1) {
      throw usage(
        `--call-tool: expected one JSON argument after the tool's name, found ${words.length}: ${
          show(words.join(" "))
        } (quote it for the shell)`,
      );
    }
    return;
  }
  const tried = given.get("try-hook");
  if (tried !== undefined) {
    const form = /ToolUse/.test(tried) ? "TOOL JSON RESULT" : "TEXT";
    if (words.length <= form.split(" ").length) return;
    throw usage(
      `--try-hook ${tried}: expected ${form}, found ${words.length} words: ${
        show(words.join(" "))
      } (quote each for the shell)`,
    );
  }
  if (given.has("list-tools")) {
    if (words.length <= 1) return;
    throw usage(`--list-tools: expected one NAME at most, found ${show(words.join(" "))}`);
  }
  if (given.has("doctor") && words.length === 1 && words[0] === "test") return;
  if (given.has("export-session")) {
    if (words.length === 1) return;
    throw usage(
      `--export-session: expected one FILE after the session's ID, found ${
        words.length === 0 ? "none" : show(words.join(" "))
      }`,
    );
  }
  if (words.length === 0) return;
  const option = optionTable.find((candidate) =>
    candidate.refusesPrompt === true && given.has(candidate.name)
  );
  if (option !== undefined) {
    throw usage(`--${option.name} takes no prompt, found ${show(words.join(" "))}`);
  }
  // the word after --resume may be a session's id
  const isResumed = words.length === 1 && resumeWord === 0;
  if (given.get("mode") === "rpc" && !isResumed) {
    throw usage(
      `--mode rpc takes its prompts from stdin, found ${show(words.join(" "))} on the command line`,
    );
  }
}
