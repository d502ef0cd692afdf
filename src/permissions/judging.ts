/** What a rule about one program can ask of the judge, and the steps that rules share. */
import type { ShellWord } from "./shell_words.ts";

/** A reason (`runs rm`), or undefined where there is none. */
export type Reason = string | undefined;

export interface Judging {
  /** Judges a program with its arguments. */
  words(words: readonly ShellWord[]): Reason;
  /** Judges text in the shell language. */
  script(text: string): Reason;
  /**
   * What is run cannot be told: judges by the words of the whole command. `isText` where it is text
   * in the shell language, and not the name of a program.
   */
  unknown(isText?: boolean): Reason;
  /** True where the program's standard input is given by the command itself. */
  readonly hasInput: boolean;
  /** Texts that it may read there. */
  readonly input: readonly string[];
  /** True where the command itself may have written the file. */
  writes(file: string): boolean;
}

export function plain(text: string): ShellWord {
  return { text, exact: true, pattern: false };
}

export function first<Item>(
  items: readonly Item[],
  judge: (item: Item, index: number) => Reason,
): Reason {
  for (const [index, item] of items.entries()) {
    const reason = judge(item, index);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

/** Words that are put together and read as shell language. */
export function scriptOf(words: readonly ShellWord[], judging: Judging): Reason {
  const text = words.map((word) => word.text).join(" ");
  return judging.script(text) ??
    (words.every((word) => word.exact) ? undefined : judging.unknown(true));
}

/** What may follow the options, where an option's value may be a word of its own. */
export function afterOptions(args: readonly ShellWord[], valued = ""): (readonly ShellWord[])[] {
  const words = withoutOptions(args, valued);
  const last = args[args.length - words.length - 1];
  return last === undefined || last.text.includes("=") ? [words] : [words, words.slice(1)];
}

export function withoutOptions(args: readonly ShellWord[], valued = ""): readonly ShellWord[] {
  let at = 0;
  while (/^-/.test(args[at]?.text ?? "")) {
    at += valued !== "" && args[at]!.text === `-${valued}` ? 2 : 1;
  }
  return args.slice(at);
}
