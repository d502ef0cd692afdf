/**
 * The files of one batch, as threads hand them on: a text in UTF-8 of folders and names. A folder ends with
 * a slash, and the names of files in it follow; after each is a NUL, which no path holds.
 */
import { folderMark } from "../walk/list_folder.ts";

export interface FileBatch {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** How many files. */
  readonly count: number;
  /** Their paths, relative to the root; put together when first asked for, as most are not. */
  paths(): readonly string[];
}

export interface BatchWriter {
  /** `folder` is relative to the root: `""`, or with a final slash. */
  add(folder: string, name: string): void;
  /** Files added since the last batch. */
  count(): number;
  /** The files added since, which may not be none. */
  take(): FileBatch;
}

export function batchWriter(): BatchWriter {
  const encoder = new TextEncoder();
  let parts: string[] = [], count = 0;
  let current: string | undefined;
  return {
    add(folder, name) {
      if (folder !== current) {
        current = folder;
        parts.push(folder === "" ? folderMark : folder);
      }
      parts.push(name);
      count++;
    },
    count: () => count,
    take() {
      const written = parts;
      let paths: readonly string[] | undefined;
      const batch: FileBatch = {
        bytes: encoder.encode(`${written.join("\0")}\0`),
        count,
        paths: () => paths ??= pathsOf(written),
      };
      parts = [];
      count = 0;
      current = undefined;
      return batch;
    },
  };
}

function pathsOf(parts: readonly string[]): string[] {
  const paths: string[] = [];
  let folder = "";
  for (const part of parts) {
    if (!part.endsWith(folderMark)) paths.push(folder + part);
    else folder = part === folderMark ? "" : part;
  }
  return paths;
}
