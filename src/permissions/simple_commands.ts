/** Owns the finding of every simple command in a tree, at whatever depth it stands. */
import type { ShellNode } from "../lib/shell_parser.ts";
import { type KnownValues, type ShellWord, wordOf } from "./shell_words.ts";

export interface SimpleCommand {
  /** The program and its arguments. */
  readonly words: readonly ShellWord[];
  /** Assignments in front of it, where their value is plain. */
  readonly assignments: KnownValues;
  /** True behind a pipe, or with a here document or string. */
  readonly hasInput: boolean;
}

export interface FoundCommands {
  readonly commands: readonly SimpleCommand[];
  /** Texts in the shell language that the tree keeps as plain text. */
  readonly scripts: readonly string[];
}

export function simpleCommands(root: ShellNode, source: string): FoundCommands {
  const found = { commands: [] as SimpleCommand[], scripts: [] as string[] };
  const known = plainAssignments(root, source);
  visit(root, false, []);
  return found;

  /** `extra`: arguments that stand behind a redirection. */
  function visit(node: ShellNode, hasInput: boolean, extra: readonly ShellNode[]): void {
    switch (node.type) {
      case "command":
        addCommand(node, hasInput, extra);
        break;
      case "redirected_statement": {
        const redirects = node.children.filter(isRedirect);
        const given = hasInput || redirects.some(givesInput);
        const behind = redirects.flatMap(argumentsBehind);
        for (const child of node.children) {
          visit(
            child,
            isRedirect(child) ? hasInput : given,
            child.type === "command" ? behind : [],
          );
        }
        return;
      }
      case "pipeline": {
        const stages = node.children.filter((child) => child.named);
        stages.forEach((stage, index) => visit(stage, hasInput || index > 0, []));
        return;
      }
      case "heredoc_redirect":
        // what the here document is piped into stands within it
      case "process_substitution":
      case "function_definition":
        // whoever uses it may give it input
        for (const child of node.children) visit(child, true, []);
        return;
      case "heredoc_body":
        found.scripts.push(...backquoted(source.slice(node.start, node.end)));
        break;
    }
    for (const child of node.children) visit(child, hasInput, []);
  }

  function addCommand(node: ShellNode, hasInput: boolean, extra: readonly ShellNode[]): void {
    const redirects = node.children.filter(isRedirect);
    const parts = node.children.filter((child) => child.type === "command_name" || isWord(child));
    const behind = [...redirects.flatMap(argumentsBehind), ...extra];
    const words = [...parts, ...behind].map((part) => wordOf(part, source, known));
    found.commands.push({
      words,
      assignments: plainAssignments(node, source, false),
      hasInput: hasInput || redirects.some(givesInput),
    });
  }
}

function isRedirect(node: ShellNode): boolean {
  return node.type.endsWith("_redirect");
}

function givesInput(node: ShellNode): boolean {
  return node.type === "heredoc_redirect" || node.type === "herestring_redirect" ||
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

/** Variables with a plain value; of several assignments the last counts. */
function plainAssignments(
  root: ShellNode,
  source: string,
  deep = true,
): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  const visit = (node: ShellNode, depth: number): void => {
    if (node.type === "variable_assignment") {
      const name = node.children.find((child) => child.type === "variable_name");
      const value = node.children.at(-1);
      if (name !== undefined && value !== undefined && value !== name && isArgument(value)) {
        const word = wordOf(value, source, values);
        if (word.exact || word.text !== "") {
          values.set(source.slice(name.start, name.end), word.text);
        }
      }
    }
    if (deep || depth === 0) { for (const child of node.children) visit(child, depth + 1); }
  };
  visit(root, 0);
  return values;
}

/** Old command substitutions, which a here document's text keeps to itself. */
function backquoted(text: string): string[] {
  return [...text.matchAll(/(?<!\\)`((?:[^`\\]|\\[^])*)`/g)].map(([, inside]) => inside!);
}
