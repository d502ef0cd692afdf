/** Reads the command line by the option table. */
import { parseArgs } from "node:util";
import { RunFailure } from "../core/failure.ts";
import { nearest } from "../lib/nearest.ts";
import type { Options } from "./command_line.ts";
import type { Option } from "./option.ts";
import { optionTable } from "./options.ts";

/**
 * The options that `args` (without the program's name) give.
 * Throws `RunFailure("usage")` with one sentence for the first thing that is wrong.
 */
export function parseCommandLine(args: readonly string[]): Options {
  const { given, words } = readTokens(args);
  const help = given.has("help"), version = given.has("version");
  if (!help && !version) {
    checkExclusions(given);
    checkWords(given, words);
  }
  return { ...valuesOf(given), words };
}

/** The properties of `Options` that stand for options of the table. */
function valuesOf(given: ReadonlyMap<string, string>): Omit<Options, "words"> {
  const values: Record<string, unknown> = {};
  const negated = new Set(optionTable.map(({ negates }) => negates));
  for (const option of optionTable) {
    const text = given.get(option.name), key = camelCase(option.negates ?? option.name);
    if (text !== undefined) values[key] = option.negates === undefined && valueOf(option, text);
    else if (option.kind === "flag" && option.negates === undefined && !negated.has(option.name)) {
      values[key] = false;
    }
  }
  return values as Omit<Options, "words">;
}

function valueOf({ kind }: Option, text: string): string | number | boolean | readonly string[] {
  switch (kind) {
    case "flag":
      return true;
    case "text":
    case "choice":
      return text;
    case "list":
      return namesOf(text);
    case "texts":
      return text.split("\0");
    case "integer":
    case "seconds":
    case "dollars":
      return Number(text);
  }
}

function camelCase(name: string): string {
  return name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
}

/** Every option given with its last value (`""` for flags), and the words between and after them. */
function readTokens(args: readonly string[]): { given: Map<string, string>; words: string[] } {
  const { tokens } = parseArgs({
    args: [...args],
    strict: false,
    allowPositionals: true,
    tokens: true,
    options: Object.fromEntries(optionTable.map((option) => [option.name, {
      type: option.kind === "flag" ? "boolean" as const : "string" as const,
      ...option.short === undefined ? {} : { short: option.short },
    }])),
  });
  const given = new Map<string, string>();
  const words: string[] = [];
  for (const token of tokens) {
    if (token.kind === "positional") words.push(token.value);
    if (token.kind !== "option") continue;
    const option = optionTable.find((candidate) => candidate.name === token.name);
    if (option === undefined) throw unknownFlag(token.rawName, args[token.index]!);
    if (option.once === true && given.has(option.name)) {
      throw usage(`expected --${option.name} once, found it twice`);
    }
    const value = readValue(option, token.value, token.inlineValue === true);
    const before = option.kind === "texts" ? given.get(option.name) : undefined;
    given.set(option.name, before === undefined ? value : `${before}\0${value}`);
  }
  return { given, words };
}

function readValue(option: Option, value: string | undefined, inline: boolean): string {
  const flag = `--${option.name}`;
  if (option.kind === "flag") {
    if (value !== undefined) throw usage(`${flag} takes no value, found ${show(value)}`);
    return "";
  }
  const wanted = `${flag}: expected ${expectationOf(option)}`;
  if (value === undefined) throw usage(`${wanted}, found nothing`);
  // Without "=", a value that looks like a flag is a forgotten value, not a strange one.
  if (!inline && /^-./.test(value) && !/^-[\d.]/.test(value)) {
    throw usage(
      option.secret === true
        ? `${wanted}, found a flag (write ${flag}=${option.placeholder} where it begins with a dash)`
        : `${wanted}, found the flag ${show(value)} (write ${flag}=${value} if it is meant)`,
    );
  }
  if (!isValue(option, value)) {
    const guess = option.choices === undefined ? undefined : nearest(value, option.choices);
    throw usage(
      `${wanted}, found ${value === "" ? "an empty value" : found(option, value)}` +
        (guess === undefined ? "" : `; did you mean ${guess}?`),
    );
  }
  return value;
}

function expectationOf(option: Option): string {
  if (option.expected !== undefined) return option.expected;
  switch (option.kind) {
    case "flag":
      return "no value";
    case "text":
    case "texts":
      return `a value (${option.placeholder})`;
    case "choice":
      return `one of ${option.choices!.join(", ")}`;
    case "list":
      return "tool names with commas between, or none";
    case "integer":
      return `a whole number from 1 to ${option.max}`;
    case "seconds":
      return `a number of seconds above 0, at most ${option.max}`;
    case "dollars":
      return `a number of dollars above 0, at most ${option.max}`;
  }
}

function isValue(option: Option, value: string): boolean {
  switch (option.kind) {
    case "flag":
      return false;
    case "text":
    case "texts":
      return value.trim() !== "" && !value.includes("\0");
    case "choice":
      return option.choices!.includes(value);
    case "list": {
      const names = namesOf(value);
      return value.trim() === "none" || (names.length > 0 && !names.includes("none"));
    }
    case "integer":
      return /^\d+$/.test(value) && Number(value) >= 1 && Number(value) <= option.max!;
    case "seconds":
    case "dollars":
      return /^(\d+\.?\d*|\.\d+)$/.test(value) && Number(value) > 0 && Number(value) <= option.max!;
  }
}

/** The value as shown in a message. */
function found(option: Option, value: string): string {
  return option.secret === true ? "an unusable value" : show(value);
}

function namesOf(list: string): string[] {
  if (list.trim() === "none") return [];
  return [...new Set(list.split(",").map((name) => name.trim()).filter((name) => name !== ""))];
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

function checkWords(given: ReadonlyMap<string, string>, words: readonly string[]): void {
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
  if (given.get("mode") === "rpc") {
    throw usage(
      `--mode rpc takes its prompts from stdin, found ${show(words.join(" "))} on the command line`,
    );
  }
}

function unknownFlag(rawName: string, argument: string): RunFailure {
  if (/\s/.test(argument)) {
    return usage(
      `unknown flag ${show(rawName)}; words that begin with a dash must come after --`,
    );
  }
  const whole = argument.split("=")[0]!;
  const within = rawName === whole ? "" : ` in ${show(argument)}`;
  const long = nearest(
    whole.replace(/^-+/, "").replaceAll("_", "-"),
    optionTable.map(({ name }) => name),
  );
  return usage(
    `unknown flag ${show(rawName)}${within}` +
      (long === undefined || whole.length < 3 ? "" : `; did you mean --${long}?`),
  );
}

function usage(sentence: string): RunFailure {
  return new RunFailure("usage", `${sentence}; see nimlet --help`.replace("?; see", "? See"));
}

/** `text` in quotes where it could be mistaken for the sentence around it, short, on one line. */
function show(text: string): string {
  const cut = text.length > 60 ? `${text.slice(0, 57)}...` : text;
  return /^[\w./:=@,+-]+$/.test(cut) ? cut : JSON.stringify(cut.toWellFormed());
}
