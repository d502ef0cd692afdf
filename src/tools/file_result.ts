/** Results about files: the form, a `key: value` head, a blank line, a body, and the note of a change. */
import type { FileChange } from "../core/file_change.ts";
import type { ToolContext } from "../core/tool.ts";

/** Joins a head, whose undefined values are left out, and a body. */
export function resultText(
  head: Readonly<Record<string, string | number | undefined>>,
  body?: string,
): string {
  const lines = Object.entries(head)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${key}: ${value}`);
  return body === undefined || body === "" ? lines.join("\n") : `${lines.join("\n")}\n\n${body}`;
}

/** `count` with the word for it: `1 line`, `2 lines`. */
export function counted(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? "" : "s"}`;
}

/** For whoever shows changes and takes them back. */
export function noteChange(
  { fileChanged }: Pick<ToolContext, "fileChanged">,
  { path, realPath, foldersMade }: Pick<FileChange, "path" | "realPath" | "foldersMade">,
  before: FileChange["before"],
  after: Uint8Array,
): void {
  fileChanged?.({ path, realPath, foldersMade, before, after });
}
