/** The one folder and name that a written path really means, and work done there. */
import { ToolFailure } from "../../core/failure.ts";
import type { FileBounds } from "../../core/file_bounds.ts";
import { shownPath } from "../../lib/shown_path.ts";
import { ownFolderOf } from "../same_place.ts";
import { kindOf, notAFile } from "./file_kind.ts";
import { parsePath, type WrittenPath } from "./path_rule.ts";
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
  const written = parsePath(path);
  const made: string[] = [];
  const own = ownFolderOf(bounds);
  return fromFolder(bounds.workspace, (root) => {
    const walk: Walk = { root, own, path, links: 0, made };
    try {
      const place = findPlace(walk, written, options.makeFolders ?? false);
      return use(place);
    } catch (error) {
      removeFolders(walk);
      throw error;
    }
  });
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
