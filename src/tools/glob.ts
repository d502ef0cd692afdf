/** Owns the glob tool. */
import { basename } from "node:path";
import {
  argumentShape,
  type ArgumentsOf,
  optional,
  someText,
  text,
} from "../core/argument_shape.ts";
import type { Tool, ToolOutput } from "../core/tool.ts";
import { type FileList, listFiles } from "../search/list_files.ts";
import { shownPath } from "../search/shown_path.ts";
import { faultNotes, leftOutNotes } from "./search_notes.ts";

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
  async run({ pattern, path = "." }, { workspace, signal }) {
    return render(await listFiles({ workspace, pattern, path, maxPaths }, signal));
  },
};

function render(list: FileList): ToolOutput {
  const lines = list.paths.map((path) => shownPath(path));
  if (lines.length === 0) {
    lines.push("No files matched");
    if (list.folder !== undefined) {
      const name = shownPath(list.folder);
      lines.push(`[${name} is a folder: use ${basename(list.folder)}/** for the files in it]`);
    }
    lines.push(...leftOutNotes(list.leftOut));
  }
  if (list.omitted > 0) {
    const count = `${list.omitted} more ${list.omitted === 1 ? "path" : "paths"} omitted`;
    lines.push(list.complete ? `[${count}]` : `[at least ${count}: not all folders were read]`);
  }
  lines.push(...faultNotes(list.leftOut));
  return { text: lines.join("\n") };
}
