/** Tells whether two paths mean one place, on systems that take several names for the same file. */
import { dirname, join, sep } from "node:path";
import type { FileBounds } from "../core/file_bounds.ts";
import { isInside } from "../lib/path_inside.ts";
import { resolveLinks } from "./folders.ts";

/**
 * True where `path` is `folder` or lies in it; both absolute and without links. Names that differ in
 * case, or in another way that file systems ignore, count as equal where the system does not tell
 * them apart, and where neither is there yet.
 */
export function leadsInto(folder: string, path: string): boolean {
  if (isInside(folder, path)) return true;
  const top = path.split(sep).slice(0, folder.split(sep).length).join(sep);
  return foldedName(top) === foldedName(folder) && fileIdAt(top) === fileIdAt(folder);
}

/** The one of `names` that `name` may be another spelling of. */
export function nameAmong(names: readonly string[], name: string): string | undefined {
  const folded = foldedName(name);
  return names.find((known) => known === folded);
}

/** True where both spellings of a name mean the same in `folder`, and where neither is there yet. */
export function isSameName(folder: string, one: string, other: string): boolean {
  return one === other || fileIdAt(join(folder, one)) === fileIdAt(join(folder, other));
}

/** Code points that HFS+ passes over in names: without width, or for the direction of writing. */
const ignoredInNames = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;

/** The name as the most careless of file systems compares it. */
function foldedName(name: string): string {
  return name.normalize("NFC").replace(ignoredInNames, "").toLowerCase();
}

/** Device and inode of what is at `path` itself; undefined where nothing is. */
function fileIdAt(path: string): string | undefined {
  try {
    return fileIdOf(Deno.lstatSync(path));
  } catch {
    return undefined;
  }
}

/** What identifies a file among all that are there at the same time. */
export function fileIdOf({ dev, ino }: { dev: number; ino: number | null }): string {
  return `${dev}-${ino}`;
}

/** True where `path`, relative to the workspace, leads into nimlet's own folder by now. */
export function isInOwnFolder(bounds: FileBounds, path: string): boolean {
  const own = ownFolderOf(bounds);
  return own !== undefined && leadsInto(own, realOrPlanned(join(bounds.workspace, path)));
}

/** Real path of nimlet's own folder, also where it is still to be made. */
export function ownFolderOf({ nimletHome }: FileBounds): string | undefined {
  return nimletHome === undefined ? undefined : realOrPlanned(nimletHome);
}

/** The path without links, also where its last names are still to be made. */
function realOrPlanned(path: string): string {
  for (
    let at = path, rest = "";;
    rest = join(at.slice(dirname(at).length), rest), at = dirname(at)
  ) {
    const real = resolveLinks(at);
    if (real.kind === "real") return rest === "" ? real.path : join(real.path, rest);
    if (at === dirname(at)) return path;
  }
}
