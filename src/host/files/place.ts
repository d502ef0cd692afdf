/** The one folder and name that a written path really means, and work done there. */
import { join } from "node:path";
import { ToolFailure } from "../../core/failure.ts";
import type { FileBounds } from "../../core/file_bounds.ts";
import { shownPath } from "../../lib/shown_path.ts";
import { ownFolderOf } from "../same_place.ts";
import { kindOf, notAFile } from "./file_kind.ts";
import { hiddenPath, parsePath, type WrittenPath } from "./path_rule.ts";
import {
  assertInside,
  enter,
  followLinks,
  fromFolder,
  notAFolder,
  type Walk,
} from "./real_walk.ts";

/** Where a path leads. The process stands in the folder while `use` runs: names are relative to it. */
export interface Place {
  /** The last name; never a link at the time of the look, never `.` or `..`. */
  readonly name: string;
  /** What is there, or undefined. */
  readonly info: Deno.FileInfo | undefined;
  /** Workspace-relative path as written, tidied; the one to show. */
  readonly path: string;
  /** Workspace-relative path, with every link followed. */
  readonly realPath: string;
  /** True where the last name of the written path is a link to this place. */
  readonly throughLink: boolean;
  /** Folders that were made on the way, within the workspace, outermost first. */
  readonly foldersMade: readonly string[];
}

/**
 * Runs `use` inside the folder that `path` leads to. `use` must be synchronous.
 * With `makeFolders` missing parents are made, and removed again where `use` throws.
 * Throws `ToolFailure`; whatever `use` throws passes through.
 */
export function atPlace<T>(
  bounds: FileBounds,
  path: string,
  options: { readonly makeFolders?: boolean },
  use: (place: Place) => T,
): T {
  const written = parsePath(path, bounds.workspace);
  const made: string[] = [];
  const own = ownFolderOf(bounds);
  return fromFolder(bounds.workspace, (root) => {
    const walk: Walk = { root, own, path, links: 0, made };
    try {
      const place = findPlace(walk, written, options.makeFolders ?? false);
      if (bounds.sandbox?.hides(join(root, place.realPath))) throw hiddenPath(path);
      return use(place);
    } catch (error) {
      removeFolders(walk);
      throw error;
    }
  });
}

/**
 * The real path, relative to the workspace, that `path` leads to now: its last folders may still have to
 * be made. Throws `ToolFailure` for a path that cannot be used.
 */
export function realPathOf(bounds: FileBounds, path: string): string {
  const { segments } = parsePath(path, bounds.workspace);
  const own = ownFolderOf(bounds);
  return fromFolder(bounds.workspace, (root) => {
    for (let known = segments.length - 1; known > 0; known--) {
      const walk: Walk = { root, own, path, links: 0, made: [] };
      Deno.chdir(root);
      if (isEntered(walk, segments.slice(0, known))) return end(walk, segments.slice(known));
    }
    Deno.chdir(root);
    return end({ root, own, path, links: 0, made: [] }, segments);
  });
}

function isEntered(walk: Walk, segments: readonly string[]): boolean {
  try {
    enter(walk, segments, false);
    return true;
  } catch (error) {
    if (error instanceof ToolFailure && error.code === "not_found") return false;
    throw error;
  }
}

/** The real path of what `segments` name from here. */
function end(walk: Walk, segments: readonly string[]): string {
  assertInside(walk);
  const [only = "."] = segments;
  const name = segments.length > 1 ? segments.join("/") : followLinks(walk, only).name;
  return relativeTo(walk.root, Deno.cwd(), name);
}

function findPlace(walk: Walk, written: WrittenPath, makeFolders: boolean): Place {
  const last = written.segments.at(-1);
  if (last === undefined) throw notAFile(walk.path, "folder");
  enter(walk, written.segments.slice(0, -1), makeFolders);
  const folder = Deno.cwd();
  const { name, info } = followLinks(walk, last);
  if (written.namesFolder) throw namesFolder(walk.path, info);
  const realFolder = Deno.cwd();
  return {
    name,
    info,
    path: written.text,
    realPath: relativeTo(walk.root, realFolder, name),
    throughLink: name !== last || folder !== realFolder,
    foldersMade: walk.made.map((made) => made.slice(walk.root === "/" ? 1 : walk.root.length + 1)),
  };
}

function namesFolder(path: string, info: Deno.FileInfo | undefined): ToolFailure {
  if (info?.isDirectory) return notAFile(path, "folder");
  return info === undefined
    ? new ToolFailure("not_found", `not found: ${shownPath(path)} names a folder, not a file`)
    : notAFolder(path, path, kindOf(info));
}

function relativeTo(root: string, folder: string, name: string): string {
  const inner = folder === root ? "" : folder.slice(root === "/" ? 1 : root.length + 1);
  return inner === "" ? name : `${inner}/${name}`;
}

function removeFolders(walk: Walk): void {
  for (const folder of walk.made.toReversed()) {
    const slash = folder.lastIndexOf("/");
    const name = folder.slice(slash + 1);
    try {
      Deno.chdir(folder.slice(0, slash) || "/");
      assertInside(walk);
      if (Deno.lstatSync(name).isDirectory) Deno.removeSync(name);
    } catch {
      return; // Not empty, or no longer what was made: somebody else uses it.
    }
  }
}
