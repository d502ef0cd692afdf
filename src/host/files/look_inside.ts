/** Looks at paths of the workspace so that no folder swapped for a link leads outside. */
import type { FileBounds, FoundInside } from "../../core/file_bounds.ts";
import { ToolFailure } from "../../core/failure.ts";
import { fileIdOf, ownFolderOf } from "../same_place.ts";
import { parsePath } from "./path_rule.ts";
import { enter, followLinks, fromFolder, type Walk } from "./real_walk.ts";

/** What each of `paths` leads to; undefined for what is missing, outside, or out of bounds. */
export function lookInside(
  bounds: FileBounds,
  paths: readonly string[],
): (FoundInside | undefined)[] {
  if (paths.length === 0) return [];
  const own = ownFolderOf(bounds);
  return fromFolder(bounds.workspace, (root) => {
    /** The folder, as written, that the process stands in: neighbours are looked up at one go. */
    let here: string | undefined;
    return paths.map((path) => {
      const walk: Walk = { root, own, path, links: 0, made: [] };
      try {
        const segments = parsePath(path, bounds.workspace).segments;
        const above = segments.slice(0, -1), folder = above.join("/");
        if (here !== folder) {
          here = undefined;
          Deno.chdir(root);
          enter(walk, above, false);
          here = folder;
        }
        const look = found(walk, segments.at(-1));
        // Links and folders lead on to elsewhere.
        if (look.moved) here = undefined;
        return look.found;
      } catch (error) {
        here = undefined;
        if (error instanceof ToolFailure) return undefined;
        throw error;
      }
    });
  });
}

/** What is at `name` in the folder that the process stands in, and whether it has left that. */
function found(
  walk: Walk,
  name: string | undefined,
): { readonly found: FoundInside | undefined; readonly moved: boolean } {
  if (name === undefined) {
    return { found: { kind: "folder", id: fileIdOf(Deno.lstatSync(".")) }, moved: true };
  }
  const end = followLinks(walk, name);
  const { info } = end;
  const moved = end.name !== name || walk.links > 0;
  if (info === undefined) {
    return { found: isListed(end.name) ? { kind: "other", id: "" } : undefined, moved };
  }
  if (info.isDirectory) {
    enter(walk, [end.name], false);
    return { found: { kind: "folder", id: fileIdOf(info) }, moved: true };
  }
  return { found: { kind: info.isFile ? "file" : "other", id: fileIdOf(info) }, moved };
}

/** A name that is not UTF-8 is listed as text that no call finds. */
function isListed(name: string): boolean {
  return name.includes("\uFFFD") && Array.from(Deno.readDirSync("."), (entry) => entry.name)
    .includes(name);
}
