/** Finds every simple command in a tree, at any depth. */
import type { ShellNode } from "../lib/shell_parser.ts";
import { type ShellWord, wordOf } from "./shell_words.ts";

export interface SimpleCommand {
  /** The program and its arguments. */
  readonly words: readonly ShellWord[];
  /** Texts that may reach it on standard input; undefined where the command gives it none. */
  readonly input: readonly string[] | undefined;
}

export interface FoundCommands {
  readonly commands: readonly SimpleCommand[];
  /** Texts in the shell language that the tree keeps as plain text. */
  readonly scripts: readonly string[];
  /** Variables that are set anywhere; of several assignments the last counts. */
  readonly assignments: ReadonlyMap<string, ShellWord>;
}

export function simpleCommands(root: ShellNode, source: string): FoundCommands {
  const found = { commands: [] as SimpleCommand[], scripts: [] as string[] };
  const { known, assignments } = assignmentsIn(root, source);
  visit(root, undefined, []);
  return { ...found, assignments };

  /** `extra`: arguments that stand behind a redirection. */
  function visit(node: ShellNode, input: Input, extra: readonly ShellNode[]): void {
    switch (node.type) {
      case "command":
        addCommand(node, input, extra);
        break;
      case "redirected_statement": {
        const redirects = node.children.filter(isRedirect);
        const given = merged(input, redirectedInput(redirects));
        const behind = redirects.flatMap(argumentsBehind);
        for (const child of node.children) {
          if (isRedirect(child)) visit(child, merged(input, textsIn(node)), []);
          else visit(child, given, child.type === "command" ? behind : []);
        }
        return;
      }
      case "pipeline": {
        let before = input;
        for (const stage of node.children.filter((child) => child.named)) {
          visit(stage, before, []);
          before = merged(before, textsIn(stage));
        }
        return;
      }
      case "process_substitution":
      case "function_definition":
        // whoever uses it may give it input
        for (const child of node.children) visit(child, merged(input, textsIn(root)), []);
        return;
      case "heredoc_body":
        found.scripts.push(...backquoted(source.slice(node.start, node.end)));
        break;
    }
    for (const child of node.children) visit(child, input, []);
  }

  function addCommand(node: ShellNode, input: Input, extra: readonly ShellNode[]): void {
    const redirects = node.children.filter(isRedirect);
    const parts = node.children.filter((child) => child.type === "command_name" || isWord(child));
    const behind = [...redirects.flatMap(argumentsBehind), ...extra];
    const words = [...parts, ...behind].map((part) => wordOf(part, source, known));
    const substituted = parts.filter((part) => part.type === "process_substitution");
    found.commands.push({
      words,
      input: merged(input, redirectedInput([...redirects, ...substituted])),
    });
  }

  function redirectedInput(redirects: readonly ShellNode[]): Input {
    const giving = redirects.filter(givesInput);
    return giving.length === 0 ? undefined : giving.flatMap(textsIn);
  }

  /** Texts that what is below `node` may write: here documents, and the words of its commands. */
  function textsIn(node: ShellNode): string[] {
    const texts: string[] = [];
    const collect = (part: ShellNode): void => {
      if (texts.length >= maxTexts) return;
      if (part.type === "heredoc_body") texts.push(source.slice(part.start, part.end));
      const words = part.children.filter(isArgument)
        .map((child) => wordOf(child, source, known).text);
      if (words.length > 0) texts.push(words.join(" "));
      if (words.length > 1) texts.push(...words);
      part.children.forEach(collect);
    };
    collect(node);
    return texts.slice(0, maxTexts);
  }
}

type Input = readonly string[] | undefined;

const maxTexts = 50;

function merged(a: Input, b: Input): Input {
  if (a === undefined || b === undefined) return a ?? b;
  return [...new Set([...a, ...b])].slice(0, maxTexts);
}

function isRedirect(node: ShellNode): boolean {
  return node.type.endsWith("_redirect");
}

function givesInput(node: ShellNode): boolean {
  return node.type === "heredoc_redirect" || node.type === "herestring_redirect" ||
    node.type === "process_substitution" ||
    node.children.some((child) => child.type === "process_substitution");
}

const notWords = new Set(["command_name", "variable_assignment", "comment", "ERROR"]);

function isWord(node: ShellNode): boolean {
  return node.named && !notWords.has(node.type) && !isRedirect(node);
}

/** `>file -rf x`: the words behind the target are arguments of the command. */
function argumentsBehind(redirect: ShellNode): ShellNode[] {
  if (redirect.type === "herestring_redirect") return [];
  const words = redirect.children.filter((child) => isArgument(child));
  return redirect.type === "file_redirect" ? words.slice(1) : words;
}

const arguments_ = new Set([
  "word",
  "number",
  "string",
  "raw_string",
  "ansi_c_string",
  "translated_string",
  "concatenation",
  "simple_expansion",
  "expansion",
  "command_substitution",
  "process_substitution",
  "arithmetic_expansion",
]);

function isArgument(node: ShellNode): boolean {
  return arguments_.has(node.type);
}

/** All assignments, and those of them whose value is plain. */
function assignmentsIn(root: ShellNode, source: string) {
  const known = new Map<string, string>(), assignments = new Map<string, ShellWord>();
  const visit = (node: ShellNode): void => {
    if (node.type === "variable_assignment") {
      const name = node.children.find((child) => child.type === "variable_name");
      const value = node.children.at(-1);
      if (name !== undefined && value !== undefined && value !== name && isArgument(value)) {
        const word = wordOf(value, source, known);
        const key = source.slice(name.start, name.end);
        assignments.set(key, word);
        if (word.exact || word.text !== "") known.set(key, word.text);
      }
    }
    node.children.forEach(visit);
  };
  visit(root);
  return { known, assignments };
}

/** Old command substitutions, which a here document's text keeps to itself. */
function backquoted(text: string): string[] {
  return [...text.matchAll(/(?<!\\)`((?:[^`\\]|\\[^])*)`/g)].map(([, inside]) => inside!);
}
