/** Copies what is in the workspace, for programs that would open it by a path of their own. */
import * as fs from "node:fs";
import { dirname, join } from "node:path";
import type { FileBounds } from "../../core/file_bounds.ts";
import { ToolFailure } from "../../core/failure.ts";
import { ownFolderOf } from "../same_place.ts";
import { openAt, readAll } from "./open_file.ts";
import { parsePath } from "./path_rule.ts";
import { enter, fromFolder, type Walk } from "./real_walk.ts";

export type Entry =
  | { readonly kind: "file"; readonly bytes: Uint8Array; readonly mode: number }
  /** The text of a link, which is not followed. */
  | { readonly kind: "link"; readonly text: string }
  /** Nothing, a folder, or below a link: what a repository calls deleted. */
  | { readonly kind: "missing" }
  /** Larger than allowed, not to be read, or out of bounds. */
  | { readonly kind: "refused" };

/** What is at `path` itself, read where no swapped link can lead outside. */
export function entryInside(bounds: FileBounds, path: string, maxBytes: number): Entry {
  const segments = parsePath(path, bounds.workspace).segments;
  const name = segments.at(-1);
  if (name === undefined) return { kind: "missing" };
  try {
    return fromFolder(bounds.workspace, (root) => {
      const walk: Walk = { root, own: ownFolderOf(bounds), path, links: 0, made: [] };
      enter(walk, segments.slice(0, -1), false);
      if (Deno.cwd() !== join(root, ...segments.slice(0, -1))) return { kind: "missing" };
      return entryAt(name, path, maxBytes);
    });
  } catch (error) {
    if (!(error instanceof ToolFailure)) throw error;
    return { kind: error.code === "not_found" ? "missing" : "refused" };
  }
}

/** Writes what `entryInside` found to `target`; its folders are made. False where that cannot be. */
export function writeEntry(entry: Entry, target: string): boolean {
  if (entry.kind !== "file" && entry.kind !== "link") return true;
  try {
    makeFolder(dirname(target));
    if (entry.kind === "link") Deno.symlinkSync(entry.text, target);
    else Deno.writeFileSync(target, entry.bytes, { createNew: true, mode: entry.mode });
    return true;
  } catch {
    return false; // A full disk; or a file where by now a folder was found.
  }
}

export function makeFolder(path: string): void {
  Deno.mkdirSync(path, { recursive: true });
}

function entryAt(name: string, path: string, maxBytes: number): Entry {
  let info: Deno.FileInfo;
  try {
    info = Deno.lstatSync(name);
    if (info.isSymlink) return { kind: "link", text: Deno.readLinkSync(name) };
  } catch {
    return { kind: "missing" };
  }
  if (!info.isFile) return { kind: "missing" };
  const place = { name, info, path, realPath: path, throughLink: false, foldersMade: [] };
  const file = openAt({ fs }, place, path);
  try {
    const bytes = readAll({ fs }, file, maxBytes);
    return bytes ? { kind: "file", bytes, mode: file.stat.mode & 0o777 | 0o400 } : refused;
  } finally {
    fs.closeSync(file.fd);
  }
}

const refused: Entry = { kind: "refused" };
