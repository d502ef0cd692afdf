/** Version tokens, which identify the content of a file. */
import type { NodeFiles } from "./node_files.ts";
import type { FileStat } from "./open_file.ts";

/** Files up to this size are read whole and known by their content; larger ones by their state. */
export const maxHashedBytes = 16 * 1024 * 1024;

/** The token of content: equal bytes, equal token. */
export function versionOf(node: NodeFiles, bytes: Uint8Array): string {
  return node.createHash("sha256").update(bytes).digest("hex").slice(0, 16);
}

/** The token of a file too large to hash: it changes whenever the file is written or replaced. */
export function versionOfLarge(node: NodeFiles, stat: FileStat): string {
  return `large-${node.createHash("sha256").update(stat.fingerprint).digest("hex").slice(0, 16)}`;
}

/** The token that reading a file just written gives. */
export function versionOfWritten(node: NodeFiles, bytes: Uint8Array, stat: FileStat): string {
  return bytes.length > maxHashedBytes ? versionOfLarge(node, stat) : versionOf(node, bytes);
}
