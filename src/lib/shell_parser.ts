/** Parses the shell language: loads the packages that do, and makes plain trees of what they see. */
import { Language, type Node, Parser } from "web-tree-sitter";

/** One node; `start` and `end` are indices into the text. */
export interface ShellNode {
  readonly type: string;
  /** False for punctuation and key words. */
  readonly named: boolean;
  readonly start: number;
  readonly end: number;
  readonly children: readonly ShellNode[];
}

export interface ShellTree {
  readonly root: ShellNode;
  /** True where part of the text did not fit the grammar. */
  readonly hasErrors: boolean;
}

/** Parses a text; undefined where it takes too long, or is nested too deeply. */
export type ParseShell = (text: string) => ShellTree | undefined;

export interface ShellParserFiles<File> {
  /** `web-tree-sitter.wasm` of the package `web-tree-sitter`. */
  readonly parser: File;
  /** `tree-sitter-bash.wasm` of the package `tree-sitter-bash`. */
  readonly grammar: File;
}

/** Where the packages have their files, when the program runs from source. */
export async function locateShellParser(): Promise<ShellParserFiles<string>> {
  // Only a package that is part of the running program has a place that can be resolved.
  await import("tree-sitter-bash/package.json", { with: { type: "json" } });
  return {
    parser: import.meta.resolve("web-tree-sitter/web-tree-sitter.wasm"),
    grammar: import.meta.resolve("tree-sitter-bash/tree-sitter-bash.wasm"),
  };
}

/** Prepares the parser from the bytes of both files; takes some tens of milliseconds. */
export async function loadShellParser(files: ShellParserFiles<Uint8Array>): Promise<ParseShell> {
  await Parser.init({ wasmBinary: files.parser });
  const parser = new Parser();
  parser.setLanguage(await Language.load(files.grammar));
  return (text) => {
    const deadline = performance.now() + maxParseMs;
    let tree;
    try {
      tree = parser.parse(text, null, {
        progressCallback: () => performance.now() > deadline,
      });
      if (tree !== null) return { root: plain(tree.rootNode), hasErrors: tree.rootNode.hasError };
    } catch (error) {
      if (!(error instanceof RangeError || error instanceof WebAssembly.RuntimeError)) throw error;
    } finally {
      tree?.delete();
    }
    parser.reset();
    return undefined;
  };
}

const maxParseMs = 500;

function plain(node: Node): ShellNode {
  const children: ShellNode[] = [];
  for (const child of node.children) {
    if (child !== null) children.push(plain(child));
  }
  return {
    type: node.type,
    named: node.isNamed,
    start: node.startIndex,
    end: node.endIndex,
    children,
  };
}
