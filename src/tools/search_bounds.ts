/** Makes what grep and glob may look at out of what a call may use. */
import { join } from "node:path";
import type { FileBounds } from "../core/file_bounds.ts";
import { lookInside } from "../host/files/look_inside.ts";
import { realOf } from "../host/folders.ts";
import { ownFolderOf } from "../host/same_place.ts";
import type { SearchBounds } from "../search/walk/search_root.ts";

export function searchBounds(bounds: FileBounds): SearchBounds {
  return {
    workspace: bounds.workspace,
    ownFolder: ownFolderOf(bounds),
    confirm(paths) {
      const found = lookInside(bounds, paths);
      const { sandbox } = bounds;
      if (sandbox === undefined) return found;
      const isHidden = (path: string) => sandbox.hides(realOf(join(bounds.workspace, path)));
      return found.map((each, index) => each && isHidden(paths[index]!) ? undefined : each);
    },
  };
}
