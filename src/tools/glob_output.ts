/** The text of a glob result: paths, and honest endings. */
import { basename } from "node:path";
import type { ToolOutput } from "../core/tool.ts";
import { shownWhole } from "../lib/shown_path.ts";
import type { FileList } from "../search/walk/list_files.ts";
import { faultNotes, leftOutLine, leftOutNotes } from "./search_notes.ts";

export function renderPaths(list: FileList): ToolOutput {
  const lines = list.paths.map((path) => shownWhole(path));
  if (lines.length === 0) {
    lines.push("No files matched");
    if (list.folder !== undefined) {
      const name = shownWhole(list.folder);
      lines.push(`[${name} is a folder: use ${basename(list.folder)}/** for the files in it]`);
    }
    lines.push(...leftOutNotes(list.leftOut));
  }
  const found = list.paths.length > 0;
  if (list.omitted > 0) {
    const count = `${list.omitted} more ${list.omitted === 1 ? "path" : "paths"} omitted`;
    lines.push(list.complete ? `[${count}]` : `[at least ${count}: not all folders were read]`);
  }
  if (found) lines.push(...leftOutLine(list.leftOut));
  lines.push(...faultNotes(list.leftOut));
  return { text: lines.join("\n") };
}
