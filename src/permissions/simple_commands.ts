/** Finds the simple commands of a parsed text, at whatever depth they stand. */
import type { ShellNode, ShellTree } from "../lib/shell_parser.ts";
import {
  hereMark,
  hole,
  readSimpleCommand,
  type ShellWord,
  type SimpleCommand,
} from "../lib/shell_words.ts";

type Redirects = Pick<SimpleCommand, "inputs" | "targets">;

const compound =
  /^(?:program|list|pipeline|subshell|(?:compound|if|while|for|case)_statement|negated_command|(?:elif|else)_clause|do_group|case_item|variable_assignments)$/;
const simple = /^(?:command|(?:declaration|unset|test)_command|redirected_statement)$/;
const sign =
  /^(?:;;?|&&?|\|\|?|\|&|[(){}!\n]|if|then|elif|else|fi|for|in|do|done|while|until|case|esac)$/;
const blank = /^(?:[ \t\n]|\\\n)*$/;

/** `isUnderstood` is false where the parser lost its way, or there is more than simple words. */
export function simpleCommands({ root, hasErrors }: ShellTree, code: string) {
  const commands: SimpleCommand[] = [], given = new Map<ShellNode, Redirects>();
  // assignments without a program, and the words of loops and cases
  const values: ShellWord[] = [];
  // A line that goes on within a word, or an operator, is one of them for the shell.
  let isUnderstood = !hasErrors && !/(?<![ \t\n])\\\n/.test(code),
    documents = code.split(hereMark).length - 1;
  visit({ ...root, start: 0, end: code.length }, { inputs: [], targets: [] });
  return { commands, values, isUnderstood: isUnderstood && documents === 0 };

  function visit(node: ShellNode, outer: Redirects): void {
    const redirects = joined(outer, given.get(node)), source = code.slice(node.start, node.end);
    const body = node.children.find(({ type }) => !type.endsWith("_redirect"));
    if (!node.named) isUnderstood &&= sign.test(source);
    else if (node.type === "comment") {
      isUnderstood &&= /^#.*$/.test(source) && /^[\s;&|()]?$/.test(code[node.start - 1] ?? "");
    } else if (node.type === "redirected_statement" && body && body.type !== "command") {
      const after = read(body.end, node.end);
      isUnderstood &&= after?.words.length === 0 && after.assignments.length === 0;
      let last = body;
      while (/^(?:list|pipeline)$/.test(last.type)) last = last.children.at(-1)!;
      given.set(last, joined(given.get(node), after));
      visit(body, outer);
    } else if (simple.test(node.type)) {
      const command = read(node.start, node.end) ?? fragments(node, redirects);
      commands.push({ ...command, ...joined(redirects, command) });
    } else if (compound.test(node.type)) {
      let at = node.start;
      for (const [index, child] of node.children.entries()) {
        const piped = node.type === "pipeline" && index > 0 ? [hole] : [];
        isUnderstood &&= blank.test(code.slice(at, child.start));
        visit(child, joined(redirects, { inputs: piped, targets: [] }));
        at = child.end;
      }
      isUnderstood &&= blank.test(code.slice(at, node.end));
    } else {
      const { words, assignments } = read(node.start, node.end) ?? fragments(node, redirects);
      const found = node.type === "variable_assignment" ? assignments : words;
      isUnderstood &&= found.length === 1;
      values.push(...found);
    }
  }

  function read(start: number, end: number): SimpleCommand | undefined {
    const text = code.slice(start, end), signs = /(?<=\s)(?:&&|\|\||[<>()])(?=\s)/g;
    const found = readSimpleCommand(text.startsWith("[[") ? text.replace(signs, "-o") : text);
    documents -= found?.inputs.filter((word) => word.source === hereMark).length ?? 0;
    return found;
  }

  /** What can be read of a command, so that what it runs can be named. */
  function fragments(node: ShellNode, redirects: Redirects): SimpleCommand {
    isUnderstood = false;
    node.children.forEach((child) => visit(child, redirects));
    const words = node.children.filter(({ named }) => named).flatMap((child) =>
      readSimpleCommand(code.slice(child.start, child.end))?.words ?? [hole]
    );
    return { assignments: [], words, inputs: [], targets: [] };
  }
}

function joined(...parts: readonly (Redirects | undefined)[]): Redirects {
  const inputs = parts.flatMap((part) => part?.inputs ?? []);
  return { inputs, targets: parts.flatMap((part) => part?.targets ?? []) };
}
