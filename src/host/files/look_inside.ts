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
  return fromFolder(bounds.workspace, (root) =>
    paths.map((path) => {
      const walk: Walk = { root, own, path, links: 0, made: [] };
      Deno.chdir(root);
      try {
        return found(walk, parsePath(path).segments);
      } catch (error) {
        if (error instanceof ToolFailure) return undefined;
        throw error;
      }
    }));
}

function found(walk: Walk, segments: readonly string[]): FoundInside | undefined {
  enter(walk, segments.slice(0, -1), false);
  const last = segments.at(-1);
  if (last === undefined) return { kind: "folder", id: fileIdOf(Deno.lstatSync(".")) };
  const { name, info } = followLinks(walk, last);
  if (info === undefined) return isListed(name) ? { kind: "other", id: "" } : undefined;
  if (info.isDirectory) {
    enter(walk, [name], false);
    return { kind: "folder", id: fileIdOf(info) };
  }
  return { kind: info.isFile ? "file" : "other", id: fileIdOf(info) };
}

/** A name that is not UTF-8 is listed as text that no call finds. */
function isListed(name: string): boolean {
  return name.includes("\uFFFD") && Array.from(Deno.readDirSync("."), (entry) => entry.name)
    .includes(name);
}
