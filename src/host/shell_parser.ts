/** Opens the shell parser: reads the files of its packages, and prepares it. */
import { fileURLToPath } from "node:url";
import type { ParseShell } from "../lib/shell_parser.ts";
import { readHead } from "./folders.ts";

const maxWasmBytes = 8 * 1024 * 1024;

/** Undefined where the files are missing. */
export async function openShellParser(): Promise<ParseShell | undefined> {
  const { shellParserUrls } = await import("../lib/shell_parser_assets.ts");
  const urls = await shellParserUrls();
  const parser = readHead(fileURLToPath(urls.parser), maxWasmBytes);
  const grammar = readHead(fileURLToPath(urls.grammar), maxWasmBytes);
  if (parser.kind !== "head" || grammar.kind !== "head") return undefined;
  const { loadShellParser } = await import("../lib/shell_parser.ts");
  const { unpacked } = await import("../lib/packed.ts");
  return await loadShellParser({
    parser: unpacked(parser.bytes),
    grammar: unpacked(grammar.bytes),
  });
}
