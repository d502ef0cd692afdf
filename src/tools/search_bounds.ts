/** Makes what grep and glob may look at out of what a call may use. */
import type { FileBounds } from "../core/file_bounds.ts";
import { lookInside } from "../host/files/look_inside.ts";
import { ownFolderOf } from "../host/same_place.ts";
import type { SearchBounds } from "../search/walk/search_root.ts";

export function searchBounds(bounds: FileBounds): SearchBounds {
  return {
    workspace: bounds.workspace,
    ownFolder: ownFolderOf(bounds),
    confirm: (paths) => lookInside(bounds, paths),
  };
}
