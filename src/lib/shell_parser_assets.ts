/**
 * Where the shell parser's two WebAssembly files are found.
 *
 * In a bundle this module's own URL ends in `.js`; the packages' files lie in the same folder,
 * compressed. From source they are the packages' own.
 */
import type { ShellParserFiles } from "./shell_parser.ts";

/** The URLs of the files; they need not exist where the installation is incomplete. */
export async function shellParserUrls(): Promise<ShellParserFiles<URL>> {
  if (import.meta.url.endsWith(".js")) {
    return {
      parser: new URL("./web-tree-sitter.wasm.gz", import.meta.url),
      grammar: new URL("./tree-sitter-bash.wasm.gz", import.meta.url),
    };
  }
  const { locateShellParser } = await import("./shell_parser.ts");
  const { parser, grammar } = await locateShellParser();
  return { parser: new URL(parser), grammar: new URL(grammar) };
}
