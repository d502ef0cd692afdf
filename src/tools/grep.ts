/** The grep tool. */
import {
  argumentShape,
  type ArgumentsOf,
  flag,
  integer,
  optional,
  someText,
  text,
} from "../core/argument_shape.ts";
import type { Tool } from "../core/tool.ts";
import type { GrepFiles } from "../search/scan/grep_files.ts";
import { searchBounds } from "./search_bounds.ts";

const defaultMatches = 80;
const maxMatches = 200;

const fields = {
  pattern: someText("Matched line by line."),
  glob: optional(someText("Only these files; without a slash at any depth: *.ts")),
  path: optional(text("Workspace-relative folder or file; default all.")),
  case_insensitive: optional(flag()),
  max_matches: optional(
    integer(`Default ${defaultMatches}, at most ${maxMatches}.`, { min: 1 }),
  ),
};

export const grepTool = createGrepTool();

/** A tool of its own with workers of its own. */
export function createGrepTool(): Tool<ArgumentsOf<typeof fields>> {
  // Loaded at the first call, and kept with its workers for the next ones.
  let loaded: Promise<GrepFiles> | undefined;
  const load = async () => (await import("../search/scan/grep_files.ts")).createGrepFiles();
  return {
    name: "grep",
    description:
      "Search file contents with a PCRE regular expression; returns path:line:text. Skips binary " +
      "files, files over 1 MiB and, unless named, ignored files and generated folders.",
    capabilities: ["read"],
    input: argumentShape(fields),
    parallel: true,
    origin: { kind: "built-in" },
    async run(asked, context) {
      const { renderMatches } = await import("./grep_output.ts");
      const grepFiles = await (loaded ??= load());
      const result = await grepFiles({
        bounds: searchBounds(context),
        pattern: asked.pattern,
        caseInsensitive: asked.case_insensitive ?? false,
        path: asked.path ?? ".",
        // Without a slash a glob speaks of names, wherever they are.
        glob: asked.glob?.includes("/") === false ? `**/${asked.glob}` : asked.glob,
        maxMatches: Math.min(asked.max_matches ?? defaultMatches, maxMatches),
      }, context.signal);
      return { text: renderMatches(result) };
    },
  };
}
