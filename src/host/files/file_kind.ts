/** The words for what a path can name other than a regular file. */
import { ToolFailure } from "../../core/failure.ts";
import { shownPath } from "../../lib/shown_path.ts";

export type FileKind =
  | "file"
  | "folder"
  | "symbolic link"
  | "FIFO"
  | "socket"
  | "character device"
  | "block device";

export function kindOf(info: Deno.FileInfo): FileKind {
  if (info.isFile) return "file";
  if (info.isDirectory) return "folder";
  if (info.isSymlink) return "symbolic link";
  if (info.isFifo) return "FIFO";
  if (info.isSocket) return "socket";
  return info.isBlockDevice ? "block device" : "character device";
}

/** The failure for something that is no regular file where one is needed. */
export function notAFile(path: string, kind: FileKind): ToolFailure {
  const advice = kind === "folder" ? "; use glob to list what it holds" : "";
  return new ToolFailure(
    "not_a_file",
    `not a regular file: ${shownPath(path)} is a ${kind}${advice}`,
  );
}
