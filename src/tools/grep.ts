/** Owns the grep tool. */
import { shapeOf } from "../core/input_shape.ts";
import { z } from "../core/schema.ts";
import type { Tool } from "../core/tool.ts";
import { createGrepFiles } from "../search/grep_files.ts";
import { renderMatches } from "./grep_output.ts";

const defaultMatches = 80;
const maxMatches = 200;

const input = z.strictObject({
  pattern: z.string().min(1).describe("Matched line by line."),
  glob: z.string().min(1).optional().describe(
    "Only these files; without a slash at any depth: *.ts",
  ),
  path: z.string().optional().describe("Workspace-relative folder or file; default all."),
  case_insensitive: z.boolean().optional(),
  max_matches: z.int().min(1).optional().describe(
    `Default ${defaultMatches}, at most ${maxMatches}.`,
  ),
});

export const grepTool = createGrepTool();

/** A tool of its own with workers of its own. */
export function createGrepTool(): Tool<z.output<typeof input>> {
  const grepFiles = createGrepFiles();
  return {
    name: "grep",
    description:
      "Search file contents with a PCRE regular expression; returns path:line:text. Skips binary " +
      "files, files over 1 MiB and, unless named, ignored files and generated folders.",
    capabilities: ["read"],
    input: shapeOf(input),
    parallel: true,
    origin: { kind: "built-in" },
    async run(asked, { workspace, signal }) {
      const result = await grepFiles({
        workspace,
        pattern: asked.pattern,
        caseInsensitive: asked.case_insensitive ?? false,
        path: asked.path ?? ".",
        // Without a slash a glob speaks of names, wherever they are.
        glob: asked.glob?.includes("/") === false ? `**/${asked.glob}` : asked.glob,
        maxMatches: Math.min(asked.max_matches ?? defaultMatches, maxMatches),
      }, signal);
      return { text: renderMatches(result, asked.path ?? ".") };
    },
  };
}
