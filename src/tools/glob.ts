/** The glob tool. */
import {
  argumentShape,
  type ArgumentsOf,
  optional,
  someText,
  text,
} from "../core/argument_shape.ts";
import type { Tool } from "../core/tool.ts";
import { searchBounds } from "./search_bounds.ts";

const fields = {
  pattern: someText("* within a segment, ** any depth, ?, [...], {a,b}; leading dots match."),
  path: optional(text("Workspace-relative folder; default all.")),
};

const maxPaths = 200;

export const globTool: Tool<ArgumentsOf<typeof fields>> = {
  name: "glob",
  description: "List workspace files whose whole path matches a glob, sorted, at most 200. " +
    "Skips ignored files and generated folders (node_modules, dist, ...) unless named.",
  capabilities: ["read"],
  input: argumentShape(fields),
  parallel: true,
  origin: { kind: "built-in" },
  async run({ pattern, path = "." }, context) {
    const { listFiles } = await import("../search/walk/list_files.ts");
    const { renderPaths } = await import("./glob_output.ts");
    const request = { bounds: searchBounds(context), pattern, path, maxPaths };
    return renderPaths(await listFiles(request, context.signal));
  },
};
