/** Judges a shell command: whether it needs approval every time. */
import { readHead } from "../host/folders.ts";
import type { ParseShell } from "../lib/shell_parser.ts";

/** `dangerous` completes the sentence "it ...": `runs rm`. */
export interface Danger {
  readonly dangerous: string;
}

/**
 * Makes the judge of commands. The parser is loaded with the first command; where that fails, and
 * for what cannot be parsed, a command counts as dangerous when any word of the list occurs in it.
 */
export function commandJudge(): (command: string) => Promise<Danger | undefined> {
  let parser: Promise<ParseShell | undefined> | undefined;
  return async (command) => {
    parser ??= loadParser();
    const parse = await parser ?? (() => undefined);
    const { judgeText } = await import("./judge_text.ts");
    const reason = judgeText(command, parse);
    return reason === undefined ? undefined : { dangerous: reason };
  };
}

const maxWasmBytes = 8 * 1024 * 1024;

async function loadParser(): Promise<ParseShell | undefined> {
  const { shellParserUrls } = await import("../lib/shell_parser_assets.ts");
  const { fileURLToPath } = await import("node:url");
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
