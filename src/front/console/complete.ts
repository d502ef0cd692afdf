/** Completes what is typed: commands and their arguments, files, models, sessions. */
import type { Command } from "./command.ts";
import type { ConsoleServices } from "./services.ts";

export interface Completion {
  /** In the place of the word. */
  readonly text: string;
  /** What it is, for a list. */
  readonly note?: string;
}

export interface Completions {
  /** The end of the line, which they replace. */
  readonly word: string;
  readonly found: readonly Completion[];
}

/** For the whole line up to the cursor. */
export type Complete = (line: string) => Promise<Completions>;

/** How long what is completed may be looked for. */
const patienceMs = 3000;

export function createComplete(
  commands: readonly Command[],
  services: () => ConsoleServices | undefined,
): Complete {
  return async (line) => {
    const current = services();
    if (current === undefined) return nothing;
    const signal = AbortSignal.timeout(patienceMs);
    const mention = /(?:^|[\s([{'`,;<])(@(?:"[^"\n]*|[^\s"'`<>|]*))$/u.exec(line)?.[1];
    if (mention !== undefined) return await mentions(mention, current, signal);
    const [, command] = /^\/(\S*)$/.exec(line) ?? [];
    if (command !== undefined) return await commandNames(command, commands, current);
    const [, name, given] = /^\/(\S+)[ \t]+(.*)$/.exec(line) ?? [];
    if (name !== undefined) return await choices(name, given!, commands, current, signal);
    const [, path] = /^\s*!.*?([^\s!"'`;|&<>()$\\]*)$/.exec(line) ?? [];
    return path === undefined ? nothing : await paths(path, current, signal);
  };
}

const nothing: Completions = { word: "", found: [] };

async function commandNames(
  word: string,
  commands: readonly Command[],
  services: ConsoleServices,
): Promise<Completions> {
  const own = await services.slashPrompts().names();
  const all = [...commands, ...own].filter(({ name }) => name.startsWith(word));
  return { word, found: all.map(({ name, help }) => ({ text: `${name} `, note: help })) };
}

async function choices(
  name: string,
  given: string,
  commands: readonly Command[],
  services: ConsoleServices,
  signal: AbortSignal,
): Promise<Completions> {
  const command = commands.find((candidate) => candidate.name === name);
  const words = command?.takesText ? [given.trimStart()] : given.split(/[ \t]+/);
  const word = words.at(-1)!;
  const all = await command?.choices?.(services, words.slice(0, -1), signal) ?? [];
  const found = all.map((choice): Completion =>
    typeof choice === "string" ? { text: choice } : { text: choice.value, note: choice.note }
  );
  return { word, found: matching(found, word) };
}

/** Those that begin with the word, else those that hold it in their text or note. */
function matching(all: readonly Completion[], word: string): Completion[] {
  const begins = all.filter(({ text }) => text.startsWith(word));
  if (begins.length > 0) return begins;
  const low = word.toLowerCase();
  return all.filter(({ text, note = "" }) => `${text}\n${note}`.toLowerCase().includes(low));
}

async function mentions(
  word: string,
  services: ConsoleServices,
  signal: AbortSignal,
): Promise<Completions> {
  const typed = word.replace(/^@"?/, "");
  const found = (await services.completePaths(typed, signal)).map((path) => {
    const isFolder = path.endsWith("/");
    if (!/[\s'`<>|]/.test(path) && !word.startsWith('@"')) {
      return { text: `@${path}${isFolder ? "" : " "}` };
    }
    return { text: `@"${path}${isFolder ? "" : '" '}` };
  });
  return { word, found };
}

/** Of a shell's command: those that need no quotes. */
async function paths(
  word: string,
  services: ConsoleServices,
  signal: AbortSignal,
): Promise<Completions> {
  const all = (await services.completePaths(word, signal)).filter((path) =>
    /^[\w./@%+,:=-]+$/.test(path)
  );
  return { word, found: all.map((path) => ({ text: path.endsWith("/") ? path : `${path} ` })) };
}

/** The line with its last word completed as far as that is clear; undefined where it is not. */
export function completedLine(line: string, { word, found }: Completions): string | undefined {
  const common = commonStart(found.map(({ text }) => text));
  const isLonger = word !== "" && common.startsWith(word) && common.length > word.length;
  return found.length === 1 || isLonger
    ? line.slice(0, line.length - word.length) + common
    : undefined;
}

/** What all of them begin with. */
function commonStart(texts: readonly string[]): string {
  const [first = "", ...others] = texts;
  let length = first.length;
  for (const text of others) {
    let same = 0;
    while (same < length && text[same] === first[same]) same++;
    length = same;
  }
  const common = first.slice(0, length);
  return common.isWellFormed() ? common : common.slice(0, -1);
}
